import { deadLetterMs, deadLettersMax, outboxMaxBytes, outboxMaxEvents } from "../../../shared/limits.js";
import type { WebhookSettings } from "../../../shared/contract/session.js";
import { slotOf } from "../../../shared/contract/slot.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { appendTestEvent, configureWebhook, deferEvent, readOutbox, replayDeadLetters, endEvent } from "./scripts.js";
import type { DataKey } from "./data-key.js";
import type { SessionKey } from "../../../shared/session/session-key.js";
import { bodyOf, eventContext, seenMs, seenName } from "./session-updates.js";
import type { SessionSlot } from "./session-slot.js";
import { openWebhook, sealWebhook } from "../../../shared/session/webhook-settings.js";

/** The current webhook of a session. Turning it off or on begins a new epoch; events of other epochs are not sent. */
export interface Webhook {
  /** Both fields are empty while the webhook is off. */
  readonly settings: WebhookSettings;
  readonly epoch: number;
}

/** A waiting event with the bytes of its request. */
export interface OutboxEvent {
  /** Its place in the outbox: a stream id, which shows its age on the Redis clock. */
  readonly entry: string;
  readonly id: string;
  readonly epoch: number;
  readonly body: Buffer;
  /** Id of the request that replayed or created it; empty without one. */
  readonly requestId: string;
}

/** The webhook, and how far the last owner came. */
export interface OutboxState extends Webhook {
  /** Entry of the last failed attempt; empty when there was none. */
  readonly head: string;
  readonly attempts: number;
  readonly waitMs: number;
}

/** Why an event became a dead letter; the outbox itself adds `full`. */
export type DeadLetterReason = "expired" | "attempts" | "unreadable";

/** An event to test the receiver with. */
export interface TestEvent {
  readonly id: string;
  readonly created: string;
  readonly data: unknown;
}

export interface StoredLetter {
  readonly entry: string;
  readonly id: string;
  readonly type: string;
  readonly created: string;
  readonly attempts: number;
  readonly reason: string;
  readonly body: Buffer;
}

/** The outbox of one session, used by its owner. Writes name the token and reject with `FencedError`; all of them may be repeated. */
export class SessionOutbox {
  constructor(
    private readonly redis: RedisClient,
    private readonly slot: SessionSlot,
    private readonly ring: KeyRing,
    private readonly dataKey: DataKey,
  ) {}

  async read(): Promise<OutboxState> {
    const { id } = this.slot;
    const [sealed, epoch, head, attempts, waitMs] = await readOutbox(this.redis, [keys.session(id), keys.webhook(id)], []);
    return { settings: openWebhook(this.ring, id, sealed), epoch, head, attempts, waitMs };
  }

  /** Returns `undefined` when the session is gone. */
  async configure(settings: WebhookSettings): Promise<Webhook | undefined> {
    const { id, token } = this.slot;
    const sealed = sealWebhook(this.ring, id, settings);
    const [outcome, epoch] = await configureWebhook(
      this.redis,
      [keys.owner(slotOf(id)), keys.session(id), keys.webhook(id), keys.outbox(id)],
      [token, sealed],
    );
    return outcome === "OK" ? { settings, epoch } : undefined;
  }

  /** Returns the oldest events in order. An event that cannot be opened comes without its body. */
  async oldest(count: number): Promise<(OutboxEvent | Pick<OutboxEvent, "entry">)[]> {
    const { id } = this.slot;
    const [key, rows] = await Promise.all([this.dataKey.get(), this.redis.xrangeBuffer(keys.outbox(id), "-", "+", "COUNT", count)]);
    return rows.map(([entry, fields]) => {
      const { i, e, b, q } = fieldsOf(fields);
      const body = opened(key, i, b);
      return body === undefined
        ? { entry: entry.toString() }
        : { entry: entry.toString(), id: i?.toString() ?? "", epoch: Number(e), body, requestId: q?.toString() ?? "" };
    });
  }

  length(): Promise<number> {
    return this.redis.xlen(keys.outbox(this.slot.id));
  }

