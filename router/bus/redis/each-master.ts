import { every } from "../../../shared/flow/every.js";
import type { RedisAddress } from "../../../shared/redis/address.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { isSpread, masterOf, mastersOf, serverOf } from "../../../shared/redis/topology.js";

export interface EachMasterOptions<Part> {
  /** Client that knows the masters and their keys. */
  readonly redis: RedisClient;
  /** Address of that Redis. */
  readonly address: RedisAddress;
  /** Creates the part for one master. If its `start` rejects, the next poll creates another part. */
  open(address: RedisAddress): Part;
}

export interface MasterPart {
  start(): Promise<void>;
  stop(): void;
}

/** Interval at which the list of masters is read again. */
const pollMs = 1_000;
/** Keys of further masters are read through the general client. */
const mastersMax = 128;

/**
 * Keeps one part per master: in a cluster for each master with hash slots, otherwise one part that follows the address through failovers.
 */
export class EachMaster<Part extends MasterPart> {
  private readonly parts = new Map<string, Part>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EachMasterOptions<Part>) {}

  /** Returns the part of the master that has this key, as far as known now. */
  at(key: string): Part | undefined {
    const master = masterOf(this.options.redis, key);
    return master && this.parts.get(this.nameOf(master));
  }

  /** Resolves when each part has started or has failed to start. */
  async start(): Promise<void> {
    this.timer = every(pollMs, () => this.follow());
    await this.follow();
  }

  stop(): void {
    clearInterval(this.timer);
    for (const name of [...this.parts.keys()]) this.close(name);
  }

  /** Never rejects. */
  private async follow(): Promise<void> {
    const masters = new Map(mastersOf(this.options.redis).map((master) => [this.nameOf(master), master]));
    for (const name of [...this.parts.keys()]) if (!masters.has(name)) this.close(name);
    const missing = [...masters].filter(([name]) => !this.parts.has(name));
    await Promise.all(missing.slice(0, mastersMax - this.parts.size).map(([name, master]) => this.open(name, this.addressOf(master))));
  }

  private async open(name: string, address: RedisAddress): Promise<void> {
    const part = this.options.open(address);
    this.parts.set(name, part);
    try {
      await part.start();
    } catch {
      // The part has logged the error, and the next poll retries.
      if (this.parts.get(name) === part) this.close(name);
    }
  }

  private close(name: string): void {
    this.parts.get(name)?.stop();
    this.parts.delete(name);
  }

  private nameOf(master: RedisClient): string {
    if (!isSpread(this.options.redis)) return "";
    const { host = "", port = 0 } = serverOf(master) ?? {};
    return `${host}:${port}`;
  }

  private addressOf(master: RedisClient): RedisAddress {
    const { redis, address } = this.options;
    const server = isSpread(redis) ? serverOf(master) : undefined;
    return server === undefined ? address : { kind: "server", server, database: 0, access: address.access };
  }
}
