import { expect, it } from "vitest";
import type { Change } from "../../../../../shard/telegram/updates/change.js";
import { UnstoredChats } from "../../../../../shard/telegram/updates/unstored-chats.js";

const sent = (message: number): Change => ({ kind: "sent", message, chat: `chat-${message}` });

it("are stored some time after the first of them, all at once", () => {
  const unstored = new UnstoredChats(5_000);
  expect([unstored.isEmpty, unstored.waitMs(0)]).toEqual([true, Number.POSITIVE_INFINITY]);
  unstored.add([sent(1)], 100);
  unstored.add([sent(2)], 4_000);
  expect([unstored.isEmpty, unstored.waitMs(4_000), unstored.waitMs(6_000)]).toEqual([false, 1_100, 0]);
  expect([...unstored.take()]).toEqual([
    ["1", "chat-1"],
    ["2", "chat-2"],
  ]);
  expect([unstored.isEmpty, unstored.take().size]).toEqual([true, 0]);
});

it("count as unstored also without a chat, because the position has moved", () => {
  const unstored = new UnstoredChats(5_000);
  unstored.add([], 0);
  expect([unstored.isEmpty, unstored.waitMs(0), unstored.take().size]).toEqual([false, 5_000, 0]);
});

it("are due at once when one step can take no more", () => {
  const unstored = new UnstoredChats(5_000);
  unstored.add(
    Array.from({ length: 199 }, (_, at) => sent(at)),
    0,
  );
  expect(unstored.waitMs(0)).toBe(5_000);
  unstored.add([sent(199)], 0);
  expect(unstored.waitMs(0)).toBe(0);
});
