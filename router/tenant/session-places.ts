import { serverBusy, storageUnavailable } from "../../shared/contract/errors.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import { defaultTenant, type TenantLife, type TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { QuotaMetrics } from "./records.js";
import { reserveSession } from "./scripts.js";
import { sessionQuotaReached } from "../http/errors.js";

/** Places for a tenant's sessions. A place is reserved before the session is created. */
export interface PlacePort {
  /**
   * Reserves a place; idempotent per session. Resolves with false if this tenant was deleted, even if its name is in use again. Rejects
   * with 403 `session quota reached`, and with 503 when Redis fails.
   */
  reserve(owner: TenantLife, id: SessionId): Promise<boolean>;
  /** Frees the place of a session that will not be created. */
  release(tenant: TenantName, id: SessionId): Promise<void>;
}

/** A creation ends within 20 s. A place older than this without a session (an id holds its creation time) is abandoned. */
const createdWithinMs = 60_000;
/** Shortest time between two scans of a full tenant's places. */
const tidyEveryMs = 5_000;
const batch = 500;

/** Counts places of all tenants in Redis, so that a quota holds over all routers and for concurrent creations. */
export class SessionPlaces implements PlacePort {
  /** Running and recent scans. Bounded by the number of tenants. */
  private readonly tidied = new Map<TenantName, { readonly at: number; readonly freed: Promise<number> }>();

  constructor(
    private readonly redis: RedisClient,
    private readonly metrics: QuotaMetrics,
  ) {}

  async reserve(owner: TenantLife, id: SessionId): Promise<boolean> {
    const { tenant } = owner;
    let outcome: Awaited<ReturnType<typeof reserveSession>>;
    try {
      outcome = await this.take(owner, id);
      if (outcome === "FULL" && (await this.tidyNow(tenant)) > 0) outcome = await this.take(owner, id);
    } catch (error) {
      throw storageUnavailable(error);
    }
    if (outcome === "FULL") {
      this.metrics.quotaReached("sessions");
      throw sessionQuotaReached();
    }
    // The directory creates the default tenant again.
    if (outcome === "NOTENANT" && tenant === defaultTenant) throw serverBusy();
    return outcome === "DONE";
  }

  async release(tenant: TenantName, id: SessionId): Promise<void> {
    // If this fails, a later scan frees the place.
    await this.redis.srem(keys.tenantSessions(tenant), id).catch(() => undefined);
  }

  /**
   * Frees places of sessions that no longer exist, for example after a crash between the two writes of a deletion. Resolves with their
   * number.
   */
  async tidy(tenant: TenantName): Promise<number> {
    let [freed, cursor] = [0, "0"];
    do {
      const [next, found] = await this.redis.sscan(keys.tenantSessions(tenant), cursor, "COUNT", batch);
      const old = found.filter(isSessionId).filter((id) => Date.now() - madeAt(id) > createdWithinMs);
      const gone = await this.missing(old);
      if (gone.length > 0) {
        await this.redis.srem(keys.tenantSessions(tenant), ...gone);
        // A session may have been restored from the trash meanwhile.
        const missing = new Set(await this.missing(gone));
        const back = gone.filter((id) => !missing.has(id));
        if (back.length > 0) await this.redis.sadd(keys.tenantSessions(tenant), ...back);
        freed += missing.size;
      }
      cursor = next;
    } while (cursor !== "0");
    return freed;
  }

  private take({ tenant, incarnation }: TenantLife, id: SessionId): ReturnType<typeof reserveSession> {
    return reserveSession(this.redis, [keys.tenants, keys.tenantSessions(tenant)], [tenant, id, incarnation]);
  }

  /** Concurrent callers of a full tenant share one scan. */
  private tidyNow(tenant: TenantName): Promise<number> {
    const last = this.tidied.get(tenant);
    if (last !== undefined && performance.now() - last.at < tidyEveryMs) return last.freed;
    const freed = this.tidy(tenant);
    this.tidied.set(tenant, { at: performance.now(), freed });
    freed.catch(() => this.tidied.delete(tenant));
    return freed;
  }

  private async missing(ids: readonly SessionId[]): Promise<SessionId[]> {
    const exist = await Promise.all(ids.map((id) => this.redis.exists(keys.session(id))));
    return ids.filter((_, index) => exist[index] === 0);
  }
}

/** The first 4 bytes of an id are seconds. */
function madeAt(id: SessionId): number {
  return Number.parseInt(id.slice(0, 8), 16) * 1_000;
}
