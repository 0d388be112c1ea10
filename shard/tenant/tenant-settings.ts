import type { TenantName } from "../../shared/contract/tenant.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { DirectoryWatch } from "../../shared/tenant/directory-watch.js";
import { keptVersion, parseKept, type KeptByShards, type ShardQuotas } from "../../shared/tenant/kept-by-shards.js";
import type { OwnPace } from "../../shared/tenant/tenant-pace.js";
import { tenantProxyContext } from "../../shared/tenant/tenant-proxy.js";

export interface TenantSettingsOptions {
  readonly redis: RedisClient;
  readonly subscriber: RedisClient;
  readonly ring: Pick<KeyRing, "open">;
  /** Called when the proxies of these tenants' sessions changed. */
  readonly onProxies?: (tenants: ReadonlySet<TenantName>) => void;
  /** Called when the pace of these tenants' sessions changed. */
  readonly onPaces?: (tenants: ReadonlySet<TenantName>) => void;
  readonly log: Log;
}

interface View {
  readonly version: string;
  readonly kept: ReadonlyMap<TenantName, KeptByShards>;
  readonly proxies: ReadonlyMap<TenantName, Proxy>;
}

interface Proxy {
  readonly sealed: string;
  /** `undefined` if it does not open. */
  readonly text: string | undefined;
}

/** The tenant settings that a shard uses: quotas, pace and proxies, at most a second old. Bounded by the number of tenants. */
export class TenantSettings {
  private kept: View["kept"] = new Map();
  /** `undefined` before the first read: there may be proxies. */
  private proxies: View["proxies"] | undefined;
  private readonly watch: DirectoryWatch<View>;

  constructor(private readonly options: TenantSettingsOptions) {
    const { redis, subscriber, log } = options;
    this.watch = new DirectoryWatch({
      version: async () => (await redis.hget(keys.tenantQuotas, keptVersion)) ?? "",
      read: () => this.read(),
      take: (view) => this.take(view),
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
    return this.kept.get(tenant)?.[quota];
  }

  /** Returns the tenant's own pace, where it differs from the deployment's. */
  paceOf(tenant: TenantName): OwnPace {
    return this.kept.get(tenant)?.pace ?? none;
  }

  /** Returns the tenant's proxy: empty without one, `undefined` when it is unknown or cannot be read. */
  proxyOf(tenant: TenantName): string | undefined {
    if (this.proxies === undefined) return undefined;
    const proxy = this.proxies.get(tenant);
    return proxy === undefined ? "" : proxy.text;
  }

  /** Reads the version first, so that a change during the read is read once more. */
  private async read(): Promise<View> {
    const { redis } = this.options;
    const { [keptVersion]: version = "", ...rows } = await redis.hgetall(keys.tenantQuotas);
    const kept = Object.entries(rows) as [TenantName, string][];
    const proxies = Object.entries(await redis.hgetall(keys.tenantProxies)) as [TenantName, string][];
    return {
      version,
      kept: new Map(kept.map(([name, text]) => [name, parseKept(text)])),
      proxies: new Map(proxies.map(([name, sealed]) => [name, this.open(name, sealed)])),
    };
  }

  private open(tenant: TenantName, sealed: string): Proxy {
    const previous = this.proxies?.get(tenant);
    if (previous?.sealed === sealed && previous.text !== undefined) return previous;
    try {
      return { sealed, text: this.options.ring.open(sealed, tenantProxyContext(tenant)).toString() };
    } catch {
      this.options.log.error({ tenant }, "tenant proxy cannot be decrypted");
      return { sealed, text: undefined };
    }
  }

  private take({ kept, proxies }: View): void {
    const before = { kept: this.kept, proxies: this.proxies };
    this.kept = kept;
    this.proxies = proxies;
    const paced = otherIn(before.kept, kept, ({ pace }) => pace && JSON.stringify(pace));
    if (paced.size > 0) this.options.onPaces?.(paced);
    if (before.proxies === undefined) return;
    const rerouted = otherIn(before.proxies, proxies, ({ text }) => text);
    if (rerouted.size > 0) this.options.onProxies?.(rerouted);
  }
}

const none: OwnPace = {};

/** Returns the names for which `textOf` returns something else than before. */
function otherIn<Row>(
  before: ReadonlyMap<TenantName, Row>,
  after: ReadonlyMap<TenantName, Row>,
  textOf: (row: Row) => string | undefined,
): Set<TenantName> {
  const textIn = (rows: ReadonlyMap<TenantName, Row>, name: TenantName): string | undefined => {
    const row = rows.get(name);
    return row && textOf(row);
  };
  return new Set([...before.keys(), ...after.keys()].filter((name) => textIn(before, name) !== textIn(after, name)));
}
