import { Poll } from "../flow/poll.js";
import type { Log } from "../log/logger.js";
import type { RedisClient } from "../redis/connect.js";
import { channels } from "../redis/keys.js";

/** Poll interval, which finds changes whose message was lost. A change must take effect within a second. */
export const pollMs = 500;

export interface DirectoryWatchOptions<View extends { readonly version: string }> {
  readonly version: () => Promise<string>;
  readonly read: () => Promise<View>;
  /** Called with each new view. */
  readonly take: (view: View) => void;
  /** Speeds up updates by pub/sub. The poll finds the same changes without it. */
  readonly subscriber: RedisClient;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Keeps a process's view of tenants and keys current, by messages and a small read twice a second. */
export class DirectoryWatch<View extends { readonly version: string }> {
  private version: string | undefined;
  private repliedAt = -Infinity;
  private readonly poll: Poll;
  private checkAgain = false;
  private readonly now: () => number;
  private readonly nudge = (channel: string): void => {
    if (channel === channels.directory) void this.refresh();
  };

  constructor(private readonly options: DirectoryWatchOptions<View>) {
    this.now = options.now ?? (() => performance.now());
    this.poll = new Poll(pollMs, () => this.check());
  }

  async start(): Promise<void> {
    this.options.subscriber.on("message", this.nudge);
    await this.options.subscriber.subscribe(channels.directory);
    await this.refresh();
    this.poll.start();
  }

  async stop(): Promise<void> {
    this.options.subscriber.off("message", this.nudge);
    await this.poll.stop();
  }

  /** Milliseconds since Redis last confirmed the view. */
  get ageMs(): number {
    return this.now() - this.repliedAt;
  }

  /** Resolves once a poll that began after this call has ended. Never rejects: without Redis the last view stays valid. */
  refresh(): Promise<void> {
    // A poll in progress may have read Redis before the change.
    this.checkAgain = this.poll.isChecking;
    return this.poll.now();
  }

  private async check(): Promise<void> {
    do {
      this.checkAgain = false;
      try {
        const requestedAt = this.now();
        if ((await this.options.version()) !== this.version) {
          const view = await this.options.read();
          this.options.take(view);
          this.version = view.version;
        }
        this.repliedAt = requestedAt;
      } catch (error) {
        this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "tenant directory read failed");
      }
    } while (this.checkAgain);
  }
}
