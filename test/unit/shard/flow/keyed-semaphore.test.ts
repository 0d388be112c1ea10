import { describe, expect, it } from "vitest";
import { KeyedSemaphore } from "../../../../shard/flow/keyed-semaphore.js";

const never = new AbortController().signal;

it("admits in order of arrival, up to the limit, and counts", async () => {
  const places = new KeyedSemaphore([2, 2], 9);
  const admitted: number[] = [];
  const entries = [0, 1, 2, 3].map((number) => places.enterUnlessFull([""], never).then((release) => (admitted.push(number), release)));
  const [first, second] = await Promise.all(entries.slice(0, 2));
  expect([admitted, places.sizeOf([])]).toEqual([[0, 1], 4]);
  first?.();
  first?.();
  await entries[2];
  expect([admitted, places.sizeOf([])]).toEqual([[0, 1, 2], 3]);
  second?.();
  (await entries[2])?.();
  (await entries[3])?.();
  expect(places.sizeOf([])).toBe(0);
});

it("lets other keys pass one that is at its own limit", async () => {
  const places = new KeyedSemaphore([3, 1], 9);
  const first = await places.enterUnlessFull(["a"], never);
  let second = false;
  const waiting = places.enterUnlessFull(["a"], never).then((release) => ((second = true), release));
  expect(await places.enterUnlessFull(["b"], never)).toBeDefined();
  expect(second).toBe(false);
  first?.();
  expect(await waiting).toBeDefined();
});

it("rejects entries beyond its queue, and releases waiters whose signal aborts", async () => {
  const places = new KeyedSemaphore([1, 1], 1);
  const release = await places.enterUnlessFull([""], never);
  const controller = new AbortController();
  const waiting = places.enterUnlessFull([""], controller.signal);
  expect(await places.enterUnlessFull([""], never)).toBeUndefined();
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await expect(places.enterUnlessFull([""], controller.signal)).rejects.toThrow("gone");
  release?.();
  expect(places.sizeOf([])).toBe(0);
  expect(await places.enterUnlessFull([""], never)).toBeDefined();
});

it("gives a free place to the key with the fewest, however many others came before", async () => {
  const places = new KeyedSemaphore([2, 2], 9);
  const admitted: string[] = [];
  const enter = (key: string) => places.enterUnlessFull([key], never).then((release) => (admitted.push(key), release));
  const [first, second] = [await enter("a"), await enter("a")];
  const waiting = ["a", "a", "b", "c"].map(enter);
  first?.();
  const other = await waiting[2];
  other?.();
  await waiting[3];
  expect(admitted).toEqual(["a", "a", "b", "c"]);
  // The other keys have had their turn, so the first key is served again.
  second?.();
  await waiting[0];
  expect(admitted).toEqual(["a", "a", "b", "c", "a"]);
});

it("rejects the last entry of the key that fills the queue when another key arrives", async () => {
  const places = new KeyedSemaphore([1, 1], 3);
  const release = await places.enterUnlessFull([""], never);
  const [early, middle, late] = ["a", "a", "a"].map((key) => places.enterUnlessFull([key], never));
  const other = places.enterUnlessFull(["b"], never);
  expect(await late).toBeUndefined();
  // One waiter per key is fair, so the next key finds the queue full.
  const third = places.enterUnlessFull(["c"], never);
  expect(await middle).toBeUndefined();
  expect(await places.enterUnlessFull(["d"], never)).toBeUndefined();
  expect(await places.enterUnlessFull(["a"], never)).toBeUndefined();
  release?.();
  for (const waiting of [early, other, third]) (await waiting)?.();
  expect(places.sizeOf([])).toBe(0);
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Enters the semaphore and records who was admitted. */
class Takers {
  readonly got: string[] = [];
  private readonly ends = new Map<string, (() => void)[]>();

  constructor(readonly turns: KeyedSemaphore) {}

  async take(session: string, file: string, signal = new AbortController().signal): Promise<void> {
    const name = `${session}/${file}`;
    const end = await this.turns.enter([session, file], signal);
    this.got.push(name);
    this.ends.set(name, [...(this.ends.get(name) ?? []), end]);
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.shift()?.();
    await settled();
  }
}

describe("of keys within keys", () => {
  it("a picture does not wait behind a film of the same session", async () => {
    const takers = new Takers(new KeyedSemaphore([64, 8, 4]));
    for (let chunk = 0; chunk < 100; chunk++) void takers.take("s", "film");
    void takers.take("s", "picture");
    await settled();
    expect(takers.got).toEqual(["s/film", "s/film", "s/film", "s/film", "s/picture"]);
    expect([takers.turns.running, takers.turns.waiting]).toEqual([5, 96]);
  });

  it("files of a session take turns when it may have no more at once", async () => {
    const takers = new Takers(new KeyedSemaphore([64, 1, 1]));
    for (const file of ["a", "a", "a", "b", "b", "c"]) void takers.take("s", file);
    await settled();
    for (const file of ["a", "b", "c", "a", "b"]) await takers.end(`s/${file}`);
    expect(takers.got).toEqual(["s/a", "s/b", "s/c", "s/a", "s/b", "s/a"]);
  });

  it("sessions take turns when the shard may have no more at once", async () => {
    const takers = new Takers(new KeyedSemaphore([2, 2, 2]));
    for (let chunk = 0; chunk < 4; chunk++) void takers.take("greedy", "film");
    void takers.take("modest", "film");
    void takers.take("modest", "film");
    await settled();
    await takers.end("greedy/film");
    await takers.end("greedy/film");
    expect(takers.got).toEqual(["greedy/film", "greedy/film", "modest/film", "greedy/film"]);
  });

  it("an aborted waiter frees its place in the queue and leaves nothing behind", async () => {
    const takers = new Takers(new KeyedSemaphore([1, 1, 1]));
    void takers.take("s", "a");
    const gone = new AbortController();
    const waiting = takers.take("s", "b", gone.signal);
    void takers.take("s", "c");
    await settled();
    gone.abort(new Error("client left"));
    await expect(waiting).rejects.toThrow("client left");
    await takers.end("s/a");
    await takers.end("s/c");
    expect(takers.got).toEqual(["s/a", "s/c"]);
    expect([takers.turns.running, takers.turns.waiting]).toEqual([0, 0]);
  });
});

it("passes the place of a waiter that aborts while it is admitted to the next one", async () => {
  const places = new KeyedSemaphore([1]);
  const release = await places.enter([]);
  const leaving = new AbortController();
  const left = places.enter([], leaving.signal);
  const next = places.enter([]);
  release();
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  (await next)();
  expect(places.running).toBe(0);
});

it("reads the number of a key's places again", async () => {
  let room = 0;
  const places = new KeyedSemaphore([9, () => room]);
  expect(places.tryEnter(["a"])).toBeUndefined();
  const waiting = [1, 2, 3].map(() => places.enter(["a"]));
  places.wake();
  expect([places.running, places.waiting]).toEqual([0, 3]);
  room = 2;
  places.wake();
  expect([places.running, places.waiting]).toEqual([2, 1]);
  room = 0;
  (await waiting[0])?.();
  expect([places.running, places.waiting]).toEqual([1, 1]);
});
