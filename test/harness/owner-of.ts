import { readOwners } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import type { Caller } from "./api.js";
import type { Gateway } from "./gateway.js";

/** Returns the member that owns the slot of a caller's session; empty without an owner. */
export async function ownerOf({ redisUrl }: Pick<Gateway, "redisUrl">, { credentials: { id } }: Caller): Promise<string> {
  const redis = await connectRedis(redisUrl, "writer", silentLog);
  try {
    const [owner] = isSessionId(id) ? await readOwners(redis, [slotOf(id)]) : [];
    return owner?.member ?? "";
  } finally {
    redis.disconnect();
  }
}
