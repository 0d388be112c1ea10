import { expect, it } from "vitest";
import { Gate } from "../../../../shard/download/gate.js";

const never = new AbortController().signal;

it("admits in order of arrival, up to the limit, and counts", async () => {
  const gate = new Gate({ limit: 2, perKey: 2, maxWaiting: 9 });
  const admitted: number[] = [];
  const entries = [0, 1, 2, 3].map((number) => gate.enter("", never).then((release) => (admitted.push(number), release)));
  const [first, second] = await Promise.all(entries.slice(0, 2));
  expect([admitted, gate.size]).toEqual([[0, 1], 4]);
  first?.();
  first?.();
  await entries[2];
  expect([admitted, gate.size]).toEqual([[0, 1, 2], 3]);
  second?.();
  (await entries[2])?.();
  (await entries[3])?.();
  expect(gate.size).toBe(0);
});

it("lets other keys pass one that is at its own limit", async () => {
  const gate = new Gate({ limit: 3, perKey: 1, maxWaiting: 9 });
  const first = await gate.enter("a", never);
  let second = false;
  const waiting = gate.enter("a", never).then((release) => ((second = true), release));
  expect(await gate.enter("b", never)).toBeDefined();
  expect(second).toBe(false);
  first?.();
  expect(await waiting).toBeDefined();
});

it("turns away beyond its line, and lets those go whose signal aborts", async () => {
  const gate = new Gate({ limit: 1, perKey: 1, maxWaiting: 1 });
  const release = await gate.enter("", never);
  const controller = new AbortController();
  const waiting = gate.enter("", controller.signal);
  expect(await gate.enter("", never)).toBeUndefined();
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(gate.enter("", controller.signal)).rejects.toThrow("gone");
  release?.();
  expect(gate.size).toBe(0);
  expect(await gate.enter("", never)).toBeDefined();
});

it("gives a free place to whoever has least, however many of another came before", async () => {
  const gate = new Gate({ limit: 2, perKey: 2, maxWaiting: 9 });
  const admitted: string[] = [];
  const enter = (key: string) => gate.enter(key, never).then((release) => (admitted.push(key), release));
  const [first, second] = [await enter("a"), await enter("a")];
  const waiting = ["a", "a", "b", "c"].map(enter);
  first?.();
  const other = await waiting[2];
  other?.();
  await waiting[3];
  expect(admitted).toEqual(["a", "a", "b", "c"]);
  // The other key has its turn: nobody has less than the first one now.
  second?.();
  await waiting[0];
  expect(admitted).toEqual(["a", "a", "b", "c", "a"]);
});

it("turns away the last of the key that fills the line, when another key comes", async () => {
  const gate = new Gate({ limit: 1, perKey: 1, maxWaiting: 3 });
  const release = await gate.enter("", never);
  const [early, middle, late] = ["a", "a", "a"].map((key) => gate.enter(key, never));
  const other = gate.enter("b", never);
  expect(await late).toBeUndefined();
  // One each is fair: the next key finds the line full.
  const third = gate.enter("c", never);
  expect(await middle).toBeUndefined();
  expect(await gate.enter("d", never)).toBeUndefined();
  expect(await gate.enter("a", never)).toBeUndefined();
  release?.();
  for (const waiting of [early, other, third]) (await waiting)?.();
  expect(gate.size).toBe(0);
});
