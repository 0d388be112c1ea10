import { describe, expect, test, vi } from "vitest";
import { ChunkSource } from "../../../../../shard/files/media/chunk-source.js";
import { mediaNotFound, mediaTimeout } from "../../../../../shared/contract/telegram/errors.js";

const never = new AbortController().signal;

function aSource(
  waitMs?: number,
  put?: () => Promise<void>,
  lateMs?: number,
): { source: Reader; stored: Map<string, Buffer>; outcomes: string[] } {
  const stored = new Map<string, Buffer>();
  const outcomes: string[] = [];
  const store = {
    put: put ?? (async (fileKey: string, chunk: number, bytes: Buffer) => void stored.set(`${fileKey}:${chunk}`, bytes)),
    length: async (fileKey: string, chunk: number) => stored.get(`${fileKey}:${chunk}`)?.length ?? 0,
  };
  const metrics = {
    fetched: (outcome: string) => outcomes.push(outcome),
    waited: () => undefined,
    changed: () => undefined,
    alreadyStored: () => outcomes.push("stored"),
  };
  return { source: new Reader(new ChunkSource(store, metrics, mediaTimeout, waitMs, undefined, lateMs)), stored, outcomes };
}

type Fetching = (signal: AbortSignal) => Promise<Buffer>;

/** Reads for one session by default. */
class Reader {
  constructor(private readonly source: ChunkSource) {}

  get size(): number {
    return this.source.size;
  }

  read(
    fileKey: string,
    chunk: number,
    fetch: Fetching,
    signal: AbortSignal,
    more: { tenant?: string; session?: string; length?: number } = {},
  ): Promise<number> {
    return this.source.read({ tenant: "t", session: "s", length: undefined, ...more, fileKey, chunk }, fetch, signal);
  }
}