  async delivered(entry: string): Promise<void> {
    await this.end(entry, 0, "");
  }

  async deadLetter(entry: string, attempts: number, reason: DeadLetterReason): Promise<void> {
    await this.end(entry, attempts, reason);
  }

  async defer(entry: string, attempts: number, delayMs: number): Promise<void> {
    const { id, token } = this.slot;
    await deferEvent(
      this.redis,
      [keys.owner(slotOf(id)), keys.webhook(id), keys.outbox(id)],
      [token, entry, attempts, Math.round(delayMs)],
    );
  }

  /** Returns the dead letters after the given entry (`""`: from the oldest on), oldest first. */
  async letters(after: string, count: number): Promise<StoredLetter[]> {
    const { id } = this.slot;
    // This read removes letters older than a week; the stream itself expires a week after its last letter.
    const [seconds] = await this.redis.time();
    await this.redis.xtrim(keys.deadLetters(id), "MINID", "~", Number(seconds) * 1_000 - deadLetterMs);
    const [key, rows] = await Promise.all([
      this.dataKey.get(),
      this.redis.xrangeBuffer(keys.deadLetters(id), after === "" ? "-" : `(${after}`, "+", "COUNT", count),
    ]);
    return rows.map(([entry, fields]) => {
      const { i, t, c, b, n, r } = fieldsOf(fields);
      const [event, type, created, reason] = [i, t, c, r].map((field) => field?.toString() ?? "") as [string, string, string, string];
      return {
        entry: entry.toString(),
        id: event,
        type,
        created,
        attempts: Number(n),
        reason,
        body: opened(key, i, b) ?? Buffer.from("null"),
      };
    });
  }

  /** Returns `undefined` while the webhook is off. */
  async replay(requestId: string): Promise<{ replayed: number; left: number } | undefined> {
    const { id, token } = this.slot;
    const [replayed, left, on] = await replayDeadLetters(
      this.redis,
      [keys.owner(slotOf(id)), keys.session(id), keys.webhook(id), keys.outbox(id), keys.deadLetters(id)],
      [token, outboxMaxEvents, outboxMaxBytes, requestId],
    );
    return on === 1 ? { replayed, left } : undefined;
  }

  /** A repeat of the same event adds nothing. */
  async appendTest(event: TestEvent, requestId: string): Promise<{ outcome: "OK" | "OFF" | "FULL"; waiting: number }> {
    const { id, token } = this.slot;
    const key = await this.dataKey.get();
    const body = key.seal(bodyOf(id, { ...event, type: "test" }), eventContext(event.id));
    const [outcome, waiting] = await appendTestEvent(
      this.redis,
      [keys.owner(slotOf(id)), keys.session(id), keys.webhook(id), keys.seenEvents(id), keys.outbox(id)],
      [token, outboxMaxEvents, outboxMaxBytes, seenName(key, event.id), seenMs, event.id, event.created, body, requestId],
    );
    return { outcome, waiting };
  }

  private async end(entry: string, attempts: number, reason: string): Promise<void> {
    const { id, token } = this.slot;
    await endEvent(
      this.redis,
      [keys.owner(slotOf(id)), keys.webhook(id), keys.outbox(id), keys.deadLetters(id)],
      [token, entry, attempts, reason, deadLettersMax, deadLetterMs],
    );
  }
}

type Fields = Partial<Record<"i" | "t" | "c" | "e" | "b" | "n" | "r" | "q", Buffer>>;

function fieldsOf(flat: readonly Buffer[]): Fields {
  const fields: Record<string, Buffer> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const [name, value] = [flat[at], flat[at + 1]];
    if (name !== undefined && value !== undefined) fields[name.toString()] = value;
  }
  return fields;
}

function opened(key: SessionKey, event: Buffer | undefined, sealed: Buffer | undefined): Buffer | undefined {
  if (event === undefined || sealed === undefined) return undefined;
  try {
    return key.open(sealed, eventContext(event.toString()));
  } catch {
    // Altered in Redis, or its key is gone. No other event may wait behind it for ever.
    return undefined;
  }
}
