import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Starts } from "../../../../shard/bus/starts.js";

const never = new AbortController().signal;
setMaxListeners(0, never);

/** Each turn of the event loop takes `turnMs`, with enough idle time between turns. */
function aStart(turnMs: number, isShared = true): Starts {
  let busy = 0;
  return new Starts({ isShared: () => isShared, busyMs: () => (busy += turnMs), nowMs: () => 10 * busy });
}

/** An event loop that works only when the test says so. */
function aLoop(isShared = true): { starts: Starts; pass: (workMs: number, idleMs: number) => void } {
  let [busy, now] = [0, 0];
  const pass = (workMs: number, idleMs: number): void => {
    busy += workMs;
    now += workMs + idleMs;
  };
  return { starts: new Starts({ isShared: () => isShared, busyMs: () => busy, nowMs: () => now }), pass };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("delays nothing while the event loop has time, and for a tenant that is alone", async () => {
  for (const starts of [aStart(0.1), aStart(500, false)]) {
    const begun: number[] = [];
    for (let command = 0; command < 60; command++) void starts.enter("t", "s", never, true).then(() => begun.push(command));
    await Promise.resolve();
    expect([starts.waiting, begun.length]).toEqual([0, 60]);
  }
});

it("lets one after the other begin while the event loop is busy, in order", async () => {
  const starts = aStart(50);
  const begun: number[] = [];
  for (let command = 0; command < 200; command++) void starts.enter("t", "s", never, true).then(() => begun.push(command));
  const counts: number[] = [];
  while (starts.waiting > 0) {
    const before = begun.length;
    await turn();
    counts.push(begun.length - before);
  }
  await turn();
  // The first 64 begin at once, and half as many in the next turn.
  expect(counts.slice(0, 7)).toEqual([64 + 32, 16, 8, 4, 2, 1, 1]);
  expect(begun).toEqual(Array.from({ length: 200 }, (_, command) => command));
});

it("does not let one tenant's load stand before another's command", async () => {
  const starts = aStart(50);
  const begun: string[] = [];
  for (let session = 0; session < 200; session++) void starts.enter("busy", String(session), never, true).then(() => begun.push("busy"));
  void starts.enter("quiet", "one", never, true).then(() => begun.push("quiet"));
  while (starts.waiting > 0) await turn();
  // It begins after the commands that had already begun, and after one of the busy tenant.
  expect(begun.indexOf("quiet")).toBeLessThanOrEqual(64 + 1);
  expect(begun).toHaveLength(201);
});

it("refuses of the tenant that has most when the line is full, but not what may have begun elsewhere", async () => {
  const starts = aStart(50);
  const busy = Array.from({ length: 864 }, (_, number) => starts.enter("busy", String(number % 7), never, true));
  const begun = starts.enter("busy", "0", never, false);
  expect(await starts.enter("quiet", "one", never, true)).toBe(true);
  const quiet = starts.enter("quiet", "one", never, true);
  expect(await starts.enter("busy", "0", never, true)).toBe(false);
  while (starts.waiting > 0) await turn();
  expect([await begun, await quiet]).toEqual([true, true]);
  expect((await Promise.all(busy)).filter((is) => !is)).toHaveLength(1);
});

it("releases waiters whose signal aborts", async () => {
  const starts = aStart(50);
  const gone = new AbortController();
  for (let command = 0; command < 64; command++) void starts.enter("t", "s", never, true);
  const left = starts.enter("t", "s", gone.signal, true);
  gone.abort();
  expect([await left, starts.waiting]).toEqual([false, 0]);
});

describe("while others wait", () => {
  const until = (what: () => boolean): Promise<void> => expect.poll(what, { interval: 1 }).toBe(true);

  it("rests for a part of the time that it has worked, then serves the line", async () => {
    const { starts, pass } = aLoop();
    const begun: number[] = [];
    for (let command = 0; command < 66; command++) void starts.enter("busy", "s", never, true).then(() => begun.push(command));
    pass(3, 0);
    await turn();
    await turn();
    expect([begun.length, starts.waiting]).toEqual([64, 2]);
    pass(0, 1);
    await until(() => starts.waiting === 0);
    expect(begun).toHaveLength(66);
  });

  it("serves the line all the same when everything else takes all of the time", async () => {
    const { starts, pass } = aLoop();
    for (let command = 0; command < 65; command++) void starts.enter("busy", "s", never, true);
    pass(3, 0);
    await turn();
    expect(starts.waiting).toBe(1);
    pass(97, 0);
    await until(() => starts.waiting === 0);
  });

  it("lets a command of each tenant that has begun none go ahead, and no more than eight in all", async () => {
    const { starts, pass } = aLoop();
    for (let command = 0; command < 65; command++) void starts.enter("busy", "s", never, true);
    pass(3, 0);
    await turn();
    const ahead: string[] = [];
    for (const tenant of ["a", "a", "b", "c", "d", "e", "f", "g", "h", "i"])
      void starts.enter(tenant, "s", never, true).then(() => ahead.push(tenant));
    await turn();
    expect(ahead).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
    expect(starts.waiting).toBe(3);
    pass(0, 1);
    await until(() => starts.waiting === 0);
    expect(ahead).toHaveLength(10);
  });

  it("does not rest for a tenant that is alone", async () => {
    const { starts, pass } = aLoop(false);
    for (let command = 0; command < 500; command++) void starts.enter("t", "s", never, true);
    pass(50, 0);
    expect(starts.waiting).toBe(0);
    await turn();
    expect(starts.waiting).toBe(0);
  });
});
