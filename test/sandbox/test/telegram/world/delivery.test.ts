import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Api } from "telegram";
import type { AuthKey } from "../../../telegram/rpc.js";
import { FileCache } from "../../../files/file-cache.js";
import { SampleFiles } from "../../../files/sample-files.js";
import type { Account } from "../../../telegram/world/account.js";
import { Delivery } from "../../../telegram/world/delivery.js";
import { markChannel, markChat } from "../../../telegram/world/ids.js";
import { MediaLibrary } from "../../../telegram/world/media-library.js";
import { sharedChats } from "../../../telegram/world/seed.js";
import { seededWorld } from "../../../telegram/world/seeded-world.js";
import { restoreWorld, worldRecords } from "../../../telegram/world/snapshot.js";
import type { World } from "../../../telegram/world/world.js";

let world: World;
let delivery: Delivery;
let alice: Account;
let bob: Account;
beforeEach(() => {
  world = aWorld();
  delivery = new Delivery(world);
  alice = open("alice");
  bob = open("bob");
});

describe("private messages", () => {
  it("lie in both boxes under ids of their own, and follow each other's edits and deletions", () => {
    const toBob = device("bob");
    const sent = delivery.send(alice, bob.userId, { text: "one" });
    expect(alice.box.topOf(bob.userId)).toMatchObject({ id: sent.id, out: true, text: "one" });
    const copy = bob.box.topOf(alice.userId);
    expect(copy).toMatchObject({ out: false, text: "one", from: alice.userId });
    delivery.edit(alice, bob.userId, sent.id, { text: "two" });
    expect(copy?.text).toBe("two");
    delivery.delete(alice, undefined, [sent.id], true);
    expect(bob.box.messages.has(copy?.id ?? 0)).toBe(false);
    expect(toBob.map(({ className }) => className)).toEqual(["UpdateShortMessage", "Updates", "UpdateShort"]);
  });

  it("stay with the other side when they are deleted for oneself only", () => {
    const sent = delivery.send(alice, bob.userId, { text: "one" });
    delivery.delete(alice, undefined, [sent.id], false);
    expect(bob.box.topOf(alice.userId)?.text).toBe("one");
  });

  it("tell their author when they are read", () => {
    const toAlice = device("alice");
    const sent = delivery.send(alice, bob.userId, { text: "one" });
    delivery.read(bob, alice.userId, bob.box.topOf(alice.userId)?.id ?? 0);
    expect(alice.box.readOutbox.get(bob.userId)).toBe(sent.id);
    expect(toAlice.map((packet) => ("update" in packet ? packet.update.className : packet.className))).toEqual([
      "UpdateShortMessage",
      "UpdateReadHistoryOutbox",
    ]);
  });

  it("do not reach a device through a gap, but the log has them", () => {
    const toBob = device("bob");
    const before = bob.box.pts;
    world.faults.arm({ kind: "gap", account: "bob", method: undefined, seconds: undefined, error: undefined, times: 2 });
    for (const text of ["one", "two", "three"]) delivery.send(alice, bob.userId, { text });
    expect(toBob).toHaveLength(1);
    expect(bob.box.since(before)).toHaveLength(3);
  });
});

describe("a reaction", () => {
  it("reaches devices as an edit that people do not see, unless the text was edited before", () => {
    const toAlice = device("alice");
    const sent = delivery.send(alice, bob.userId, { text: "one" });
    delivery.react(alice, bob.userId, sent.id, "👍");
    delivery.edit(alice, bob.userId, sent.id, { text: "two" });
    delivery.react(alice, bob.userId, sent.id, "");
    const edits = toAlice.flatMap((packet) => ("updates" in packet ? packet.updates : []));
    expect(edits.map((update) => ("message" in update && typeof update.message === "object" ? update.message : update))).toMatchObject([
      { message: "one", editHide: true, editDate: expect.any(Number) as number, reactions: { results: [{ count: 1 }] } },
      { message: "two", editHide: undefined, editDate: expect.any(Number) as number },
      { message: "two", editHide: undefined, reactions: undefined },
    ]);
  });
});

