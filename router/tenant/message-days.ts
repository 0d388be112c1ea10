import { ApiError } from "../../shared/contract/api-error.js";
import { serverBusy, sessionNotActive, sessionNotConnected, tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { QuotaMetrics, Quotas } from "./records.js";
import { countMessage } from "./scripts.js";

/** Counts the messages of tenants whose day has a limit. */
export interface MessagePort {
  /**
   * Sends and counts it; 429 where the day has its messages. One that certainly did not go out is not counted, and neither is the answer of an earlier one, which is given
   * whatever the day has had.
   */
  counted<T>(tenant: TenantName, message: CountedMessage<T>): Promise<T>;
}

export interface CountedMessage<T> {
  send(): Promise<T>;
  /** Of a message that an earlier request may have sent: its answer. Rejects with 429 where there was none, and sends nothing. */
  readonly replay: (() => Promise<T>) | undefined;
  isReplayed(answer: T): boolean;
}

export interface MessageDaysOptions {
  readonly redis: RedisClient;
  readonly quotasOf: (tenant: TenantName) => Partial<Quotas> | undefined;
  readonly metrics: QuotaMetrics;
  /** Wall clock: a day is one of UTC. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;

/** Counted in Redis before each message, so that the limit holds over all routers. Who has none is not asked about. */
export class MessageDays implements MessagePort {
  private readonly now: () => number;

  constructor(private readonly options: MessageDaysOptions) {
    this.now = options.now ?? (() => Date.now());
  }

  async counted<T>(tenant: TenantName, message: CountedMessage<T>): Promise<T> {
    const most = this.options.quotasOf(tenant)?.messagesPerDay ?? null;
    if (most === null) return await message.send();
    const now = this.now();
    const key = keys.tenantMessages(tenant, new Date(now).toISOString().slice(0, 10));
    // For as long as a message of that day may still be under way, and longer.
    if ((await this.ask(() => countMessage(this.options.redis, [key], [most, 2 * dayMs]))) === 0)
      return await this.replayed(message, dayMs - (now % dayMs));
    // Where it fails the day has one fewer.
    const giveBack = async (): Promise<unknown> => await this.options.redis.decr(key).catch(() => undefined);
    try {
      const answer = await message.send();
      if (message.isReplayed(answer)) await giveBack();
      return answer;
    } catch (error) {
      if (isUnsent(error)) await giveBack();
      throw error;
    }
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

  private async ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw serverBusy(error);
    }
  }
}

/** What the body, the session's state or a full queue refused, and what an earlier one was told. Of every other failure nobody can be certain. */
function isUnsent(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status, message, replayed } = error;
  return replayed || status < 500 || status === 503 || message === sessionNotConnected().message || message === sessionNotActive().message;
}
