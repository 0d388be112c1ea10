import { tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { takeTokens } from "./scripts.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";

/** Moves per tenant and hour. A moved slot takes other tenants' sessions along, so the limit is low. Operators have none. */
export const movesPerHour = 10;

export interface MovePort {
  /** Counts a move that a tenant requests. Rejects with 429 past the hourly limit and with 503 when Redis fails. */
  take(tenant: TenantName): Promise<void>;
}

/** Counts the moves of all tenants in Redis buckets, so that the limit holds over all routers. */
export class SessionMoves implements MovePort {
  constructor(
    private readonly redis: RedisClient,
    private readonly metrics: { moveRefused(): void },
  ) {}

  async take(tenant: TenantName): Promise<void> {
    const [given, , waitMs] = await orStorageUnavailable(
      takeTokens(this.redis, [keys.tenantMoves(tenant)], [movesPerHour / 3_600, movesPerHour, 1]),
    );
    if (given > 0) return;
    this.metrics.moveRefused();
    throw tooManyRequests(waitMs);
  }
}
