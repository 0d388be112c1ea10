import bigInt from "big-integer";
import { Api } from "telegram";
import { expect, it } from "vitest";
import { listedIn, onlyCounts, withoutEvent } from "../../../../../shard/telegram/updates/unpack.js";
import type { Intake } from "../../../../../shard/telegram/updates/update-inbox.js";

const short = new Api.UpdateShortMessage({ id: 7, userId: bigInt(5), message: "hello", pts: 12, ptsCount: 1, date: 1 });
const typing = new Api.UpdateUserTyping({ userId: bigInt(5), action: new Api.SendMessageTypingAction() });

it("a short message that needs no event only moves the count, and its chat is known", () => {
  const intake: Intake = { kind: "packet", packet: short, own: false };
  expect(withoutEvent(intake)).toEqual({ kind: "counted", pts: 12, count: 1, sent: { message: 7, chat: "5" } });
});

it("any other intake stays as it is", () => {
  const others: Intake[] = [
    { kind: "packet", packet: new Api.UpdateShort({ update: typing, date: 1 }), own: false },
    { kind: "counted", pts: 12, count: 1 },
  ];
  for (const intake of others) expect(withoutEvent(intake)).toBe(intake);
});

it("a short message and a plain count only count, and nothing else does", () => {
  const packets = [new Api.UpdateShort({ update: typing, date: 1 }), new Api.UpdatesTooLong()];
  const intakes: Intake[] = [
    { kind: "packet", packet: short, own: false },
    { kind: "counted", pts: 12, count: 1 },
    ...packets.map((packet): Intake => ({ kind: "packet", packet, own: false })),
  ];
  expect(intakes.map(onlyCounts)).toEqual([true, true, false, false]);
});

it("lists the updates of the forms that have a list, without making any", () => {
  const container = { updates: [typing], users: [], chats: [], date: 1, seq: 0 };
  const packets = [
    new Api.UpdateShort({ update: typing, date: 1 }),
    new Api.Updates(container),
    new Api.UpdatesCombined({ ...container, seqStart: 0 }),
  ];
  for (const packet of packets) expect(listedIn(packet)).toEqual([typing]);
  for (const packet of [short, new Api.UpdatesTooLong()]) expect(listedIn(packet)).toEqual([]);
});
