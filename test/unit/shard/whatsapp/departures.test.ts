import { setImmediate as turn } from "node:timers/promises";
import type { GroupMetadata } from "@whiskeysockets/baileys";
import { beforeEach, expect, it } from "vitest";
import { Departures, statusJid } from "../../../../shard/whatsapp/group/departures.js";
import type { Device } from "../../../../shard/whatsapp/group/keyed-groups.js";
import type { Holders } from "../../../../shard/whatsapp/keys/key-holders.js";

const jid = "1@g.us";
const device = (user: string, number = 0): Device => ({ user, server: "lid", device: number });

let group: GroupMetadata;
let devices: Map<string, readonly Device[]>;
let holders: Holders;
let departures: Departures;

beforeEach(() => {
  group = { id: jid, owner: undefined, subject: "name", participants: [{ id: "1@lid" }, { id: "2@lid" }] };
  devices = new Map([
    ["1", [device("1"), device("1", 4)]],
    ["2", [device("2")]],
  ]);
  holders = { "1@lid": true, "1:4@lid": false, "2@lid": true };
  departures = new Departures({
    devices: (user) => devices.get(user),
    holders: async () => holders,
  });
});

const hasLeft = (): Promise<boolean> => {
  departures.addressing(group);
  return departures.hasLeft(jid, []);
};

it.each<[string, () => void]>([
  ["all who have the key are there", () => undefined],
  ["somebody has no key yet", () => (holders = { "1@lid": true })],
  ["a member's devices are not known", () => devices.delete("1")],
])("reports no departure when %s", async (_, change) => {
  change();
  expect(await hasLeft()).toBe(false);
});

it.each<[string, () => void]>([
  ["who is no member has the key", () => (holders = { ...holders, "3@lid": true })],
  ["who is no member had it taken off with all", () => (holders = { ...holders, "3@lid": false })],
  ["a device has it that is the member's no longer", () => devices.set("1", [device("1")])],
])("reports a departure when %s", async (_, change) => {
  change();
  expect(await hasLeft()).toBe(true);
});

it("requests no new key when the library gives it to no device, whatever changed since it got the group", async () => {
  holders = { "3@lid": true };
  departures.addressing({ ...group, participants: [] });
  expect(await departures.hasLeft(jid, [])).toBe(false);
});

it("compares with the group that the library has got for this very message", async () => {
  holders = { "3@lid": true };
  expect(await departures.hasLeft(jid, [])).toBe(false);
  departures.addressing({ ...group, id: "2@g.us" });
  expect(await departures.hasLeft(jid, [])).toBe(false);
  expect(await hasLeft()).toBe(true);
  expect(await departures.hasLeft(jid, [])).toBe(false);
});

it("compares with those who see the status that is encrypted", async () => {
  expect(await departures.hasLeft(statusJid, [])).toBe(false);
  expect(await departures.hasLeft(statusJid, ["1@lid"])).toBe(true);
  expect(await departures.hasLeft(statusJid, ["1@lid", "2@lid"])).toBe(false);
});

it("lets the event loop have its turn with a status to thousands", async () => {
  const users = Array.from({ length: 10_000 }, (_, n) => `${1_000_000 + n}`);
  devices = new Map(users.map((user) => [user, [device(user), device(user, 4)]]));
  holders = Object.fromEntries(users.flatMap((user) => [`${user}@lid`, `${user}:4@lid`]).map((held) => [held, true]));
  const audience = users.map((user) => `${user}@lid`);
  let [turns, over] = [0, false];
  const counting = (async (): Promise<void> => {
    for (; !over; turns += 1) await turn();
  })();
  for (let n = 0; n < 5; n++) {
    expect(await departures.hasLeft(statusJid, audience)).toBe(false);
  }
  over = true;
  await counting;
  expect(turns).toBeGreaterThan(5);
});
