import { Api } from "telegram";
import bigInt from "big-integer";
import { beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../../../../shared/log/logger.js";
import { PeerStore } from "../../../../../shard/telegram/peers.js";
import type { Change } from "../../../../../shard/telegram/updates/change.js";
import { People } from "../../../../../shard/telegram/updates/people.js";
import { UpdateCounter } from "../../../../../shard/telegram/updates/update-counter.js";
import type { UpdatePosition } from "../../../../../shard/telegram/updates/update-position.js";
import { TestContext } from "../../../../platform/session-context.js";
import { aContainer, aNewMessage, aShortMessage, bob } from "./packets.js";

const start: UpdatePosition = { user: "1", pts: 10, qts: 0, date: 1_700_000_000, seq: 5, newest: 0 };
const gapMs = 500;
let counter: UpdateCounter;
let people: People;
beforeEach(() => {
  counter = new UpdateCounter(start, {});
  people = new People(new PeerStore(new TestContext().peers, silentLog), () => "");
});

const packet = (one: Api.TypeUpdates, unknownSender = false): readonly Change[] =>
  counter.apply({ kind: "packet", packet: one, own: false }, unknownSender, people);
const ids = (changes: readonly Change[]): number[] => changes.flatMap((change) => (change.kind === "new" ? [change.message.id] : []));

describe("the count", () => {
  test("moves with what is pushed, whatever the form", () => {
    expect(ids(packet(aShortMessage(11)))).toEqual([11]);
    expect(ids(packet(aContainer([aNewMessage(12), aNewMessage(13)])))).toEqual([12, 13]);
    expect(ids(packet(new Api.UpdateShort({ update: aNewMessage(14), date: 1 })))).toEqual([14]);
    expect(counter.position).toMatchObject({ pts: 14, newest: 14 });
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test("counts groups, and not channels", () => {
    packet(
      new Api.UpdateShortChatMessage({ id: 11, fromId: bigInt(3), chatId: bigInt(4), message: "to all", pts: 11, ptsCount: 1, date: 1 }),
    );
    packet(
      aContainer([
        new Api.UpdateNewChannelMessage({ message: new Api.MessageEmpty({ id: 1 }), pts: 900, ptsCount: 1 }),
        new Api.UpdateReadChannelInbox({ channelId: bigInt(1), maxId: 1, stillUnreadCount: 0, pts: 900 }),
      ]),
    );
    expect(counter.position.pts).toBe(11);
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test("moves with own calls, which produce no event", () => {
    expect(counter.apply({ kind: "counted", pts: 11, count: 1, sent: { message: 77, chat: bob } }, false, people)).toEqual([
      { kind: "sent", message: 77, chat: bob },
    ]);
    expect(counter.apply({ kind: "counted", pts: 13, count: 2 }, false, people)).toEqual([]);
    expect(counter.apply({ kind: "packet", packet: aContainer([aNewMessage(14, { out: true })]), own: true }, false, people)).toMatchObject(
      [{ kind: "new", own: true }],
    );
    expect(counter.position).toMatchObject({ pts: 14, newest: 77 });
  });
});

describe("a gap", () => {
  test("is waited for, then requested, then closed", () => {
    expect(packet(aShortMessage(12))).toEqual([]);
    // A held message does not count as seen, because messages before it may still have to be read.
    expect(counter.position.newest).toBe(0);
    expect(counter.gapWaitMs(1_000, gapMs)).toBe(500);
    expect(counter.gapWaitMs(1_400, gapMs)).toBe(100);
    expect(counter.gapWaitMs(1_500, gapMs)).toBe(0);
    expect(counter.cause).toBe("pts");
    expect(counter.moveTo({ ...start, pts: 12 })).toEqual([]);
    expect(counter.filled()).toEqual([]);
    expect(counter.gapWaitMs(1_600, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test("closes by itself when the missing update comes", () => {
    packet(aShortMessage(12));
    counter.gapWaitMs(1_000, gapMs);
    expect(ids(packet(aShortMessage(11)))).toEqual([11, 12]);
    expect(counter.gapWaitMs(9_000, gapMs)).toBe(Number.POSITIVE_INFINITY);
    packet(aShortMessage(14));
    expect(counter.gapWaitMs(9_000, gapMs)).toBe(500);
  });

  test("that no difference fills is requested with growing pauses, and finally skipped", () => {
    packet(aShortMessage(12));
    const waits: number[] = [];
    for (let round = 0; round < 4; round++) {
      waits.push(counter.gapWaitMs(0, gapMs));
      counter.moveTo(start);
      expect(counter.filled()).toEqual([]);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
    counter.moveTo(start);
    expect(ids(counter.filled())).toEqual([12]);
    expect(counter.position.pts).toBe(12);
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test("shows in the account's state when nothing is pushed any more", () => {
    counter.apply({ kind: "state", state: new Api.updates.State({ pts: 11, qts: 0, date: 0, seq: 0, unreadCount: 0 }) }, false, people);
    expect(counter.gapWaitMs(0, gapMs)).toBe(500);
    expect(counter.cause).toBe("silence");
    packet(aShortMessage(11));
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each<[string, Api.TypeUpdates]>([
    ["updatesTooLong", new Api.UpdatesTooLong()],
    ["updatePtsChanged", new Api.UpdateShort({ update: new Api.UpdatePtsChanged(), date: 1 })],
  ])("is detected by %s", (_, update) => {
    packet(update);
    expect([counter.gapWaitMs(0, gapMs), counter.cause]).toEqual([0, "too-long"]);
    counter.filled();
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a message from an unknown sender", () => {
  test("waits for the difference, and is a repeat afterwards", () => {
    expect(packet(aShortMessage(11), true)).toEqual([]);
    expect([counter.gapWaitMs(0, gapMs), counter.cause, counter.position.pts]).toEqual([0, "stranger", 10]);
    expect(counter.moveTo({ ...start, pts: 11 })).toEqual([]);
    expect(counter.filled()).toEqual([]);
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is still reported when the difference is empty", () => {
    packet(aShortMessage(11), true);
    expect(ids(counter.moveTo(start))).toEqual([11]);
  });

  test("that is a repeat triggers no request", () => {
    packet(aShortMessage(10), true);
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("containers", () => {
  test("are numbered: the next one moves the number, a repeat and one without number do not", () => {
    packet(aContainer([], 6));
    packet(aContainer([], 6));
    packet(aContainer([], 0));
    expect(counter.position).toMatchObject({ seq: 6, date: 1_700_000_100 });
    packet(new Api.UpdatesCombined({ updates: [], users: [], chats: [], date: 1_700_000_200, seqStart: 7, seq: 9 }));
    expect(counter.position).toMatchObject({ seq: 9, date: 1_700_000_200 });
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });

  test("that are missing are requested, and counted updates of the others are applied meanwhile", () => {
    expect(ids(packet(aContainer([aNewMessage(11)], 8)))).toEqual([11]);
    expect([counter.gapWaitMs(0, gapMs), counter.cause]).toEqual([500, "seq"]);
    counter.moveTo({ ...start, pts: 11, seq: 7 });
    counter.filled();
    expect(counter.position.seq).toBe(8);
    expect(counter.gapWaitMs(0, gapMs)).toBe(Number.POSITIVE_INFINITY);
  });
});

test("counts secret chats separately, and fetches changed names again", async () => {
  packet(aContainer([new Api.UpdateBotStopped({ userId: bigInt(1), date: 1, stopped: true, qts: 4 })]));
  expect(counter.position).toMatchObject({ qts: 4, pts: 10 });
  people.learn([new Api.User({ id: bigInt(bob), firstName: "Bob" })]);
  expect(await people.canName(bob)).toBe(true);
  packet(
    new Api.UpdateShort({
      update: new Api.UpdateUserName({ userId: bigInt(bob), firstName: "Rob", lastName: "", usernames: [] }),
      date: 1,
    }),
  );
  expect(await people.canName(bob)).toBe(false);
});