describe("faults of pushes", () => {
  const arm = (kind: "reorder" | "duplicate" | "updates-too-long", times = 1): void =>
    world.faults.arm({ kind, account: "bob", method: undefined, seconds: undefined, error: undefined, times });
  const texts = (pushed: readonly Api.TypeUpdates[]): string[] =>
    pushed.map((packet) => ("message" in packet ? packet.message : packet.className));

  it("turn two around, send one twice, or name none at all", () => {
    const toBob = device("bob");
    arm("reorder");
    for (const text of ["one", "two"]) delivery.send(alice, bob.userId, { text });
    arm("duplicate");
    delivery.send(alice, bob.userId, { text: "three" });
    arm("updates-too-long");
    delivery.send(alice, bob.userId, { text: "four" });
    expect(texts(toBob)).toEqual(["two", "one", "three", "three", "UpdatesTooLong"]);
    expect(bob.box.topOf(alice.userId)?.text).toBe("four");
  });

  it("hold a packet back for no longer than a second when none follows", () => {
    vi.useFakeTimers();
    try {
      const toBob = device("bob");
      arm("reorder");
      delivery.send(alice, bob.userId, { text: "alone" });
      expect(toBob).toEqual([]);
      vi.advanceTimersByTime(1_000);
      expect(texts(toBob)).toEqual(["alone"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("leave a gap in seq behind, too", () => {
    const toBob = device("bob");
    const photo = (): void => delivery.pushes.pushCounted(bob, { updates: [], users: [], chats: [] });
    photo();
    world.faults.arm({ kind: "gap", account: "bob", method: undefined, seconds: undefined, error: undefined, times: 1 });
    photo();
    photo();
    expect(toBob).toMatchObject([{ seq: 1 }, { seq: 3 }]);
  });
});

it("keeps what happened in private chats, with the words of that moment", () => {
  const sent = delivery.send(alice, bob.userId, { text: "one" });
  const copy = bob.box.topOf(alice.userId)?.id ?? 0;
  delivery.edit(alice, bob.userId, sent.id, { text: "two" });
  delivery.react(bob, alice.userId, copy, "🎉");
  delivery.read(bob, alice.userId, copy);
  delivery.delete(bob, alice.userId, [copy], true);
  delivery.send(alice, markChat(sharedChats.familyGroup), { text: "not private" });
  const chat = String(bob.userId);
  expect(world.happenings.list("alice")).toMatchObject([
    { kind: "new", chat, messageId: String(sent.id), text: "one", out: true, own: false },
    { kind: "edited", chat, messageId: String(sent.id), text: "two", out: true },
    { kind: "reacted", chat, messageId: String(sent.id) },
    { kind: "read", chat, until: String(sent.id), by: "them" },
    { kind: "deleted", chat, messageIds: [String(sent.id)] },
  ]);
  expect(world.happenings.list("bob").map(({ kind, pts }) => [kind, pts])).toEqual([
    ["new", 2],
    ["edited", 3],
    ["reacted", 4],
    ["read", 5],
    ["deleted", 6],
  ]);
});

describe("groups and channels", () => {
  it("give every member of a basic group a copy", () => {
    const peer = markChat(sharedChats.familyGroup);
    const sent = delivery.send(alice, peer, { text: "dinner?" });
    expect(sent.twins).toHaveLength(7);
    expect(bob.box.topOf(peer)).toMatchObject({ text: "dinner?", from: alice.userId, out: false });
  });

  it("keep one copy of a channel's post and push it to its followers", () => {
    const toBob = device("bob");
    const peer = markChannel(sharedChats.aliceChannel);
    const post = delivery.send(alice, peer, { text: "news" });
    expect(world.chats.channel(sharedChats.aliceChannel)?.box.topOf(peer)).toBe(post);
    expect(toBob).toMatchObject([
      { className: "Updates", updates: [{ className: "UpdateNewChannelMessage", message: { id: post.id, post: true } }] },
    ]);
  });
});

it("brings back what happened since the start, and nothing twice", () => {
  const nora = world.accounts.create({
    account: "nora",
    password: "pw",
    hint: "h",
    custom: true,
    stock: { contacts: 2, groups: 3, channels: 2, members: 5 },
  });
  if (nora === undefined) throw new Error("nora exists");
  world.opened(nora);
  const [seeded] = nora.box.messages.keys();
  delivery.send(nora, nora.userId, { text: "to self" });
  delivery.delete(nora, undefined, [seeded ?? 0], true);
  const own = [...nora.chats].find((peer) => peer < -1_000_000_000_000) ?? 0;
  delivery.send(nora, own, { text: "in a channel of nora" });
  const lines = [...worldRecords(world)].map((record): unknown => JSON.parse(JSON.stringify(record)));
  const again = aWorld();
  restoreWorld(again, lines);
  const back = again.accounts.get("nora");
  expect(back).toMatchObject({ userId: nora.userId, password: "pw", hint: "h", stocked: true });
  expect(back?.box.pts).toBe(nora.box.pts);
  expect([...(back?.box.messages.values() ?? [])]).toEqual([...nora.box.messages.values()]);
  expect([...(back?.chats ?? [])]).toEqual([...nora.chats]);
  const channel = again.chats.channel(-own - 1_000_000_000_000);
  expect(channel?.history().topOf(own)?.text).toBe("in a channel of nora");
  expect([...worldRecords(again)].map((record): unknown => JSON.parse(JSON.stringify(record)))).toEqual(lines);
});

function aWorld(): World {
  const cache = new FileCache("/nowhere");
  const media = new MediaLibrary(cache, new SampleFiles(cache), 1_700_000_000);
  return seededWorld({ media, startedAt: 1_700_000_000, seed: "seed", changed: () => undefined });
}

function open(name: string): Account {
  const account = world.accounts.get(name);
  if (account === undefined) throw new Error(`no ${name}`);
  return world.opened(account);
}

/** Adds a logged-in device to the account and returns its pushed updates. */
function device(account: string): Api.TypeUpdates[] {
  const pushed: Api.TypeUpdates[] = [];
  const key: AuthKey = {
    id: "1",
    dcId: 1,
    authKey: Buffer.alloc(256),
    salt: 0n,
    initialised: true,
    client: undefined,
    layer: 198,
    account,
    pendingAccount: undefined,
    scannedAccount: undefined,
    revoked: undefined,
    home: true,
    duplicated: false,
    connections: new Set(),
  };
  key.connections.add({
    dcId: 1,
    remoteAddress: "127.0.0.1",
    openedAt: 0,
    key,
    main: true,
    push: (update) => void pushed.push(update),
    destroy: () => undefined,
  });
  world.devices.update(key);
  return pushed;
}
