import typia from "typia";
import { slotOf } from "../../../shared/contract/slot.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { TimeSlice } from "../../flow/time-slice.js";
import type { SessionKey } from "../../../shared/session/session-key.js";
import type { HistoryEntry, UpdateEvent } from "../session-context.js";
import type { DataKey } from "./data-key.js";
import { clearMap } from "./scripts.js";
import type { SessionSlot } from "./session-slot.js";

/** Counted from the last entry. */
export const historyMs = 30 * 24 * 3_600_000;

/** Newest messages of one session and their changes: a bounded stream in Redis, sealed with the session's data key. */
export class SessionHistory {
  constructor(
    private readonly redis: RedisClient,
    private readonly slot: SessionSlot,
    private readonly dataKey: DataKey,
    private readonly most: number,
  ) {}

  /** False: nothing is kept. */
  get isOn(): boolean {
    return this.most > 0;
  }

  /** Returns all entries, oldest first, without those that were altered in Redis. */
  async read(): Promise<HistoryEntry[]> {
    const [key, stored] = await Promise.all([this.dataKey.get(), this.redis.xrangeBuffer(keys.history(this.slot.id), "-", "+")]);
    const slice = new TimeSlice(sliceMs);
    // A former shard may have kept more.
    const found: HistoryEntry[] = [];
    for (const [at, [, sealed]] of stored.slice(-this.most)) {
      while (slice.isSpent()) await slice.yield();
      const entry = sealed && openEntry(key, at.toString(), sealed);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  async clear(): Promise<void> {
    const { id, token } = this.slot;
    await clearMap(this.redis, [keys.owner(slotOf(id)), keys.history(id)], [token]);
  }
}

/**
 * Returns the sealed entry of an event; empty for an event that does not go to the history, and for one that is too long even with its
 * texts and lists cut.
 */
export function sealEntry(key: SessionKey, { to, id, type, data, kept, secret }: UpdateEvent): Buffer | "" {
  if (to !== "history" && to !== "both") return "";
  const entry = { id, type, data: kept ?? data, secret };
  const whole = Buffer.from(JSON.stringify(entry, withoutEmpty));
  if (whole.length <= wholeMaxBytes) return key.seal(whole, context);
  const short = Buffer.from(JSON.stringify(entry, shortened));
  return short.length <= shortMaxBytes ? key.seal(short, context) : "";
}

function openEntry(key: SessionKey, at: string, sealed: Buffer): HistoryEntry | undefined {
  try {
    const entry = parse(key.open(sealed, context).toString());
    return entry === null ? undefined : { at, ...entry };
  } catch {
    return undefined;
  }
}

const sliceMs = 4;
const wholeMaxBytes = 16 * 1024;
const shortMaxBytes = 64 * 1024;
const textMax = 4_096;
const listMax = 32;
const context = "history";
const parse = typia.json.createIsParse<{ id: string; type: string; data: object; secret?: string }>();

/** Leaves out fields that most messages do not have, which halves an entry. Elements of lists keep their places. */
function withoutEmpty(this: unknown, _name: string, value: unknown): unknown {
  if (Array.isArray(this)) return value;
  const isEmpty = value === "" || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}

/** Cuts long texts and lists: the text of one message may be as long as hundreds of others. */
function shortened(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === "string") return withoutEmpty.call(this, name, value.slice(0, textMax));
  return withoutEmpty.call(this, name, Array.isArray(value) ? value.slice(0, listMax) : value);
}
