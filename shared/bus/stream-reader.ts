import { pause } from "../flow/pause.js";
import { within } from "../flow/within.js";
import type { Log } from "../log/logger.js";
import type { RedisClient } from "../redis/connect.js";

/** One entry: its id and its fields. */
export interface StreamEntry {
  id: string;
  fields: ReadonlyMap<string, Buffer>;
  /**
   * Set for a stream that is read whole: the entry may have been delivered before, to an earlier
   * process or over a lost connection.
   */
  again?: boolean;
}

export interface StreamReaderOptions {
  /** A connection of its own: the read blocks it. */
  redis: RedisClient;
  stream: string;
  /**
   * Reads the stream from its start, also after a failed read; entries are deleted when done.
   * `onMissing` recreates a stream that Redis lost. If absent, only new entries are read.
   */
  whole?: { onMissing: () => Promise<unknown> };
  /** Called for each entry in order; must not throw and must not wait. */
  onEntry: (entry: StreamEntry) => void;
  /** While it returns false, no further entries are read; they wait in the stream. */
  wants?: () => boolean;
  log: Log;
}

const blockMs = 2_000;
/** A read blocks for 2 s. If no reply arrives within 5 s, the connection is replaced. */
const silenceMs = 5_000;
const reconnectMs = 10_000;
const batch = 200;

/**
 * Reads one stream in a blocking loop until `stop()`; backs off from 100 ms to 1 s after errors.
 * It uses no consumer group, which would add up to 260 bytes per entry to the append-only file.
 */
export class StreamReader {
  private ended = false;
  private loop: Promise<void> = Promise.resolve();
  private lastId = "0";
  /** True while existing entries are read, without waiting for new ones. */
  private catchingUp: boolean;
  /** An earlier process may already have read the entries of the first read. */
  private firstTime = true;
  private highestId = "0-0";

  constructor(private readonly options: StreamReaderOptions) {
    this.catchingUp = options.whole !== undefined;
  }

  /** `fromId`: the entry after which to begin in a stream that is not read whole. */
  start(fromId = "$"): void {
    if (!this.catchingUp) this.lastId = fromId;
    this.loop = this.run();
  }

  /** Id of the last entry that was read, or `fromId` before the first one. */
  get position(): string {
    return this.lastId;
  }

  /** Reads a stream that is not read whole from its start again, with the next read, 2 s from now at most. */
  rewind(): void {
    this.lastId = "0";
  }

  /** Resolves when no further entry will be delivered. Ends the connection. */
  async stop(): Promise<void> {
    this.ended = true;
    this.options.redis.disconnect();
    await this.loop;
  }

