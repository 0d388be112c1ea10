import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { Starts } from "../../../../shard/bus/starts.js";

const never = new AbortController().signal;
setMaxListeners(0, never);

/** Each turn of the event loop takes so long. */
function aStart(turnMs: number, isShared = true): Starts {
  let busy = 0;
  return new Starts({ isShared: () => isShared, busyMs: () => (busy += turnMs) });
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
  // The first 64 begin at once, and half as many in the turn after them.
  expect(counts.slice(0, 7)).toEqual([64 + 32, 16, 8, 4, 2, 1, 1]);
  expect(begun).toEqual(Array.from({ length: 200 }, (_, command) => command));
});

it("does not let one tenant's load stand before another's command", async () => {
  const starts = aStart(50);
  const begun: string[] = [];
  for (let session = 0; session < 200; session++) void starts.enter("busy", String(session), never, true).then(() => begun.push("busy"));
  void starts.enter("quiet", "one", never, true).then(() => begun.push("quiet"));
  while (starts.waiting > 0) await turn();
  // Behind what began before it came, and one of the busy tenant.
  expect(begun.indexOf("quiet")).toBeLessThanOrEqual(64 + 1);
  expect(begun).toHaveLength(201);
});

it("refuses of the tenant that has most when the line is full, but not what may have begun elsewhere", async () => {
  const starts = aStart(50);
  const busy = Array.from({ length: 864 }, (_, number) => starts.enter("busy", String(number % 7), never, true));
  const begun = starts.enter("busy", "0", never, false);
  const quiet = starts.enter("quiet", "one", never, true);
  expect(await starts.enter("busy", "0", never, true)).toBe(false);
  while (starts.waiting > 0) await turn();
  expect([await begun, await quiet]).toEqual([true, true]);
  expect((await Promise.all(busy)).filter((is) => !is)).toHaveLength(1);
});

it("lets those go whose signal ends", async () => {
  const starts = aStart(50);
  const gone = new AbortController();
  for (let command = 0; command < 64; command++) void starts.enter("t", "s", never, true);
  const left = starts.enter("t", "s", gone.signal, true);
  gone.abort();
  expect([await left, starts.waiting]).toEqual([false, 0]);
});
