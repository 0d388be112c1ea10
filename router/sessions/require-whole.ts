import { storageUnavailable } from "../../shared/contract/errors.js";
import type { SchemaFollower } from "../../shared/cluster/schema/schema-follower.js";

/** Rejects with 503 `storage unavailable` if Redis has lost data: a missing record then does not prove that there is none. */
export async function requireWhole(schema: Pick<SchemaFollower, "isWhole">): Promise<void> {
  if (!(await schema.isWhole())) throw storageUnavailable(new Error("redis does not hold what it held"));
}
