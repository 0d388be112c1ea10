import { createHash } from "node:crypto";
import type { CommandId } from "../../../shared/contract/ids.js";
import type { Idempotency } from "../../../shared/bus/envelope.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { canonicalJson } from "./canonical-json.js";

/** Content of a request with an idempotency key. */
export interface KeyedRequest {
  /** Scope in which the key is unique: a session, or the caller who creates one. */
  readonly scope: string;
  readonly key: string;
  /** A key that was used for one endpoint does not match another. */
  readonly endpoint: string;
  readonly body: unknown;
}

/**
 * Returns the identity by which every router and shard recognizes a repeat. It has a hash of scope and key and MACs of the body, so
 * neither is stored in clear text.
 */
export function identify(ring: Pick<KeyRing, "macs">, { scope, key, endpoint, body }: KeyedRequest): Idempotency {
  const id = createHash("sha256")
    .update(JSON.stringify(["idempotency", scope, key]))
    .digest("hex")
    .slice(0, idLength) as CommandId;
  return { id, body: ring.macs(canonicalJson([endpoint, scope, body]), "request") };
}

const idLength = 32;
