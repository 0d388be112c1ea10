import type { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { DeviceLists } from "../../../../shard/whatsapp/addressing/device-lists.js";
import { participantHash } from "../../../../shard/whatsapp/addressing/participant-hash.js";
import { Reach } from "../../../../shard/whatsapp/addressing/reach.js";
import type { Client } from "../../../../shard/whatsapp/client.js";

const own = "111:7@s.whatsapp.net";
const before = ["111@s.whatsapp.net", "222@s.whatsapp.net"];
const linked = "222:3@s.whatsapp.net";

/** A message to 222 that was written for `before`; `present` lists the devices that the platform returns now. */
function aReach(present: readonly string[]) {
  let lookups = 0;
  const resent: string[] = [];
  const client = {
    me: { id: own, lid: "999:7@lid", name: "" },
    runQuery: async <T>(call: () => Promise<T>) => await call(),
    sock: {
      authState: { keys: { get: async () => ({}) } },
      getUSyncDevices: async () => {
        lookups += 1;
        return present.map((jid) => ({ jid }));
      },
    },
  } as unknown as Client;
  const lists = new DeviceLists(() => undefined);
  const reach = (): Reach =>
    new Reach({
      chat: "222@s.whatsapp.net",
      lists,
      people: async () => ["111@s.whatsapp.net", "222@s.whatsapp.net"],
      devices: async () => before,
      resend: async (_client, _message, devices) => void resent.push(...devices),
    });
  return { client, reach, resent, lookups: () => lookups };
}
const message: proto.IMessage = {};

describe("the hash of an ack", () => {
  it.each([
    ["of exactly the devices that got the message", participantHash(before)],
    ["that counts the sending device", participantHash([...before, own])],
  ])("%s costs no lookup", async (_, hash) => {
    const { client, reach, resent, lookups } = aReach([...before, linked]);
    await reach().complete(client, message, hash);
    expect([resent, lookups()]).toEqual([[], 0]);
  });

  it("of more devices sends the message to those that it missed, and to no other", async () => {
    const { client, reach, resent } = aReach([...before, linked, own]);
    await reach().complete(client, message, participantHash([...before, linked]));
    expect(resent).toEqual([linked]);
  });

  it("that a new lookup does not explain is not looked up again", async () => {
    const { client, reach, resent, lookups } = aReach(before);
    for (let n = 0; n < 3; n++) await reach().complete(client, message, "2:ABCDEFGH");
    expect([resent, lookups()]).toEqual([[], 1]);
  });

  it("is the platform's: sorted long names of the devices", () => {
    expect(participantHash(["6281155501001@s.whatsapp.net"])).toBe("2:BORvStUw");
    expect(participantHash(["42:1@s.whatsapp.net", "42@s.whatsapp.net"])).toBe(
      participantHash(["42:0@s.whatsapp.net", "42:1@s.whatsapp.net"]),
    );
    expect(participantHash(["42:1@lid"])).not.toBe(participantHash(["42:1@s.whatsapp.net"]));
  });
});

describe("a refusal for stale devices", () => {
  it.each([
    ["are more", [...before, linked], true],
    ["are fewer", before.slice(0, 1), true],
    ["are the same", [...before].reverse(), false],
  ])("is worth another try when the devices %s", async (_, present, worth) => {
    const { client, reach } = aReach(present);
    expect(await reach().hasChanged(client)).toBe(worth);
  });

  it("is checked once for each message", async () => {
    const { client, reach, lookups } = aReach([...before, linked]);
    const one = reach();
    expect([await one.hasChanged(client), await one.hasChanged(client), lookups()]).toEqual([true, false, 1]);
  });
});
