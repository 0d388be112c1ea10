import { ApiError } from "../../shared/contract/api-error.js";
import { internal } from "../../shared/contract/errors.js";
import type { CommandFacts } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Outcome } from "../../shared/bus/envelope.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

/** The output that an outcome holds, or leads to; rejects with the `ApiError` that its caller reads. */
export async function openOutcome(cache: RedisClient, id: CommandId, outcome: Outcome, { late }: CommandFacts): Promise<unknown> {
  switch (outcome.kind) {
    case "ok":
      return outcome.output;
    case "ok-stored": {
      const text = await cache.getdel(keys.bigReply(id));
      if (text === null) throw internal(new Error("stored reply is gone"));
      return JSON.parse(text);
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
