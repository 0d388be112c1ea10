import { pause } from "../flow/pause.js";
import { within } from "../flow/within.js";
import type { Log } from "../log/logger.js";
import type { RedisClient } from "../redis/connect.js";

/** One entry: its id and its fields. */
export interface StreamEntry {
  id: string;
  fields: ReadonlyMap<string, string>;
  /** Of a group: it was delivered before, to a former life or over a connection that was cut. */
  again?: boolean;
}

export interface StreamReaderOptions {
  /** A connection of its own: the read blocks it. */
  redis: RedisClient;
  stream: string;
  /** Reads as this consumer of the group; absent: plain XREAD from now on. */
  group?: { name: string; consumer: string };
  /** Called for each entry in order; must not throw and must not wait. */
  onEntry: (entry: StreamEntry) => void;
  /** The group is gone with the stream: Redis has lost it. Makes both again. */
  onMissing?: () => Promise<unknown>;
  /** While false no further entries are asked for: what is not read waits in the stream. */
  wants?: () => boolean;
  log: Log;
}

const blockMs = 2_000;
/** The block is 2 s; an answer that has not come after 5 s never will, and the connection is made anew. */
const silenceMs = 5_000;
const reconnectMs = 10_000;
const batch = 200;

/**
 * One blocking loop over one stream. Survives errors with a pause of 100 ms doubling to 1 s; ends only on `stop()`.
 * A consumer of a group first gets what was delivered to it before and never acknowledged; again after each failed read, because the answer may have gone
 * down with the connection. It gets entries that it still works on a second time then.
 */
export class StreamReader {
  private ended = false;
  private loop: Promise<void> = Promise.resolve();
  private lastId = "$";
  /** Of a group: up to where the delivered entries are known; `undefined` when all are and new ones follow. */
  private pendingAfter: string | undefined = "0";

  constructor(private readonly options: StreamReaderOptions) {}

  /** `fromId`: for plain reads, the entry after which to begin. */
  start(fromId = "$"): void {
    this.lastId = fromId;
    this.loop = this.run();
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
        const after = this.pendingAfter;
        this.deliver(await this.read(after), after);
        pauseMs = 100;
        goodAt = performance.now();
      } catch (error) {
        if (this.ended) return;
        this.options.log.warn(
          { stream: this.options.stream, reason: error instanceof Error ? error.message : String(error) },
          "stream read failed",
        );
        if (error instanceof Error && error.message.startsWith("NOGROUP")) await this.options.onMissing?.().catch(() => undefined);
        // What the failed read took is read again; a connection that does not become ready either is made anew.
        this.pendingAfter = "0";
        if (performance.now() - goodAt > reconnectMs) {
          this.options.redis.disconnect(true);
          goodAt = performance.now();
        }
        await pause(pauseMs);
        pauseMs = Math.min(pauseMs * 2, 1_000);
      }
    }
  }

  private async read(pendingAfter: string | undefined): Promise<unknown> {
    const { redis, stream, group } = this.options;
    const reading =
      group === undefined
        ? redis.xread("COUNT", batch, "BLOCK", blockMs, "STREAMS", stream, this.lastId)
        : redis.xreadgroup("GROUP", group.name, group.consumer, "COUNT", batch, "BLOCK", blockMs, "STREAMS", stream, pendingAfter ?? ">");
    // The read of a connection that was cut never settles.
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

  private deliver(answer: unknown, pendingAfter: string | undefined): void {
    const entries = parseStreamAnswer(answer);
    for (const entry of entries) {
      this.lastId = entry.id;
      this.options.onEntry(pendingAfter === undefined ? entry : { ...entry, again: true });
    }
    if (pendingAfter !== undefined) this.pendingAfter = entries.at(-1)?.id;
  }
}

/** The answer of XREAD and XREADGROUP for one stream, RESP2 form: `[[stream, [[id, [field, value, …]], …]]]` or null. */
export function parseStreamAnswer(answer: unknown): StreamEntry[] {
  if (!Array.isArray(answer)) return [];
  const [first] = answer as unknown[];
  return Array.isArray(first) ? parseEntries(first[1]) : [];
}

/** The answer of XRANGE, or the inner list of XREAD. */
export function parseEntries(answer: unknown): StreamEntry[] {
  if (!Array.isArray(answer)) return [];
  return (answer as unknown[]).flatMap((row) => {
    if (!Array.isArray(row) || typeof row[0] !== "string" || !Array.isArray(row[1])) return [];
    const flat = row[1] as string[];
    const fields = new Map<string, string>();
    for (let index = 0; index + 1 < flat.length; index += 2) fields.set(flat[index] ?? "", flat[index + 1] ?? "");
    return [{ id: row[0], fields }];
  });
}
