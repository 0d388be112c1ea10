import { idempotencyKeyReused, storageUnavailable, tooManyIdempotencyKeys } from "../../../shared/contract/errors.js";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { SessionCredentials } from "../../../shared/contract/session.js";
import type { Idempotency } from "../../../shared/bus/envelope.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { idempotencyKeysMax, idempotencyMs } from "../../../shared/limits.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { redisTrouble } from "../../../shared/flow/redis-trouble.js";
import { script } from "../../../shared/redis/script.js";
import { integer, oneOf, text, tuple, literal } from "../../../shared/redis/script-reply.js";

/** Credentials of a new session. */
export interface NewPair extends SessionCredentials {
  readonly id: SessionId;
}

export interface Claim {
  readonly pair: NewPair;
  /** True if an earlier request with the key got this pair. */
  readonly replayed: boolean;
  /** True if that request's session was created. */
  readonly done: boolean;
}

export interface CreationMetrics {
  creationRepeated(outcome: "replayed" | "conflict" | "full"): void;
}

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const claimCreation = script<
  [creation: string, creationKeys: string],
  [lifetimeMs: number, mostKeys: number, sealedPlan: string, ...macs: string[]],
  ["NEW" | "OTHER"] | ["KNOWN", sealedPlan: string, done: 0 | 1] | ["FULL", waitMs: number]
>(
  lua("claim-creation"),
  oneOf(tuple(literal("NEW", "OTHER")), tuple(literal("KNOWN"), text, literal(0, 1)), tuple(literal("FULL"), integer)),
);
const finishCreation = script<[creation: string], [], 0 | 1>(lua("finish-creation"), literal(0, 1));

/**
 * Stores the sealed credentials of a `POST /session` with an idempotency key before the session is created. A repeat, even after the
 * router died, creates the same session again, which has no further effect.
 */
export class Creations {
  constructor(
    private readonly redis: RedisClient,
    private readonly ring: KeyRing,
    private readonly metrics: CreationMetrics,
  ) {}

  /**
   * Resolves with the planned pair: `fresh`, or that of the key's first request. Rejects with 422 for another body, 429 for too many keys,
   * 503 without Redis.
   */
  async claim(caller: string, { id, body }: Idempotency, fresh: NewPair): Promise<Claim> {
    const context = contextOf(caller, id);
    const plan = this.ring.seal(Buffer.from(JSON.stringify(fresh)), context);
    const reply = await claimCreation(
      this.redis,
      [keys.creation(caller, id), keys.creationKeys(caller)],
      [idempotencyMs, idempotencyKeysMax, plan, ...body],
    ).catch((error: unknown) => {
      throw redisTrouble(error) === undefined ? error : storageUnavailable(error);
    });
    switch (reply[0]) {
      case "NEW":
        return { pair: fresh, replayed: false, done: false };
      case "KNOWN":
        this.metrics.creationRepeated("replayed");
        return { pair: JSON.parse(this.ring.open(reply[1], context).toString()) as NewPair, replayed: true, done: reply[2] === 1 };
      case "OTHER":
        this.metrics.creationRepeated("conflict");
        throw idempotencyKeyReused();
      case "FULL":
        this.metrics.creationRepeated("full");
        throw tooManyIdempotencyKeys(reply[1]);
    }
  }

  /** Marks the session as created. Never rejects: without the mark a repeat creates the session again, which has no effect. */
  async finish(caller: string, { id }: Idempotency): Promise<void> {
    await finishCreation(this.redis, [keys.creation(caller, id)], []).catch(() => undefined);
  }
}

const contextOf = (caller: string, id: string): string => `v1|creation|${caller}|${id}`;
