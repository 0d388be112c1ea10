import { expect, it } from "vitest";
import { Poll } from "../../../../shared/flow/poll.js";
import { eventually } from "../../../harness/eventually.js";

/** Polls that end when the test says so. */
class Looks {
  readonly ends: (() => void)[] = [];
  readonly begin = (): Promise<void> => new Promise((resolve) => this.ends.push(resolve));
}

it("polls at its interval, one poll at a time", async () => {
  const looks = new Looks();
  const poll = new Poll(1, looks.begin);
  poll.start();
  await eventually("the first look", () => looks.ends.length === 1);
  let passed = 0;
  const beside = new Poll(1, async () => void passed++);
  beside.start();
  await eventually("times at which others would have come", () => passed >= 10);
  await beside.stop();
  expect([looks.ends.length, poll.isChecking]).toEqual([1, true]);
  looks.ends[0]?.();
  await eventually("the next look", () => looks.ends.length === 2);
  looks.ends[1]?.();
  await poll.stop();
});

it("shares a running poll with later callers, and waits for its end", async () => {
  const looks = new Looks();
  const poll = new Poll(60_000, looks.begin);
  poll.start();
  const asked = poll.now();
  expect(poll.now()).toBe(asked);
  expect(looks.ends).toHaveLength(1);
  let stopped = false;
  const stopping = poll.stop().then(() => (stopped = true));
  await Promise.resolve();
  expect(stopped).toBe(false);
  looks.ends[0]?.();
  await Promise.all([asked, stopping]);
  expect(poll.isChecking).toBe(false);
});
