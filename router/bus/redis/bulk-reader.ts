import type { Log } from "../../../shared/log/logger.js";
import type { BulkReads, BulkRoute } from "../../../shared/media/chunk-cache.js";
import type { RedisAddress } from "../../../shared/redis/address.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { BulkConnection } from "./bulk-connection.js";
import { EachMaster } from "./each-master.js";

export interface BulkReaderOptions {
  /** General client: it knows the masters and their keys, and follows a key that moves in a cluster. */
  readonly redis: RedisClient;
  /** Address of that Redis. */
  readonly address: RedisAddress;
  readonly log: Log;
}

/** Reads long values over one separate connection per master. In a cluster it picks the master that has the key's hash slot. */
export class BulkReader implements BulkReads {
  private readonly connections: EachMaster<BulkConnection>;

  constructor({ redis, address, log }: BulkReaderOptions) {
    this.connections = new EachMaster({ redis, address, open: (master) => new BulkConnection(master, log) });
  }

  at(key: string): BulkRoute | undefined {
    const connection = this.connections.at(key);
    return connection?.ready === true ? connection : undefined;
  }

  start(): Promise<void> {
    return this.connections.start();
  }

  stop(): void {
    this.connections.stop();
  }
}
