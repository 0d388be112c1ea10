import { sentContentMs } from "../../../shared/limits.js";
import { slotOf } from "../../../shared/contract/slot.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { isKeyPart, keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { TimeSlice } from "../../flow/time-slice.js";
import { clearMap, keepSent, writeSecrets } from "./scripts.js";
import type { UpdateEvent } from "../session-context.js";
import type { DataKey } from "./data-key.js";
import type { SessionKey } from "../../../shared/session/session-key.js";
import { historyMs, sealEntry } from "./session-history.js";
import type { SessionSlot } from "./session-slot.js";
import { type StepOutcome, writeStep } from "./session-updates.js";
import { openRecord, UnreadableRecord } from "../../../shared/session/unreadable-record.js";

/**
 * Most messages kept: a busy account sends this many in a few minutes. A device requests one again within seconds, or when it comes online.
 */
const sentMax = 2_000;
/** Fields that one command reads from Redis. */
const fieldsAtOnce = 1_000;
const nothingAppended: StepOutcome = { appended: 0, overflowed: 0 };
/** A status to thousands of recipients changes the session with each of them. One for the process, because it has one event loop. */
const timeSlice = new TimeSlice(4);

/**
 * Sealed secrets of one session, under hashed names, and the content of sent messages for a day. Writes reject with `FencedError`, are
 * durable before they resolve, and write nothing for a session that is gone.
 */
export class SessionSecrets {
  /** Secrets that did not open at their last read; bounded by one read. */
  private readonly unopened = new Set<string>();

  /** Orders writes: a large one is sealed over several turns of the event loop, and later writes wait for it. */
  private readonly sealing = new SerialQueue();

  constructor(
    private readonly redis: RedisClient,
    private readonly slot: SessionSlot,
    private readonly dataKey: DataKey,
    /** Most entries of the session's history; 0: it is off. */
    private readonly mostEntries: number,
  ) {}

  /** Rejects with `UnreadableRecord` when any of them exists and does not open. */
  async getMany(fields: readonly string[]): Promise<(Buffer | undefined)[]> {
    const { id } = this.slot;
    const found: (Buffer | undefined)[] = [];
    let failure: UnreadableRecord | undefined;
    for (let start = 0; start < fields.length; start += fieldsAtOnce) {
      const batch = fields.slice(start, start + fieldsAtOnce);
      const key = await this.dataKey.get();
      const values = await this.redis.hmgetBuffer(keys.secrets(id), ...batch.map((field) => secretName(key, field)));
      for (const [index, field] of batch.entries()) {
        const sealed = values[index];
        try {
          found.push(sealed == null ? undefined : openRecord("secret", () => key.open(sealed, secretContext(field))));
          this.unopened.delete(field);
        } catch (error) {
          if (!(error instanceof UnreadableRecord)) throw error;
          // The others are still tried, so that every unreadable secret is known.
          if (this.unopened.size < fieldsAtOnce) this.unopened.add(field);
          failure ??= error;
        }
      }
    }
    if (failure !== undefined) throw failure;
    return found;
  }

  /** Reads again the secrets that did not open. Rejects with `UnreadableRecord` while any of them still does not. */
  async reread(): Promise<void> {
    while (this.unopened.size > 0) await this.getMany([...this.unopened]);
  }

  /** Writes all changes and their events at once; `undefined` deletes. Writes reach Redis in the order of their calls. */
  async apply(changes: ReadonlyMap<string, Buffer | undefined>, events: readonly UpdateEvent[] = []): Promise<StepOutcome> {
    if (changes.size + events.length === 0) return nothingAppended;
    const { id, token } = this.slot;
    const key = await this.dataKey.get();
    const { written } = await this.sealing.run(async () => {
      const secrets: [string, Buffer | ""][] = [];
      for (const [field, value] of changes) {
        while (timeSlice.isSpent()) await timeSlice.yield();
        secrets.push([secretName(key, field), value === undefined ? "" : key.seal(value, secretContext(field))]);
      }
      const { mostEntries } = this;
      if (events.length > 0)
        return { written: writeStep(this.redis, this.slot, key, { cursor: "", messages: [], secrets, events, mostEntries }) };
      const write = writeSecrets(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.secrets(id)], [token, ...secrets.flat()]);
      return { written: write.then(() => nothingAppended) };
    });
    return await written;
  }

  async clear(): Promise<void> {
    const { id, token } = this.slot;
    await clearMap(this.redis, [keys.owner(slotOf(id)), keys.secrets(id)], [token]);
  }

  /** `entry` goes to the session's history. */
  async keepSent(messageId: string, content: Buffer, entry?: UpdateEvent): Promise<void> {
    const { id, token } = this.slot;
    const key = await this.dataKey.get();
    const sealed = key.seal(content, sentContext(messageId));
    const sealedEntry = entry === undefined || this.mostEntries === 0 ? "" : sealEntry(key, entry);
    await keepSent(
      this.redis,
      [keys.owner(slotOf(id)), keys.session(id), keys.sent(id, messageId), keys.sentIndex(id), keys.history(id)],
      [token, messageId, sealed, sentContentMs, sentMax, keys.sentPrefix(id), sealedEntry, this.mostEntries, historyMs],
    );
  }

  async readSent(messageId: string): Promise<Buffer | undefined> {
    const { id } = this.slot;
    // Callers and strangers choose ids too. Nothing is kept under an id that no key can have.
    if (!isKeyPart(messageId)) return undefined;
    const [key, sealed] = await Promise.all([this.dataKey.get(), this.redis.getBuffer(keys.sent(id, messageId))]);
    return sealed === null ? undefined : openRecord("sent message", () => key.open(sealed, sentContext(messageId)));
  }

  /** Returns the Unix milliseconds at which the content was kept, by the clock of Redis. */
  async readSentAt(messageId: string): Promise<number | undefined> {
    const at = await this.redis.zscore(keys.sentIndex(this.slot.id), messageId);
    return at === null ? undefined : Number(at);
  }
}

/** Hashed, because fields name the other side of a conversation. */
export const secretName = (key: SessionKey, field: string): string => key.name("secret", field);

const secretContext = (field: string): string => `k|${field}`;
const sentContext = (messageId: string): string => `m|${messageId}`;
