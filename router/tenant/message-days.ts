import { ApiError } from "../../shared/contract/api-error.js";
import { sessionNotActive, sessionNotConnected, tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { QuotaMetrics, Quotas } from "./records.js";
import { countMessage } from "./scripts.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";

/** Reads how many messages tenants have sent today. */
export interface MessageCounts {
  /** Returns the messages of the current UTC day for each tenant, in the same order. Only tenants with a daily limit are counted. */
  today(tenants: readonly TenantName[]): Promise<number[]>;
}

/** Counts messages of tenants that have a daily limit. */
export interface MessagePort {
  /**
   * Sends a message and counts it. Rejects with 429 when the day's limit is reached. Does not count a message that was certainly not sent,
   * or a replayed result, which is returned despite the limit.
   */
  counted<T>(tenant: TenantName, message: CountedMessage<T>): Promise<T>;
}

export interface CountedMessage<T> {
  /** Messages that the request sends: more than one for an album. Default: 1. */
  readonly count?: number;
  send(): Promise<T>;
  /** Returns the result of an earlier request that may have sent this message. Rejects with 429 if there was none, and sends nothing. */
  readonly replay: (() => Promise<T>) | undefined;
  isReplayed(reply: T): boolean;
}

export interface MessageDaysOptions {
  readonly redis: RedisClient;
  readonly quotasOf: (tenant: TenantName) => Partial<Quotas> | undefined;
  readonly metrics: QuotaMetrics;
  /** Wall clock, because a day is a UTC day. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;

/** Counts in Redis before each message, so that the limit holds over all routers. Tenants without a limit cost no read. */
export class MessageDays implements MessagePort, MessageCounts {
  private readonly now: () => number;

  constructor(private readonly options: MessageDaysOptions) {
    this.now = options.now ?? (() => Date.now());
  }

  async counted<T>(tenant: TenantName, message: CountedMessage<T>): Promise<T> {
    const most = this.options.quotasOf(tenant)?.messagesPerDay ?? null;
    if (most === null) return await message.send();
    const { count = 1 } = message;
    const now = this.now();
    const key = keys.tenantMessages(tenant, dayOf(now));
    // The count outlives any message of that day.
    if ((await orStorageUnavailable(countMessage(this.options.redis, [key], [most, 2 * dayMs, count]))) === 0)
      return await this.replayed(message, dayMs - (now % dayMs));
    // If this fails, the day has fewer messages left.
    const giveBack = async (): Promise<unknown> =>
      await Promise.allSettled(Array.from({ length: count }, () => this.options.redis.decr(key)));
    try {
      const reply = await message.send();
      if (message.isReplayed(reply)) await giveBack();
      return reply;
    } catch (error) {
      if (isUnsent(error)) await giveBack();
      throw error;
    }
  }

  /** The reads are sent at once and not as one `MGET`, because on a Redis Cluster the counters lie in different slots. */
  async today(tenants: readonly TenantName[]): Promise<number[]> {
    const day = dayOf(this.now());
    const counts = Promise.all(tenants.map((tenant) => this.options.redis.get(keys.tenantMessages(tenant, day))));
    // If Redis loses a count, messages that were given back later make it negative.
    return (await orStorageUnavailable(counts)).map((count) => Math.max(0, Number(count)));
  }

  private async replayed<T>({ replay }: CountedMessage<T>, leftMs: number): Promise<T> {
    const refusal = tooManyRequests(leftMs);
    try {
      if (replay === undefined) throw refusal;
      return await replay();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === refusal.status && !error.replayed)) throw error;
      this.options.metrics.quotaReached("messagesPerDay");
      throw refusal;
    }
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Returns true for rejections by the body check, the session's state or a full queue, and for replays. After any other failure the message
 * may have been sent.
 */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, message, replayed } = error;
  return replayed || status < 500 || status === 503 || message === sessionNotConnected().message || message === sessionNotActive().message;
}
