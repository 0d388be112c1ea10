import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { Starts } from "../../../../shard/bus/starts.js";

const never = new AbortController().signal;
setMaxListeners(0, never);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("lets what comes alone begin at once, and the rest in the following turns of the event loop", async () => {
  const starts = new Starts();
  const begun: number[] = [];
  for (let command = 0; command < 10; command++) void starts.enter("t", "s", never, true).then(() => begun.push(command));
  await Promise.resolve();
  expect([starts.waiting, begun]).toEqual([6, [0, 1, 2, 3]]);
  for (let turns = 0; starts.waiting > 0 && turns < 10; turns++) await turn();
  await turn();
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it("does not let one tenant's load stand before another's command", async () => {
  const starts = new Starts();
  const begun: string[] = [];
  for (let session = 0; session < 200; session++) void starts.enter("busy", String(session), never, true).then(() => begun.push("busy"));
  void starts.enter("quiet", "one", never, true).then(() => begun.push("quiet"));
  while (starts.waiting > 0) await turn();
  expect(begun.indexOf("quiet")).toBeLessThan(8);
  expect(begun).toHaveLength(201);
});

it("refuses of the tenant that has most when the line is full, but not what may have begun elsewhere", async () => {
  const starts = new Starts();
  const busy = Array.from({ length: 804 }, (_, number) => starts.enter("busy", String(number % 7), never, true));
  const begun = starts.enter("busy", "0", never, false);
  const quiet = starts.enter("quiet", "one", never, true);
  expect(await starts.enter("busy", "0", never, true)).toBe(false);
  while (starts.waiting > 0) await turn();
  expect([await begun, await quiet]).toEqual([true, true]);
  expect((await Promise.all(busy)).filter((is) => !is)).toHaveLength(1);
});

it("lets those go whose signal ends", async () => {
  const starts = new Starts();
  const gone = new AbortController();
  for (let command = 0; command < 4; command++) void starts.enter("t", "s", never, true);
  const left = starts.enter("t", "s", gone.signal, true);
  gone.abort();
  expect([await left, starts.waiting]).toEqual([false, 0]);
});
