import { randomBytes } from "node:crypto";
import { isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { channels, keys } from "../../shared/redis/keys.js";
import { keptText } from "../../shared/tenant/kept-by-shards.js";
import { parseKey, parseTenant, type KeyRecord, type TenantRecord } from "./records.js";
import * as scripts from "./scripts.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";

/** All tenants and keys of one version. */
export interface Directory {
  readonly version: string;
  readonly tenants: ReadonlyMap<TenantName, TenantRecord>;
  readonly keys: readonly KeyRecord[];
  /** Sealed proxies by key id. */
  readonly keyProxies: ReadonlyMap<string, string>;
  /** Number of unreadable records. They stay stored and grant nothing. */
  readonly unreadable: number;
}

/** Every router holds them all in memory: about 4 MB, and 15 MB more if each key has the longest possible proxy. */
export const tenantsMax = 10_000;
export const keysMax = 10_000;

/**
 * Tenants and keys in Redis. Every change creates a new version and is announced. Rejects with 503 `storage unavailable` when Redis fails.
 */
export class DirectoryStore {
  constructor(private readonly redis: RedisClient) {}

  /** Empty before the first change. */
  async version(): Promise<string> {
    return (await orStorageUnavailable(this.redis.get(keys.directoryVersion))) ?? "";
  }

  async read(): Promise<Directory> {
    const [version, tenantRows, keyRows, proxyRows] = await orStorageUnavailable(
      scripts.readDirectory(this.redis, [keys.directoryVersion, keys.tenants, keys.apiKeys, keys.keyProxies], []),
    );
    const tenants = valuesOf(tenantRows).map(parseTenant);
    const stored = valuesOf(keyRows).map(parseKey);
    return {
      version,
      tenants: new Map(tenants.flatMap((tenant) => (tenant !== undefined && isTenantName(tenant.name) ? [[tenant.name, tenant]] : []))),
      keys: stored.filter((key) => key !== undefined),
      keyProxies: pairsOf(proxyRows),
      unreadable: [...tenants, ...stored].filter((record) => record === undefined).length,
    };
  }

  /** Returns the sealed proxies of these tenants in the same order; empty for tenants without one. */
  async proxies(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    return (await orStorageUnavailable(this.redis.hmget(keys.tenantProxies, ...names))).map((sealed) => sealed ?? "");
  }

  /** Returns when each key was last used, ISO 8601, by key id. */
  uses(): Promise<Readonly<Record<string, string>>> {
    return orStorageUnavailable(this.redis.hgetall(keys.apiKeyUses));
  }

  /** Stores the last uses. Skips keys that were revoked meanwhile. */
  async touch(uses: ReadonlyMap<string, string>): Promise<void> {
    await orStorageUnavailable(scripts.touchKeys(this.redis, [keys.apiKeys, keys.apiKeyUses], [...uses].flat()));
  }

  /** `proxy`: sealed; empty for none. */
  createTenant(tenant: TenantRecord, proxy = ""): Promise<"DONE" | "EXISTS" | "FULL"> {
    return orStorageUnavailable(
      scripts.createTenant(
        this.redis,
        [keys.directoryVersion, keys.tenants, keys.tenantQuotas, keys.tenantProxies],
        [newVersion(), channels.directory, tenant.name, JSON.stringify(tenant), keptText(tenant.quotas, tenant.pace), tenantsMax, proxy],
      ),
    );
  }

  /** `proxy`: sealed; empty for none, `undefined` keeps the stored one. */
  changeTenant(before: TenantRecord, after: TenantRecord, proxy?: string): Promise<"DONE" | "CHANGED" | "GONE"> {
    return orStorageUnavailable(
      scripts.changeTenant(
        this.redis,
        [keys.directoryVersion, keys.tenants, keys.tenantQuotas, keys.tenantProxies],
        [
          newVersion(),
          channels.directory,
          before.name,
          JSON.stringify(before),
          JSON.stringify(after),
          keptText(after.quotas, after.pace),
          proxy ?? "=",
        ],
      ),
    );
  }

  deleteTenant(name: TenantName): Promise<"DONE" | "SESSIONS" | "GONE"> {
    return orStorageUnavailable(
      scripts.deleteTenant(
        this.redis,
        [
          keys.directoryVersion,
          keys.tenants,
          keys.apiKeys,
          keys.apiKeyUses,
          keys.tenantSessions(name),
          keys.tenantQuotas,
          keys.tenantProxies,
          keys.keyProxies,
        ],
        [newVersion(), channels.directory, name],
      ),
    );
  }

  /** `proxy`: sealed; empty for none. */
  createKey(key: KeyRecord, proxy = ""): Promise<"DONE" | "NOTENANT" | "FULL"> {
    return orStorageUnavailable(
      scripts.createKey(
        this.redis,
        [keys.directoryVersion, keys.tenants, keys.apiKeys, keys.keyProxies],
        [newVersion(), channels.directory, key.tenant, key.id, JSON.stringify(key), keysMax, proxy],
      ),
    );
  }

  /** `proxy`: sealed; empty for none. */
  changeKeyProxy(id: string, proxy: string): Promise<"DONE" | "GONE"> {
    return orStorageUnavailable(
      scripts.changeKeyProxy(
        this.redis,
        [keys.directoryVersion, keys.apiKeys, keys.keyProxies],
        [newVersion(), channels.directory, id, proxy],
      ),
    );
  }

  deleteKey(id: string): Promise<"DONE" | "GONE"> {
    return orStorageUnavailable(
      scripts.deleteKey(
        this.redis,
        [keys.directoryVersion, keys.apiKeys, keys.apiKeyUses, keys.keyProxies],
        [newVersion(), channels.directory, id],
      ),
    );
  }
}

/** Random, because a Redis restored from a backup could count to the same number again. */
function newVersion(): string {
  return randomBytes(8).toString("hex");
}

function pairsOf(rows: readonly string[]): Map<string, string> {
  return new Map(rows.flatMap((name, index) => (index % 2 === 0 ? [[name, rows[index + 1] ?? ""] as const] : [])));
}

function valuesOf(rows: readonly string[]): string[] {
  return rows.filter((_, index) => index % 2 === 1);
}
