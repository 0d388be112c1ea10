import { ApiError } from "../../shared/contract/api-error.js";
import { internal } from "../../shared/contract/errors.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import { OpenOutput, outputContext, type CommandHead, type Outcome } from "../../shared/bus/envelope.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

export interface OpenOutcomeParts {
  readonly cache: RedisClient;
  readonly ring: Pick<KeyRing, "open">;
}

/** Returns the output of an outcome, read from the cache if it is stored there. Rejects with the `ApiError` for the caller. */
export async function openOutcome(
  { cache, ring }: OpenOutcomeParts,
  envelope: Pick<CommandHead, "id" | "session">,
  outcome: Outcome,
  { late }: CommandFacts,
): Promise<unknown> {
  switch (outcome.kind) {
    case "ok":
      return outcome.output instanceof OpenOutput ? outcome.output.value : openOutput(ring, envelope, outcome.output);
    case "ok-stored": {
      const text = await cache.getdel(keys.bigReply(envelope.id));
      if (text === null) throw internal(new Error("stored reply is gone"));
      return openOutput(ring, envelope, text);
    }
    case "error": {
      const { status, message, retryAfterSeconds, replayed = false } = outcome;
      throw new ApiError(status, message, { replayed, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
    }
    case "moved":
    case "expired":
      throw late();
    default:
      return outcome satisfies never;
  }
}

function openOutput(ring: Pick<KeyRing, "open">, envelope: Pick<CommandHead, "id" | "session">, sealed: unknown): unknown {
  try {
    return JSON.parse(ring.open(Buffer.isBuffer(sealed) ? sealed : String(sealed), outputContext(envelope)).toString());
  } catch (error) {
    throw internal(error);
  }
}
