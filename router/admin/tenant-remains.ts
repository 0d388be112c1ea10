import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import { markGone } from "../../shared/session/gone-secrets.js";
import { slotCount } from "../../shared/limits.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { eventsAfter, firstPosition } from "./live-events/stored-events.js";
import { eraseTrash } from "../tenant/scripts.js";

const slotsAtOnce = 128;
const eventsPerRead = 1_000;
const dayMs = 86_400_000;

/**
 * Erases the remaining data of a deleted tenant. It would expire within two days, but a new tenant with the same name must not inherit its
 * counts.
 */
export class TenantRemains {
  constructor(private readonly redis: RedisClient) {}

  /** `keyIds`: the API keys that the tenant had. Idempotent. */
  async erase(tenant: TenantName, keyIds: readonly string[]): Promise<void> {
    await this.eraseTrash(tenant);
    await this.eraseEvents(tenant);
    for (const keyId of keyIds) await this.eraseCreations(`${tenant}.${keyId}`);
    await this.deleteEach(countersOf(tenant, Date.now()));
  }

  /** Works slot by slot in small pipelines, so that neither Redis nor this process blocks. */
  private async eraseTrash(tenant: TenantName): Promise<void> {
    for (let slot = 0; slot < slotCount; slot += slotsAtOnce) {
      const slots = Array.from({ length: Math.min(slotsAtOnce, slotCount - slot) }, (_, index) => slot + index);
      const ids = (await Promise.all(slots.map((at) => this.redis.zrange(keys.slotTrash(at), "0", "-1")))).flat().filter(isSessionId);
      const owners = await Promise.all(ids.map((id) => this.redis.hget(keys.trash(keys.session(id)), "tenant")));
      for (const id of ids.filter((_, index) => owners[index] === tenant)) await this.eraseSession(tenant, id);
    }
  }

  /** The record holds the data key. Other trashed data of the session cannot be decrypted without it, and expires within a day. */
  private async eraseSession(tenant: TenantName, id: SessionId): Promise<void> {
    await markGone(this.redis);
    await eraseTrash(this.redis, [keys.slotTrash(slotOf(id)), keys.trash(keys.session(id))], [id, tenant]);
  }

  private async eraseEvents(tenant: TenantName): Promise<void> {
    for (let after = firstPosition; ; ) {
      const rows = await eventsAfter(this.redis, after, eventsPerRead);
      const ids = rows.flatMap(({ id, event }) => (event !== undefined && "tenant" in event && event.tenant === tenant ? [id] : []));
      if (ids.length > 0) await this.redis.xdel(keys.liveEvents, ...ids);
      const last = rows.at(-1);
      if (last === undefined || rows.length < eventsPerRead) return;
      after = last.id;
    }
  }

  /** Deletes the plans of sessions created with an idempotency key, because each holds a sealed session secret. */
  private async eraseCreations(caller: string): Promise<void> {
    const list = keys.creationKeys(caller);
    await this.deleteEach([...(await this.redis.zrange(list, "0", "-1")), list]);
  }

  /** Deletes keys one by one, because on a Redis Cluster they lie in different slots. */
  private async deleteEach(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.redis.del(name)));
  }
}

function countersOf(tenant: TenantName, now: number): string[] {
  const days = [-dayMs, 0, dayMs].map((offset) => new Date(now + offset).toISOString().slice(0, 10));
  return [
    keys.tenantRequests(tenant),
    keys.tenantMediaBytes(tenant),
    keys.tenantMoves(tenant),
    ...(["inFlight", "downloads", "webhooks"] as const).map((quota) => keys.tenantPlaces(tenant, quota)),
    ...days.map((day) => keys.tenantMessages(tenant, day)),
  ];
}
