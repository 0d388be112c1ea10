import { describe, expect, it } from "vitest";
import { DeviceLists } from "../../../../shard/whatsapp/addressing/device-lists.js";
import type { Client } from "../../../../shard/whatsapp/client.js";
import { eachRecipientOnce } from "../../../../shard/whatsapp/network/unique-recipients.js";

const client = (requests: string[][], response: readonly string[]): Client =>
  ({
    runQuery: async <T>(call: () => Promise<T>) => await call(),
    sock: {
      authState: { keys: { get: async () => ({ "222": "999" }) } },
      getUSyncDevices: async (people: string[]) => {
        requests.push(people);
        return response.map((jid) => ({ jid }));
      },
    },
  }) as unknown as Client;

describe("device lists", () => {
  it("request each person once, and name each device once", async () => {
    const requests: string[][] = [];
    const devices = await new DeviceLists(() => undefined).of(client(requests, ["1@lid", "1:2@lid", "1@lid"]), ["1@lid", "1@lid"]);
    expect([requests, devices]).toEqual([[["1@lid"]], ["1@lid", "1:2@lid"]]);
  });

  it("request nobody if all people are remembered, and everybody otherwise", async () => {
    const requests: string[][] = [];
    const lists = new DeviceLists(() => undefined);
    void lists.cache.set("1", [
      { user: "1", server: "lid" },
      { user: "1", server: "lid", device: 2 },
    ]);
    void lists.cache.set("222", [{ user: "222", server: "s.whatsapp.net", device: 0 }]);
    const of = (...people: string[]) => lists.of(client(requests, ["requested"]), people);
    expect(await of("1@lid", "222@s.whatsapp.net", "1@lid")).toEqual(["1@lid", "1:2@lid", "222@s.whatsapp.net"]);
    expect(requests).toEqual([]);
    expect([await of("1@lid", "3@lid"), await of("1:2@lid")]).toEqual([["requested"], ["requested"]]);
    expect(requests).toEqual([["1@lid", "3@lid"], ["1:2@lid"]]);
  });

  it("keep each device of a user once, whatever the library puts there", () => {
    const lists = new DeviceLists(() => undefined);
    const phone = { user: "1", server: "lid" };
    void lists.cache.set("1", [phone, { ...phone, device: 2 }, { ...phone, device: 0 }, { ...phone, device: 2 }]);
    expect(lists.cached("1")?.map(({ device = 0 }) => device)).toEqual([0, 2]);
  });

  it("are forgotten under both names", async () => {
    const lists = new DeviceLists(() => undefined);
    for (const user of ["222", "999", "333"]) void lists.cache.set(user, [{ user, server: "lid", device: 0 }]);
    await lists.forget(client([], []), ["222@s.whatsapp.net"]);
    expect(["222", "999", "333"].map((user) => lists.cached(user)?.length)).toEqual([undefined, undefined, 1]);
  });
});

describe("recipients of a message", () => {
  const message = { conversation: "x" };
  it("are encrypted for once each", () => {
    expect(eachRecipientOnce(message, ["a", "b", "a"])).toEqual([
      { recipientJid: "a", message },
      { recipientJid: "b", message },
    ]);
  });
  it("get the message as it is when each is there once, as a group does", () => {
    expect([eachRecipientOnce(message, ["a", "b"]), eachRecipientOnce(message)]).toEqual([message, message]);
  });
});
