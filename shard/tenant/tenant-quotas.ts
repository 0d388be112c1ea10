import type { TenantName } from "../../shared/contract/tenant.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { DirectoryWatch } from "../../shared/tenant/directory-watch.js";
import { parseShardQuotas, shardQuotasVersion, type ShardQuotas } from "../../shared/tenant/shard-quotas.js";

export interface TenantQuotasOptions {
  readonly redis: RedisClient;
  readonly subscriber: RedisClient;
  readonly log: Log;
}

interface View {
  readonly version: string;
  readonly quotas: ReadonlyMap<string, ShardQuotas>;
}

/** The quotas that a shard keeps, of the tenants that have any, as of a second ago at the most. Bounded by the number of tenants. Before the first look there are none. */
export class TenantQuotas {
  private quotas: View["quotas"] = new Map();
  private readonly watch: DirectoryWatch<View>;

  constructor({ redis, subscriber, log }: TenantQuotasOptions) {
    this.watch = new DirectoryWatch({
      version: async () => (await redis.hget(keys.tenantQuotas, shardQuotasVersion)) ?? "",
      read: async () => viewOf(await redis.hgetall(keys.tenantQuotas)),
      take: ({ quotas }) => (this.quotas = quotas),
      subscriber,
      log,
    });
  }

  start(): Promise<void> {
    return this.watch.start();
  }

  stop(): Promise<void> {
    return this.watch.stop();
  }

  limitOf(tenant: TenantName, quota: keyof ShardQuotas): number | undefined {
    return this.quotas.get(tenant)?.[quota];
  }
}

function viewOf({ [shardQuotasVersion]: version = "", ...tenants }: Record<string, string>): View {
  return { version, quotas: new Map(Object.entries(tenants).map(([name, text]) => [name, parseShardQuotas(text)])) };
}