  private async run(): Promise<void> {
    let pauseMs = 100;
    let goodAt = performance.now();
    while (!this.ended) {
      try {
        if (this.options.wants?.() === false) {
          await pause(10);
          continue;
        }
        if (this.catchingUp) this.catchUp(await this.replyTo(this.standing()));
        else await this.follow(parseStreamReply(await this.replyTo(this.next())));
        pauseMs = 100;
        goodAt = performance.now();
      } catch (error) {
        if (this.ended) return;
        this.options.log.warn(
          { stream: this.options.stream, reason: error instanceof Error ? error.message : String(error) },
          "stream read failed",
        );
        this.beginAnew();
        // A connection that stays unusable is replaced.
        if (performance.now() - goodAt > reconnectMs) {
          this.options.redis.disconnect(true);
          goodAt = performance.now();
        }
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, 1_000);
      }
    }
  }

  /** Reads existing entries without waiting for new ones. */
  private standing(): Promise<unknown> {
    const after = this.lastId === "0" ? "-" : `(${this.lastId}`;
    return this.options.redis.xrangeBuffer(this.options.stream, after, "+", "COUNT", batch);
  }

  private next(): Promise<unknown> {
    const { redis, stream } = this.options;
    return redis.xreadBuffer("COUNT", batch, "BLOCK", blockMs, "STREAMS", stream, this.lastId);
  }

  private async replyTo(reading: Promise<unknown>): Promise<unknown> {
    const { redis } = this.options;
    // A read on a lost connection never settles.
    let onClose: () => void = () => undefined;
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(new Error("connection closed"));
      redis.once("close", onClose);
    });
    reading.catch(() => undefined);
    try {
      return await within(Promise.race([reading, closed]), silenceMs, () => {
        redis.disconnect(true);
        return new Error("no answer to a blocking read");
      });
    } finally {
      redis.off("close", onClose);
    }
  }

  private catchUp(reply: unknown): void {
    const entries = parseEntries(reply);
    for (const entry of entries) this.deliver(entry, this.firstTime);
    if (entries.length === batch) return;
    this.catchingUp = false;
    this.firstTime = false;
  }

  private async follow(entries: readonly StreamEntry[]): Promise<void> {
    for (const entry of entries) this.deliver(entry, false);
    if (entries.length === 0 && this.options.whole !== undefined) await this.requireStream(this.options.whole);
  }

  /**
   * A read of a missing stream blocks forever. If the Redis clock went back, it also skips the
   * first entries of a recreated stream.
   */
  private async requireStream({ onMissing }: { onMissing: () => Promise<unknown> }): Promise<void> {
    const { redis, stream } = this.options;
    const newest = await this.replyTo(redis.xinfo("STREAM", stream)).then(newestOf, (error: unknown) => {
      if (!(error instanceof Error) || !error.message.includes("no such key")) throw error;
      return undefined;
    });
    if (newest === undefined) await onMissing();
    if (newest === undefined || isBehind(this.lastId, newest)) this.beginAnew();
  }

  /**
   * Reads a whole stream from its start again: a failed read may have lost its reply, and after a failover Redis may issue smaller ids.
   * Entries still in progress are then delivered again.
   */
  private beginAnew(): void {
    if (this.options.whole === undefined) return;
    this.catchingUp = true;
    this.lastId = "0";
  }

  private deliver(entry: StreamEntry, maybeRepeated: boolean): void {
    this.lastId = entry.id;
    const isNew = isBehind(entry.id, this.highestId);
    if (isNew) this.highestId = entry.id;
    this.options.onEntry(maybeRepeated || !isNew ? { ...entry, again: true } : entry);
  }
}

/** Whether an entry's id, milliseconds and a number, is larger than another. */
export function isBehind(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split("-").map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split("-").map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}

/** Returns the id that the stream issued last, from the reply of XINFO STREAM: `[name, value, …]`. */
function newestOf(reply: unknown): string {
  const fields = Array.isArray(reply) ? (reply as unknown[]) : [];
  const id = fields[fields.indexOf("last-generated-id") + 1];
  if (typeof id !== "string") throw new Error("XINFO STREAM tells no last-generated-id");
  return id;
}

/** Parses the XREAD reply for one stream, in bytes and RESP2 form: `[[stream, [[id, [field, value, …]], …]]]` or null. */
export function parseStreamReply(reply: unknown): StreamEntry[] {
  if (!Array.isArray(reply)) return [];
  const [first] = reply as unknown[];
  return Array.isArray(first) ? parseEntries(first[1]) : [];
}

/** Parses the XRANGE reply, or the inner list of an XREAD reply. */
export function parseEntries(reply: unknown): StreamEntry[] {
  if (!Array.isArray(reply)) return [];
  return (reply as unknown[]).flatMap((row) => {
    if (!Array.isArray(row) || !Buffer.isBuffer(row[0]) || !Array.isArray(row[1])) return [];
    const flat = row[1] as Buffer[];
    const fields = new Map<string, Buffer>();
    for (let index = 0; index + 1 < flat.length; index += 2) fields.set(String(flat[index]), flat[index + 1] ?? Buffer.of());
    return [{ id: row[0].toString("latin1"), fields }];
  });
}
