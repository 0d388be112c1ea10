import { Api } from "telegram";
import { expect, test } from "vitest";
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