/** Returns a fetch that runs until its signal aborts or `done` is called. */
function aFetch(): { fetch: (signal: AbortSignal) => Promise<Buffer>; done: (bytes: Buffer) => void; started: () => number } {
  let started = 0;
  let resolve: (bytes: Buffer) => void = () => undefined;
  return {
    fetch: (signal) => {
      started += 1;
      return new Promise((done, reject) => {
        resolve = done;
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
    done: (bytes) => resolve(bytes),
    started: () => started,
  };
}

describe("ChunkSource", () => {
  test("503 storage unavailable, with Retry-After, when the cache rejects the chunk, and a retry fetches it again", async () => {
    let away = true;
    const { source, outcomes } = aSource(undefined, () => (away ? Promise.reject(new Error("connection is closed")) : Promise.resolve()));
    const fetch = (): Promise<Buffer> => Promise.resolve(Buffer.from("abc"));
    await expect(source.read("k", 0, fetch, never)).rejects.toMatchObject({
      status: 503,
      message: "storage unavailable",
      retryAfterSeconds: 1,
    });
    away = false;
    expect(await source.read("k", 0, fetch, never)).toBe(3);
    expect(outcomes).toEqual(["failed", "ok"]);
    expect(source.size).toBe(0);
  });

  test("fetches once for all waiters, and stores the chunk before it resolves", async () => {
    const { source, stored, outcomes } = aSource();
    const { fetch, done, started } = aFetch();
    const reads = [1, 2, 3].map(() => source.read("k", 0, fetch, never));
    await Promise.resolve();
    done(Buffer.from("abc"));
    expect(await Promise.all(reads)).toEqual([3, 3, 3]);
    expect(started()).toBe(1);
    expect(stored.get("k:0")?.toString()).toBe("abc");
    expect(outcomes).toEqual(["ok"]);
    expect(source.size).toBe(0);
  });

  test("continues for remaining readers, and ends a moment after the last one leaves", async () => {
    const { source, outcomes } = aSource(undefined, undefined, 20);
    const { fetch, started } = aFetch();
    const [first, second] = [new AbortController(), new AbortController()];
    const reads = [source.read("k", 0, fetch, first.signal), source.read("k", 0, fetch, second.signal)];
    first.abort(new Error("first left"));
    await expect(reads[0]).rejects.toThrow("first left");
    expect(source.size).toBe(1);
    second.abort(new Error("second left"));
    await expect(reads[1]).rejects.toThrow("second left");
    expect(source.size).toBe(0);
    // If the bytes did not arrive in that moment, a new reader starts another fetch.
    const again = aFetch();
    const read = source.read("k", 0, again.fetch, never);
    expect(again.started()).toBe(0);
    await vi.waitFor(() => expect(again.started()).toBe(1));
    expect(outcomes).toEqual(["aborted"]);
    again.done(Buffer.alloc(5));
    expect(await read).toBe(5);
    expect(started()).toBe(1);
  });

  test("stores a response that arrives just after the last reader has left, and the next reader gets it", async () => {
    const { source, stored, outcomes } = aSource();
    const { fetch, done } = aFetch();
    const left = new AbortController();
    const reading = source.read("k", 0, fetch, left.signal);
    left.abort(new Error("left"));
    await expect(reading).rejects.toThrow("left");
    const fetchAgain = aFetch();
    const next = source.read("k", 0, fetchAgain.fetch, never, { length: 3 });
    done(Buffer.from("abc"));
    expect(await next).toBe(3);
    expect([fetchAgain.started(), stored.get("k:0")?.toString(), outcomes]).toEqual([0, "abc", ["ok"]]);
    // Bytes of an unexpected length are not used.
    const other = aFetch();
    const leaving = new AbortController();
    const unread = source.read("k", 1, other.fetch, leaving.signal);
    leaving.abort(new Error("left"));
    await expect(unread).rejects.toThrow("left");
    const wanted = source.read("k", 1, async () => Buffer.alloc(7), never, { length: 7 });
    other.done(Buffer.alloc(6));
    expect(await wanted).toBe(7);
  });

  test("never requests a chunk without readers when its turn comes", async () => {
    const { source, outcomes } = aSource();
    const running = [0, 1, 2, 3].map((chunk) => ({ chunk, ...aFetch() }));
    const reads = running.map(({ chunk, fetch }) => source.read("k", chunk, fetch, never));
    const fifth = aFetch();
    const left = new AbortController();
    const waiting = source.read("k", 4, fifth.fetch, left.signal);
    left.abort(new Error("left"));
    await expect(waiting).rejects.toThrow("left");
    for (const { done } of running) done(Buffer.alloc(1));
    expect(await Promise.all(reads)).toEqual([1, 1, 1, 1]);
    expect(fifth.started()).toBe(0);
    expect(outcomes.filter((outcome) => outcome === "aborted")).toHaveLength(1);
  });

  test("reports that the platform did not respond in time", async () => {
    const { source, outcomes } = aSource(30);
    await expect(source.read("k", 0, aFetch().fetch, never)).rejects.toMatchObject({
      status: 503,
      message: "telegram did not answer the media request in time",
    });
    expect(outcomes).toEqual(["timeout"]);
  });

  test("rejects all waiters after a failure, and forgets it", async () => {
    const { source, outcomes } = aSource();
    const fails = (): Promise<Buffer> => Promise.reject(mediaNotFound());
    const results = await Promise.allSettled([source.read("k", 0, fails, never), source.read("k", 0, fails, never)]);
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(outcomes).toEqual(["gone"]);
    expect(source.size).toBe(0);
  });

  test("different chunks and files do not wait for each other", async () => {
    const { source } = aSource();
    const slow = aFetch();
    const waiting = source.read("k", 0, slow.fetch, never);
    expect(await source.read("k", 1, async () => Buffer.alloc(2), never)).toBe(2);
    expect(await source.read("other", 0, async () => Buffer.alloc(1), never)).toBe(1);
    slow.done(Buffer.alloc(9));
    expect(await waiting).toBe(9);
  });

  test("does not fetch a chunk that was stored just before the request, while the cache has it", async () => {
    const { source, stored, outcomes } = aSource();
    let fetches = 0;
    const fetch: Fetching = async () => (fetches++, Buffer.alloc(4));
    await source.read("k", 0, fetch, never, { length: 4 });
    expect(await source.read("k", 0, fetch, never, { length: 4 })).toBe(4);
    expect([fetches, outcomes]).toEqual([1, ["ok", "stored"]]);
    stored.clear();
    expect(await source.read("k", 0, fetch, never, { length: 4 })).toBe(4);
    // Bytes of an unexpected length belong to another file, or are broken.
    stored.set("k:0", Buffer.alloc(3));
    expect(await source.read("k", 0, fetch, never, { length: 4 })).toBe(4);
    expect(fetches).toBe(3);
  });

  test("shares a fetch between sessions, but not its failure", async () => {
    const { source, outcomes } = aSource();
    let fail: () => void = () => undefined;
    const lost: Fetching = () => new Promise((_, reject) => (fail = () => reject(mediaNotFound())));
    const first = source.read("k", 0, lost, never, { session: "a" });
    const same = source.read("k", 0, lost, never, { session: "a" });
    const other = source.read("k", 0, async () => Buffer.alloc(7), never, { session: "b" });
    await new Promise((resolve) => setImmediate(resolve));
    fail();
    await expect(first).rejects.toMatchObject({ status: 404 });
    await expect(same).rejects.toMatchObject({ status: 404 });
    expect(await other).toBe(7);
    expect(outcomes).toEqual(["gone", "ok"]);
  });

  test("lets four chunks of a file be fetched at once, and begins the next when one is done", async () => {
    const { source } = aSource();
    const begun: number[] = [];
    const ends = new Map<number, () => void>();
    const reads = [0, 1, 2, 3, 4, 5].map((chunk) =>
      source.read(
        "k",
        chunk,
        () => new Promise((resolve) => (begun.push(chunk), ends.set(chunk, () => resolve(Buffer.alloc(1))))),
        new AbortController().signal,
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([0, 1, 2, 3]);
    ends.get(2)?.();
    await reads[2];
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    for (const chunk of [0, 1, 3, 4]) ends.get(chunk)?.();
    await reads[4];
    await new Promise((resolve) => setImmediate(resolve));
    ends.get(5)?.();
    expect(await Promise.all(reads)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(source.size).toBe(0);
  });
});
