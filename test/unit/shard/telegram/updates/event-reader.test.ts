import { Api } from "telegram";
import bigInt from "big-integer";
import { describe, expect, test } from "vitest";
import { silentLog } from "../../../../../shared/log/logger.js";
import { PeerStore } from "../../../../../shard/telegram/peers.js";
import type { Change } from "../../../../../shard/telegram/updates/change.js";
import { EventReader, type ReadChanges } from "../../../../../shard/telegram/updates/event-reader.js";
import { People } from "../../../../../shard/telegram/updates/people.js";
import { testRefs } from "../../../../harness/test-refs.js";
import { TestContext } from "../../../../platform/session-context.js";
import { aMessage, aUser, bob } from "./packets.js";

const alice = "700000001";
const carol = "700000003";
const { signal } = new AbortController();

/** Everyone is known, so that the reader makes no call. */
async function read(
  changes: readonly Change[],
  chats: Record<string, string> = {},
  link = "/media/x",
  edits: ReadonlyMap<string, string> = new Map(),
): Promise<ReadChanges> {
  const context = new TestContext();
  const people = new People(new PeerStore(context.peers, silentLog), (user, photo) => `/profile/${user}/${photo}`);
  people.learn([aUser(bob), aUser(carol, { firstName: "Carol" })]);
  const reader = new EventReader({
    session: context.id,
    log: { chatsOf: async (ids) => ids.map((id) => chats[id]), editsOf: async (ids) => ids.map((id) => edits.get(id)) },
    links: { mediaUrl: () => link },
    refs: testRefs("telegram").of(context),
    people,
    peers: { find: () => Promise.resolve(undefined) },
    self: () => alice,
    logger: silentLog,
  });
  return reader.read(undefined as never, changes, signal);
}

const aNew = (fields: Parameters<typeof aMessage>[0] = {}): Change => ({
  kind: "new",
  message: aMessage(fields),
  chat: bob,
  own: false,
  missed: false,
});
const anEdit = (fields: Parameters<typeof aMessage>[0] = {}): Change => ({
  kind: "edited",
  message: aMessage({ editDate: 1_700_000_050, ...fields }),
  chat: bob,
  own: false,
  since: 1_700_000_060,
});
const idOf = async (change: Change, chats?: Record<string, string>): Promise<string | undefined> =>
  (await read([change], chats)).events[0]?.id;

describe("ids of events", () => {
  test("are the same for the same update, whether pushed or from a difference", async () => {
    const { kind, ...rest } = aNew() as Extract<Change, { kind: "new" }>;
    expect(await idOf({ kind, ...rest, missed: true })).toBe(await idOf(aNew()));
    const deleted = (ids: number[], date: number): Change => ({ kind: "deleted", ids, date, own: false });
    expect(await idOf(deleted([2, 1], 5), { 1: bob, 2: bob })).toBe(await idOf(deleted([1, 2], 9), { 1: bob, 2: bob }));
    const readAt = (date: number): Change => ({ kind: "read", chat: bob, until: 7, by: "me", date, own: false });
    expect(await idOf(readAt(1))).toBe(await idOf(readAt(2)));
    expect(await idOf(anEdit())).toBe(await idOf(anEdit()));
  });

  test("differ for different ones", async () => {
    const happenings: Change[] = [
      aNew(),
      aNew({ id: 2 }),
      anEdit(),
      anEdit({ message: "other" }),
      anEdit({ editDate: 1_700_000_051 }),
      { kind: "read", chat: bob, until: 1, by: "me", date: 1, own: false },
      { kind: "read", chat: bob, until: 1, by: "them", date: 1, own: false },
      { kind: "read", chat: carol, until: 1, by: "them", date: 1, own: false },
      { kind: "deleted", ids: [1], date: 1, own: false },
    ];
    const { events } = await read(happenings, { 1: bob });
    expect(events).toHaveLength(happenings.length);
    expect(new Set(events.map(({ id }) => id)).size).toBe(happenings.length);
  });

  test("of an edit do not hang on the key that signs links", async () => {
    const photo = new Api.Photo({
      id: bigInt(1),
      accessHash: bigInt(1),
      fileReference: Buffer.alloc(1),
      date: 1,
      dcId: 1,
      sizes: [new Api.PhotoSize({ type: "x", w: 80, h: 60, size: 500 })],
    });
    const edit = anEdit({ media: new Api.MessageMediaPhoto({ photo }) });
    const [first, second] = [await read([edit], {}, "/a"), await read([edit], {}, "/b")];
    expect(first.events[0]?.data).toMatchObject({ url: "/a", type: "image", width: 80 });
    expect(second.events[0]?.id).toBe(first.events[0]?.id);
  });
});

