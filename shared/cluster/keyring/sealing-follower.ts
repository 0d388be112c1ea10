import type { KeyRing } from "../../config/key-ring.js";
import { Poll } from "../../flow/poll.js";
import type { Log } from "../../log/logger.js";
import type { RedisClient } from "../../redis/connect.js";
import { readSealingKey } from "./sealing-key.js";

/** One field of one key. */
const everyMs = 1_000;

export interface SealingFollowerOptions {
  readonly redis: RedisClient;
  readonly ring: KeyRing;
  readonly log: Log;
  /** Shorter in tests. */
  readonly everyMs?: number;
}

/** Makes a process seal with the key that an operator chose, within a second. */
export class SealingFollower {
  /** Id of a sealing key that this process lacks: it keeps sealing with the key before, and cannot open what others seal. */
  private missingId: string | undefined;
  private readonly poll: Poll;

  constructor(private readonly options: SealingFollowerOptions) {
    this.poll = new Poll(options.everyMs ?? everyMs, () => this.readSealing());
  }

  start(): void {
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Returns why this process is not ready. */
  problems(): string[] {
    return this.missingId === undefined ? [] : [`CRED_KEYS has no key ${shown(this.missingId)}, which seals`];
  }

  /** Never rejects: without Redis nothing can be sealed with another key. */
  private async readSealing(): Promise<void> {
    const { redis, ring, log } = this.options;
    const id = await readSealingKey(redis).catch(() => undefined);
    if (id === undefined || id === ring.sealing) {
      if (id !== undefined) this.missingId = undefined;
      return;
    }
    const isThere = ring.choose(id);
    if (isThere) log.info({ key: id }, "active encryption key changed");
    else if (this.missingId !== id) log.error({ key: shown(id) }, "active encryption key missing from CRED_KEYS");
    this.missingId = isThere ? undefined : id;
  }
}

/** Our ids are one letter or digit, but Redis may hold any text. */
const shown = (id: string): string => (/^[A-Za-z0-9]$/.test(id) ? id : JSON.stringify(id.slice(0, 8)));
