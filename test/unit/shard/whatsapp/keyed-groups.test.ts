import type { GroupMetadata } from "@whiskeysockets/baileys";
import { beforeEach, expect, it } from "vitest";
import { KeyedGroups, type Device } from "../../../../shard/whatsapp/group/keyed-groups.js";
import type { Holders } from "../../../../shard/whatsapp/keys/key-holders.js";

const jid = "1@g.us";
const device = (user: string, number = 0): Device => ({ user, server: "lid", device: number });

let group: GroupMetadata | undefined;
let devices: Map<string, readonly Device[]>;
let holders: Holders | undefined;
let groups: KeyedGroups;

beforeEach(() => {
  group = { id: jid, owner: undefined, subject: "name", participants: [{ id: "1@lid" }, { id: "2@lid" }], ephemeralDuration: 86_400 };
  devices = new Map([
    ["1", [device("1"), device("1", 4)]],
    ["2", [device("2")]],
  ]);
  holders = { "1@lid": true, "1:4@lid": true, "2@lid": true };
  groups = new KeyedGroups({ group: () => group, devices: (user) => devices.get(user), holders: () => holders });
});

const isWalked = (): boolean => (groups.groupFor(jid)?.participants.length ?? 0) > 0;

it("a group is given without its members when each device has the key, and with all else", () => {
  expect(isWalked()).toBe(true);
  groups.check(jid);
  expect(groups.groupFor(jid)).toEqual({ ...group, participants: [] });
  groups.check(jid);
  expect(isWalked()).toBe(false);
});

it.each<[string, () => void]>([
  ["a device without the key", () => (holders = { "1@lid": true, "2@lid": true })],
  ["a device that the key was taken off", () => (holders = { ...holders, "2@lid": false })],
  ["somebody with the key who is no member", () => (holders = { ...holders, "3@lid": true })],
  ["a device with the key that is a member's no longer", () => (holders = { ...holders, "1:7@lid": false })],
  ["a member whose devices are not known", () => devices.delete("2")],
  ["nothing known of who has the key", () => (holders = undefined)],
])("%s keeps it from that", (_, change) => {
  change();
  groups.check(jid);
  expect(isWalked()).toBe(true);
});

it.each<[string, () => void]>([
  ["the group is read anew", () => (group = group && { ...group })],
  ["who has the key is another list", () => (holders = { ...holders })],
  ["who has the key is no longer known", () => (holders = undefined)],
  ["the devices of a member may be others", () => groups.changed("2")],
  ["the login is over", () => groups.clear()],
])("it ends when %s", (_, change) => {
  groups.check(jid);
  change();
  expect(isWalked()).toBe(true);
});

it("stays keyed when another person's devices change, and ends with the group", () => {
  groups.check(jid);
  groups.changed("3");
  expect(isWalked()).toBe(false);
  group = undefined;
  expect(groups.groupFor(jid)).toBeUndefined();
});

it("hosted devices, which the library gives no key, do not keep it from that", () => {
  devices.set("2", [device("2"), device("2", 99), { user: "2", server: "hosted.lid", device: 3 }]);
  groups.check(jid);
  expect(isWalked()).toBe(false);
});
