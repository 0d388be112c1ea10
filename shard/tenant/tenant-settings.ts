import type { TenantName } from "../../shared/contract/tenant.js";
import type { KeyRing } from "../../shared/crypto/key-ring.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { DirectoryWatch } from "../../shared/tenant/directory-watch.js";
import { parseShardQuotas, shardQuotasVersion, type ShardQuotas } from "../../shared/tenant/shard-quotas.js";
import { tenantProxyContext } from "../../shared/tenant/tenant-proxy.js";

export interface TenantSettingsOptions {
  readonly redis: RedisClient;
  readonly subscriber: RedisClient;
  readonly ring: Pick<KeyRing, "open">;
  /** What these tenants' sessions go through is another now. */
  readonly onProxies?: (tenants: ReadonlySet<TenantName>) => void;
  readonly log: Log;
}

interface View {
  readonly version: string;
  readonly quotas: ReadonlyMap<string, ShardQuotas>;
  readonly proxies: ReadonlyMap<TenantName, Proxy>;
}

interface Proxy {
  readonly sealed: string;
  /** `undefined`: it does not open. */
  readonly text: string | undefined;
}

/** What a shard knows of tenants: the quotas that it keeps and the proxies of their sessions, as of a second ago at the most. Bounded by the number of tenants. */
export class TenantSettings {
  private quotas: View["quotas"] = new Map();
  /** `undefined` before the first look: there may be proxies. */
  private proxies: View["proxies"] | undefined;
  private readonly watch: DirectoryWatch<View>;

  constructor(private readonly options: TenantSettingsOptions) {
    const { redis, subscriber, log } = options;
    this.watch = new DirectoryWatch({
      version: async () => (await redis.hget(keys.tenantQuotas, shardQuotasVersion)) ?? "",
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
    return this.quotas.get(tenant)?.[quota];
  }

  /** Empty where the tenant has none; `undefined` where that cannot be said, or the proxy cannot be read. */
  proxyOf(tenant: TenantName): string | undefined {
    if (this.proxies === undefined) return undefined;
    const proxy = this.proxies.get(tenant);
    return proxy === undefined ? "" : proxy.text;
  }

  /** The version first: what changes behind it is read once more. */
  private async read(): Promise<View> {
    const { redis } = this.options;
    const { [shardQuotasVersion]: version = "", ...quotas } = await redis.hgetall(keys.tenantQuotas);
    const proxies = Object.entries(await redis.hgetall(keys.tenantProxies)) as [TenantName, string][];
    return {
      version,
      quotas: new Map(Object.entries(quotas).map(([name, text]) => [name, parseShardQuotas(text)])),
      proxies: new Map(proxies.map(([name, sealed]) => [name, this.open(name, sealed)])),
    };
  }

  private open(tenant: TenantName, sealed: string): Proxy {
    const known = this.proxies?.get(tenant);
    if (known?.sealed === sealed && known.text !== undefined) return known;
    try {
      return { sealed, text: this.options.ring.open(sealed, tenantProxyContext(tenant)).toString() };
    } catch {
      this.options.log.error({ tenant }, "a tenant's proxy cannot be opened: its sessions do not connect");
      return { sealed, text: undefined };
    }
  }

  private take({ quotas, proxies }: View): void {
    const before = this.proxies;
    this.quotas = quotas;
    this.proxies = proxies;
    if (before === undefined) return;
    const names = new Set([...before.keys(), ...proxies.keys()]);
    const others = [...names].filter((name) => before.get(name)?.text !== proxies.get(name)?.text);
    if (others.length > 0) this.options.onProxies?.(new Set(others));
  }
}
