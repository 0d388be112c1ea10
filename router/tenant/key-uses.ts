import { every } from "../../shared/flow/every.js";
import type { Log } from "../../shared/log/logger.js";
import type { DirectoryStore } from "./directory-store.js";

/** A key's last use is written at most once a minute. */
const writeEveryMs = 60_000;

/** Collects the last use of each key in memory and writes it at intervals. Bounded by the number of keys. */
export class KeyUses {
  private noted = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<DirectoryStore, "touch">,
    private readonly log: Log,
  ) {}

  start(): void {
    this.timer = every(writeEveryMs, () => this.write());
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.write();
    await this.writing;
  }

  note(keyId: string): void {
    this.noted.set(keyId, new Date().toISOString());
  }

  private write(): void {
    if (this.noted.size === 0) return;
    const uses = this.noted;
    this.noted = new Map();
    this.writing = this.store.touch(uses).catch((error: unknown) => {
      // The next use is collected again, so a failed write needs no retry.
      this.log.warn({ err: error }, "api key last use not stored");
    });
  }
}