describe("an edit", () => {
  const textsOf = ({ events }: ReadChanges): unknown[] => events.map(({ data }) => (data as { text: string }).text);
  const [a, b] = [anEdit({ message: "A" }), anEdit({ message: "B" })];

  test("is reported when it differs from the last one, in the same step and in later ones", async () => {
    const first = await read([a, b, a]);
    expect(textsOf(first)).toEqual(["A", "B", "A"]);
    const second = await read([a, b], {}, "", first.edits);
    expect(textsOf(second)).toEqual(["B"]);
    const ids = [...first.events, ...second.events, ...(await read([a], {}, "", second.edits)).events].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
  });

  test("has the same id when a step is taken once more", async () => {
    expect((await read([a, b, a])).events).toEqual((await read([a, b, a])).events);
  });

  test("is not reported when the message was already reported in this state, except within one step", async () => {
    const fresh = aNew({ message: "A", editDate: 1_700_000_050 });
    expect(textsOf(await read([a], {}, "", (await read([fresh])).edits))).toEqual([]);
    expect(textsOf(await read([fresh, a, a]))).toEqual(["A", "A"]);
  });

  test("of this session itself is not reported, nor is a reaction to it", async () => {
    const { events, edits } = await read([{ ...a, own: true } as Change]);
    expect(events).toEqual([]);
    expect(textsOf(await read([a], {}, "", edits))).toEqual([]);
  });

  test("of an old message is not reported, unless an earlier edit is stored", async () => {
    const late = { ...a, since: 1_700_010_000 } as Change;
    expect(textsOf(await read([late]))).toEqual([]);
    expect(textsOf(await read([late], {}, "", (await read([b])).edits))).toEqual(["A"]);
  });
});

test("reports deletions per chat, including those of the same step and of own sends, and drops unknown ones", async () => {
  const changes: Change[] = [
    aNew({ id: 5 }),
    { kind: "sent", message: 6, chat: carol },
    { kind: "deleted", ids: [5, 6, 7, 8], date: 1_700_000_009, own: false },
  ];
  const { events, messages } = await read(changes, { 7: bob });
  expect(events.slice(1)).toMatchObject([
    { type: "message.deleted", created: "2023-11-14T22:13:29.000Z", data: { chat: { id: bob, name: "Bob" }, ids: ["5", "7"] } },
    { type: "message.deleted", data: { chat: { id: carol, name: "Carol" }, ids: ["6"] } },
  ]);
  expect([...messages]).toEqual([
    ["5", bob],
    ["6", carol],
  ]);
});

test("remembers the session's own actions without reporting them", async () => {
  const own = { ...aNew({ id: 5 }), own: true } as Change;
  expect(await read([own, { kind: "sent", message: 6, chat: bob }])).toEqual({
    events: [],
    messages: new Map([
      ["5", bob],
      ["6", bob],
    ]),
    edits: new Map(),
  });
});

test("a place and a contact", async () => {
  const geo = new Api.GeoPoint({ lat: 1.5, long: -2.5, accessHash: bigInt(0) });
  const venue = new Api.MessageMediaVenue({ geo, title: "Café", address: "Main Street 1", provider: "", venueId: "", venueType: "" });
  const contact = new Api.MessageMediaContact({ phoneNumber: "49123", firstName: "Ann", lastName: "Lee", vcard: "", userId: bigInt(0) });
  const { events } = await read([
    aNew({ media: venue }),
    aNew({ id: 2, media: contact }),
    aNew({ id: 3, media: new Api.MessageMediaDice({ value: 1, emoticon: "x" }) }),
  ]);
  expect(events.map(({ data }) => data)).toMatchObject([
    { type: "location", location: { latitude: 1.5, longitude: -2.5, name: "Café", address: "Main Street 1" } },
    { type: "contact", contact: { name: "Ann Lee", phone: "49123" } },
    { type: "other", url: "" },
  ]);
});

test("an event that cannot be built is left out and holds up no other", async () => {
  const broken = aNew({ id: 2, date: Number.NaN });
  expect((await read([aNew(), broken, aNew({ id: 3 })])).events.map(({ data }) => (data as { id: string }).id)).toEqual(["1", "3"]);
});

test("a poll is described, and a forwarded one keeps the chat and the votes that are known of it", async () => {
  const plain = (text: string): Api.TextWithEntities => new Api.TextWithEntities({ text, entities: [] });
  const answers = ["Yes", "No"].map((text, index) => new Api.PollAnswer({ text: plain(text), option: Buffer.from([index]) }));
  const poll = new Api.Poll({ id: bigInt(7), question: plain("Tea?"), answers, publicVoters: true });
  const forwarded = aNew({ id: 9, media: new Api.MessageMediaPoll({ poll, results: new Api.PollResults({}) }) });
  const first = await read([forwarded]);
  expect([...first.edits.keys()]).toEqual(["poll 7"]);
  expect(first.events[0]?.data).toMatchObject({ type: "other", poll: { question: "Tea?", options: ["Yes", "No"], multiple: false } });
  expect((await read([forwarded], {}, "/media/x", first.edits)).edits.size).toBe(0);
});
