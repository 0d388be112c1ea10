import { Api } from "telegram";
import { expect, test, vi } from "vitest";
import { type Intake, UpdateInbox } from "../../../../../shard/telegram/updates/update-inbox.js";

const item = (pts: number): Intake => ({ kind: "counted", pts, count: 1 });

test("hands out what came, in order, and rings for it", () => {
  const inbox = new UpdateInbox(() => undefined);
  const first = inbox.next();
  for (const pts of [1, 2, 3]) inbox.push(item(pts));
  expect(first.aborted).toBe(true);
  expect(inbox.take(2)).toEqual({ items: [item(1), item(2)], lost: false });
  expect(inbox.take(2)).toEqual({ items: [item(3)], lost: false });
  // More input arrived after the first signal aborted.
  expect(inbox.next().aborted).toBe(true);
  const second = inbox.next();
  expect(second.aborted).toBe(false);
  inbox.push({ kind: "packet", packet: new Api.UpdatesTooLong(), own: false });
  expect(second.aborted).toBe(true);
});

test("at its bound drops everything, says so once, and counts what it holds", () => {
  let length = 0;
  const inbox = new UpdateInbox((change) => (length += change), 3);
  for (const pts of [1, 2, 3]) inbox.push(item(pts));
  expect(length).toBe(3);
  inbox.push(item(4));
  inbox.push(item(5));
  expect(length).toBe(0);
  expect(inbox.take(10)).toEqual({ items: [], lost: true });
  inbox.push(item(6));
  expect(inbox.take(10)).toEqual({ items: [item(6)], lost: false });
  inbox.push(item(7));
  inbox.clear();
  expect([length, inbox.length]).toEqual([0, 0]);
});

test("wakes the reader later for input that can wait, and at once for other input or for much of it", () => {
  vi.useFakeTimers();
  try {
    const inbox = new UpdateInbox(() => undefined);
    const first = inbox.next();
    inbox.push(item(1), true);
    inbox.push(item(2), true);
    expect([first.aborted, inbox.length]).toEqual([false, 2]);
    vi.advanceTimersToNextTimer();
    expect(first.aborted).toBe(true);
    expect(inbox.take(10).items).toEqual([item(1), item(2)]);

    const second = inbox.next();
    inbox.push(item(3), true);
    inbox.push(item(4));
    expect(second.aborted).toBe(true);
    expect(inbox.take(10).items).toEqual([item(3), item(4)]);

    const third = inbox.next();
    for (let pts = 5; !third.aborted && pts < 1_000; pts++) inbox.push(item(pts), true);
    expect(inbox.length).toBe(100);
    inbox.clear();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("wakes the reader at once when input that can wait exceeds its bound", () => {
  const inbox = new UpdateInbox(() => undefined, 2);
  for (const pts of [1, 2]) inbox.push(item(pts), true);
  const next = inbox.next();
  inbox.push(item(3), true);
  expect([next.aborted, inbox.take(10)]).toEqual([true, { items: [], lost: true }]);
});
