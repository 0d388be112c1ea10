import { serverBusy, tooManyRequests } from "../../shared/contract/errors.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { takeTokens } from "./scripts.js";

/** A slot takes along whoever else has sessions in it, so a tenant moves few. An operator is not bound. */
export const movesPerHour = 10;

export interface MovePort {
  /** Counts a move that a tenant asks for; 429 when its hour has had them, 503 when Redis does not answer. */
  take(tenant: TenantName): Promise<void>;
}

/** The moves of all tenants, in buckets in Redis, so that the limit holds over all routers. */
export class SessionMoves implements MovePort {
  constructor(
    private readonly redis: RedisClient,
    private readonly metrics: { moveRefused(): void },
  ) {}

  async take(tenant: TenantName): Promise<void> {
    const [given, , waitMs] = await this.ask(tenant);
    if (given > 0) return;
    this.metrics.moveRefused();
    throw tooManyRequests(waitMs);
  }

  private async ask(tenant: TenantName): ReturnType<typeof takeTokens> {
    try {
      return await takeTokens(this.redis, [keys.tenantMoves(tenant)], [movesPerHour / 3_600, movesPerHour, 1]);
    } catch (error) {
      throw serverBusy(error);
    }
  }
}
