import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { every } from "../../shared/flow/every.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

const renewMs = 5_000;
/** As long as a silent member counts as alive. */
const claimMs = 20_000;

export interface HostClaimOptions {
  readonly redis: RedisClient;
  readonly host: string;
  readonly dataDir: string;
  readonly log: Log;
}

/**
 * Reserves the host name in a cluster for one supervisor: member names contain it, and shared hosts affect how long sessions wait. The
 * data folder identifies a supervisor after a kill. Correctness never depends on the claim.
 */
export class HostClaim {
  private readonly key: string;
  private readonly identity: string;
  private timer: NodeJS.Timeout | undefined;
  private isReported = false;

  constructor(private readonly options: HostClaimOptions) {
    this.key = keys.hostClaim(options.host.replace(/[^A-Za-z0-9_.-]/g, "-").slice(0, 100));
    this.identity = identityIn(options.dataDir);
  }

  /** Rejects with a sentence if the supervisor of another data folder has the name. */
  async start(): Promise<void> {
    if (!(await this.claim()))
      throw new Error(
        `HOST_ID ${this.options.host} is the name of a host that told of itself within ${claimMs / 1_000} s: give this one another HOST_ID, or start again when that one is gone`,
      );
    this.timer = every(renewMs, () => this.renew());
  }

  /** Never rejects: without Redis the claim expires. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    const { redis } = this.options;
    try {
      if ((await redis.get(this.key)) === this.identity) await redis.del(this.key);
    } catch {
      // The claim expires by itself.
    }
  }

  private async claim(): Promise<boolean> {
    const { redis } = this.options;
    if ((await redis.set(this.key, this.identity, "PX", claimMs, "NX")) === "OK") return true;
    if ((await redis.get(this.key)) !== this.identity) return false;
    await redis.pexpire(this.key, claimMs);
    return true;
  }

  /** A supervisor that was suspended for longer than its claim may find another owner. */
  private async renew(): Promise<void> {
    const { host, log } = this.options;
    try {
      const isOurs = await this.claim();
      if (!isOurs && !this.isReported) log.error({ host }, "host id in use by another supervisor");
      this.isReported = !isOurs;
    } catch (error) {
      log.debug({ err: error }, "host id claim renewal failed");
    }
  }
}

/** Reads the identity of the data folder, which the first start creates. */
function identityIn(dataDir: string): string {
  const file = join(dataDir, "supervisor-id");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const identity = randomUUID();
  writeFileSync(file, `${identity}\n`, { mode: 0o600 });
  return identity;
}
