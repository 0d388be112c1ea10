import { createHash } from "node:crypto";
import type { CommandId } from "../../../shared/contract/ids.js";
import type { Idempotency } from "../../../shared/bus/envelope.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { canonicalJson } from "./canonical-json.js";

/** What a request with an idempotency key asks for. */
export interface KeyedRequest {
  /** Within which its key is unique: a session, or the caller who creates one. */
  readonly scope: string;
  readonly key: string;
  /** The endpoint: a key that was used on one is not for another. */
  readonly endpoint: string;
  readonly body: unknown;
}

/** By what every router and shard knows a request again. The id derives from scope and key alone, and the body is known by its MACs, so that neither stands anywhere in the clear. */
export function identify(ring: Pick<KeyRing, "macs">, { scope, key, endpoint, body }: KeyedRequest): Idempotency {
  const id = createHash("sha256")
    .update(JSON.stringify(["idempotency", scope, key]))
    .digest("hex")
    .slice(0, idLength) as CommandId;
  return { id, body: ring.macs(canonicalJson([endpoint, scope, body]), "request") };
}

const idLength = 32;
