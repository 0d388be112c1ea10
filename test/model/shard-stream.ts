import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import { pause, type Machine, type Steps } from "./machine.js";
import type { Read } from "./blocking-read.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import type { Entry } from "./store.js";

export interface ShardStreamOptions {
  readonly machine: Machine;
  readonly redis: ModelRedis;
  readonly connection: Connection;
  readonly onEntry: (entry: StreamEntry, id: number) => void;
}

/** Models `StreamReader` of `shared/bus/stream-reader.ts` for a stream that one process reads whole. */
export class ShardStream {
  private lastId = 0;
  private highestId = 0;
  private isCatchingUp = true;
  private isFirstTime = true;

  constructor(private readonly options: ShardStreamOptions) {}

  *run(): Steps {
    const { machine, redis } = this.options;
    for (;;) {
      try {
        if (this.lastId === 0 && this.isCatchingUp) yield* this.make();
        const isBlocking = !this.isCatchingUp;
        const entries = yield* answerTo<Read>(redis.reads.read(machine, machine.name, this.lastId, isBlocking));
        for (const [id, entry] of entries) this.tell(id, entry, !isBlocking && this.isFirstTime);
        if (!isBlocking) this.isCatchingUp = this.isFirstTime = false;
        else if (entries.length === 0) yield* this.requireStream();
      } catch {
        this.beginAnew();
        yield* pause(machine, 100);
      }
    }
  }

  /** Models `XGROUP CREATE MKSTREAM`. */
  private *make(): Steps {
    const { connection, redis, machine } = this.options;
    yield connection.ask({ apply: () => redis.commands.makeStream(machine.name) });
  }

  private *requireStream(): Steps {
    const { connection, redis, machine } = this.options;
    const newest = yield* answerTo<number | undefined>(connection.ask({ apply: () => redis.store.streams.get(machine.name)?.last }));
    if (newest === undefined || this.lastId > newest) this.beginAnew();
  }

  private beginAnew(): void {
    this.isCatchingUp = true;
    this.lastId = 0;
  }

  private tell(id: number, entry: Entry, maybeKnown: boolean): void {
    this.lastId = id;
    const isNew = id > this.highestId;
    if (isNew) this.highestId = id;
    const fields = fieldsOf(entry);
    const text = entryText(id);
    this.options.onEntry(maybeKnown || !isNew ? { id: text, fields, again: true } : { id: text, fields }, id);
  }
}

/** Returns an entry id as `<ms>-<number>`. */
export function entryText(id: number): string {
  return `${Math.floor(id / 1_000)}-${id % 1_000}`;
}

export function entryNumber(text: string): number {
  const [ms = 0, number = 0] = text.split("-").map(Number);
  return ms * 1_000 + number;
}

function fieldsOf(entry: Entry): ReadonlyMap<string, Buffer> {
  if (entry.kind === "command") return new Map([["e", entry.bytes]]);
  return entry.kind === "cancel" ? new Map([["x", Buffer.from(entry.id)]]) : new Map();
}
