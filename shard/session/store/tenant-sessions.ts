import type { SessionId } from "../../../shared/contract/ids.js";
import { defaultTenant, isTenantName, type TenantName } from "../../../shared/contract/tenant.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";

/** Returns the tenant that owns a stored session. */
export function tenantIn(stored: string | null | undefined): TenantName {
  return isTenantName(stored) ? stored : defaultTenant;
}

const batch = 1_000;

/**
 * The sessions of each tenant, which its quota counts. They are written after the records, in another slot, so no failed write may fail a
 * session: the next owner adds what it loads, and routers remove what is gone.
 */
export class TenantSessions {
  constructor(private readonly redis: RedisClient) {}

  async add(sessions: readonly { readonly id: SessionId; readonly tenant: TenantName }[]): Promise<void> {
    const byTenant = new Map<TenantName, SessionId[]>();
    for (const { id, tenant } of sessions) {
      const ids = byTenant.get(tenant);
      if (ids === undefined) byTenant.set(tenant, [id]);
      else ids.push(id);
    }
    for (const [tenant, ids] of byTenant)
      for (let start = 0; start < ids.length; start += batch)
        await this.redis.sadd(keys.tenantSessions(tenant), ...ids.slice(start, start + batch)).catch(followsLater);
  }

  async remove(tenant: TenantName, id: SessionId): Promise<void> {
    await this.redis.srem(keys.tenantSessions(tenant), id).catch(followsLater);
  }
}

const followsLater = (): void => undefined;
