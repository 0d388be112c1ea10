import { Api } from "telegram";
import bigInt from "big-integer";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import type { SessionMap } from "../../../../shard/session/session-context.js";
import { PeerStore, toInputPeer } from "../../../../shard/telegram/peers.js";
import { contactField } from "../../../../shard/tenant/pace/session-pace.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aMap(): SessionMap & { fields: Map<string, string>; writes: number } {
  const fields = new Map<string, string>();
  const map = {
    fields,
    writes: 0,
    get: async (field: string) => fields.get(field),
    values: async () => [...fields.values()],
    getMany: async (names: readonly string[]) => names.map((name) => fields.get(name)),
    setMany: async (entries: ReadonlyMap<string, string>) => {
      map.writes += 1;
      for (const [name, value] of entries) fields.set(name, value);
    },
    clear: async () => fields.clear(),
  };
  return map;
}
const user = (id: number, fields: object = {}): Api.User =>
  Object.assign(new Api.User({ id: bigInt(id), accessHash: bigInt(id * 7) }), fields);

test("learns from results and lists, writes behind in batches", async () => {
  const map = aMap();
  const peers = new PeerStore(map, silentLog);
  peers.learn({
    users: [user(1), user(2, { min: true }), new Api.UserEmpty({ id: bigInt(3) })],
    chats: [new Api.ChannelForbidden({ id: bigInt(1_900_000_001), accessHash: bigInt(-5), title: "x" })],
  });
  peers.learn([user(4)]);
  peers.learn(undefined);
  expect(map.writes).toBe(0);
  await vi.advanceTimersByTimeAsync(600);
  expect(map.writes).toBe(1);
  expect(Object.fromEntries(map.fields)).toEqual({ "1": "7", "-1001900000001": "-5", "4": "28" });
  // The user is already known, so nothing is written.
  peers.learn([user(1)]);
  await peers.stop();
  expect(map.writes).toBe(1);
});

test("finds what an earlier owner stored, and basic groups without it", async () => {
  const map = aMap();
  map.fields.set("9", "99").set("8", "not a hash");
  const peers = new PeerStore(map, silentLog);
  expect(await peers.find("9")).toEqual({ id: "9", accessHash: "99" });
  expect(await peers.find("8")).toBeUndefined();
  expect(await peers.find("7")).toBeUndefined();
  expect(await peers.find("-100123")).toEqual({ id: "-100123", accessHash: "0" });
});

test("reads an entry of an earlier owner once", async () => {
  const map = aMap();
  const name = "@alice";
  map.fields.set("9", "99").set(name, `9 ${Date.now()}`);
  const get = vi.fn(map.get);
  const peers = new PeerStore({ ...map, get }, silentLog);
  for (let time = 0; time < 3; time++) expect(await peers.named(name)).toEqual({ peer: { id: "9", accessHash: "99" } });
  expect(get.mock.calls).toEqual([[name], ["9"]]);
});

test("a clear also drops what was read during it", async () => {
  const map = aMap();
  map.fields.set("9", "99").set(contactField("9"), "1");
  let end = (): void => undefined;
  const cleared = new Promise<void>((resolve) => (end = resolve));
  const peers = new PeerStore({ ...map, clear: () => cleared.then(map.clear) }, silentLog);
  const clearing = peers.clear();
  expect([await peers.find("9"), await peers.hasMet("9")]).toEqual([{ id: "9", accessHash: "99" }, true]);
  end();
  await clearing;
  expect([await peers.find("9"), await peers.hasMet("9")]).toEqual([undefined, false]);
});

test("keeps at most its share in memory and outlives a store that fails", async () => {
  const map = aMap();
  const peers = new PeerStore({ ...map, setMany: () => Promise.reject(new Error("down")) }, silentLog);
  peers.learn(Array.from({ length: 30_000 }, (_, id) => user(id + 1)));
  await vi.advanceTimersByTimeAsync(600);
  expect(await peers.find("30000")).toEqual({ id: "30000", accessHash: "210000" });
  await peers.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test("makes the platform's form of a peer", () => {
  expect(toInputPeer({ id: "5", accessHash: "6" })).toMatchObject({ className: "InputPeerUser" });
  expect(toInputPeer({ id: "-100123", accessHash: "0" })).toMatchObject({ className: "InputPeerChat" });
  const channel = toInputPeer({ id: "-1001900000001", accessHash: "-6" });
  expect(channel instanceof Api.InputPeerChannel && channel.channelId.toString()).toBe("1900000001");
});

test("remembers private chat partners if enabled, and ignores the platform's service account", async () => {
  const message = (id: number, peerId: Api.TypePeer): Api.Message => new Api.Message({ id, peerId, date: 1, message: "hi" });
  const person = (id: number): Api.PeerUser => new Api.PeerUser({ userId: bigInt(id) });
  const joined = new Api.MessageService({ id: 9, peerId: person(14), date: 1, action: new Api.MessageActionContactSignUp() });
  const learned = [
    new Api.Updates({
      updates: [new Api.UpdateNewMessage({ message: message(1, person(11)), pts: 1, ptsCount: 1 })],
      users: [user(11), user(20)],
      chats: [],
      date: 1,
      seq: 0,
    }),
    new Api.UpdateShort({ update: new Api.UpdateNewMessage({ message: message(2, person(12)), pts: 2, ptsCount: 1 }), date: 1 }),
    { messages: [message(3, person(13)), joined, message(4, new Api.PeerChat({ chatId: bigInt(15) }))], users: [user(13)], chats: [] },
    { newMessages: [message(5, person(16))], otherUpdates: [], users: [], chats: [] },
  ];
  const map = aMap();
  const peers = new PeerStore(map, silentLog, () => true);
  for (const one of learned) peers.learn(one);
  const ids = ["11", "12", "13", "14", "15", "16", "20"];
  expect(await Promise.all(ids.map((id) => peers.hasMet(id)))).toEqual([true, true, true, false, false, true, false]);
  await peers.stop();
  expect(await new PeerStore(map, silentLog, () => true).hasMet("11")).toBe(true);
  const other = new PeerStore(aMap(), silentLog);
  for (const one of learned) other.learn(one);
  expect(await other.hasMet("11")).toBe(false);
});
