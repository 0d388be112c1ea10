import { appendNews, type News } from "../../shared/cluster/news.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { Log } from "../../shared/log/logger.js";
import { AppendQueue } from "../../shared/redis/append-queue.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SessionState } from "../../shared/session/state.js";

export interface NewsWriterOptions {
  readonly redis: RedisClient;
  /** Who tells. */
  readonly member: string;
  readonly metrics: NewsMetrics;
  readonly log: Log;
  /** Until news are tried again that Redis did not take. */
  readonly againMs?: number;
}

export interface NewsMetrics {
  news(outcome: "written" | "lost", count: number): void;
}

/** Whose state it is. */
export interface ToldSession {
  readonly id: SessionId;
  readonly platform: Platform;
  readonly tenant: TenantName;
}

/** What a session's parts tell operators. Must not throw and must not wait. */
export interface SessionNews {
  session(session: ToldSession, state: SessionState["kind"]): void;
}

/** As many as a takeover of some thousand sessions brings while Redis is slow; 2 MB. */
export const waitingMax = 10_000;

/** Tells operators what this shard does, whether anybody listens or not: one small entry beside the writes that a change of state costs anyway. */
export class NewsWriter implements SessionNews {
  private readonly queue: AppendQueue<News>;
  /** Some were lost, and that is still to be told. */
  private isMissing = false;

  constructor(private readonly options: NewsWriterOptions) {
    const { metrics, log, againMs } = options;
    this.queue = new AppendQueue({
      append: (rows) => this.append(rows),
      waitingMax,
      onWritten: (rows) => metrics.news("written", rows),
      onLost: ({ length }) => {
        this.isMissing = true;
        metrics.news("lost", length);
      },
      onTrouble: (error, waiting) => log.warn({ err: error, waiting }, "news could not be written yet"),
      ...(againMs === undefined ? {} : { againMs }),
    });
  }

  session({ id, platform, tenant }: ToldSession, state: SessionState["kind"]): void {
    this.queue.add({ type: "session", at: now(), session: id, platform, tenant, state, member: this.options.member });
  }

  /** This shard has them now, and has loaded their sessions. */
  slots(slots: readonly number[]): void {
    this.queue.add({ type: "slots", at: now(), member: this.options.member, slots: [...slots] });
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }

  private async append(rows: readonly News[]): Promise<void> {
    const missing = this.isMissing;
    await appendNews(this.options.redis, missing ? [...rows, { type: "missed", at: now() }] : rows);
    if (missing) this.isMissing = false;
  }
}

function now(): string {
  return new Date().toISOString();
}
