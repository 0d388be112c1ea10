import type { Outcome } from "../../shared/bus/envelope.js";
import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import { replyInlineMaxBytes } from "../../shared/limits.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { script } from "../../shared/redis/script.js";
import { integer, oneOf, text, tuple, word } from "../../shared/redis/script-reply.js";

export type Begun =
  | { kind: "run"; repeats: number }
  /** It ran before: this was its outcome. */
  | { kind: "done"; outcome: Outcome }
  /** It was begun before, may have had its effect, and must not run twice. */
  | { kind: "unknown" };

/** What stands of a command before it is begun here: its outcome, `begun` when an owner died over it, or nothing. */
export type Earlier = Outcome | "begun" | undefined;

/** A Redis that takes no writes is waited for so long before anything has begun, as routers wait for one that does not answer. */
export const refusedWaitMs = 5_000;
const lifetimeMs = 15 * 60_000;
const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);

const beginRecord = script<
  [owner: string, result: string],
  [token: SlotToken, commandClass: Exclude<CommandClass, "read">, lifetimeMs: number, claim: string],
  ["NEW" | "UNKNOWN"] | ["RETRY", times: number] | ["DONE", outcome: string]
>(lua("begin"), oneOf(tuple(word("NEW", "UNKNOWN")), tuple(word("RETRY"), integer), tuple(word("DONE"), text)));
const finishRecord = script<[owner: string, result: string], [token: SlotToken, outcome: string, lifetimeMs: number], 1>(
  lua("finish"),
  word(1),
);

/** The begin/finish records that make a redelivered command harmless. Reads keep none. */
export class CommandLog {
  constructor(private readonly redis: RedisClient) {}

  /** `claim` names the run that begins: called again under it, the answer is the same. Rejects with `FencedError` when the slot has another owner. */
  async begin(slot: number, token: SlotToken, id: CommandId, commandClass: Exclude<CommandClass, "read">, claim: string): Promise<Begun> {
    const answer = await beginRecord(this.redis, [keys.owner(slot), keys.result(slot, id)], [token, commandClass, lifetimeMs, claim]);
    switch (answer[0]) {
      case "NEW":
        return { kind: "run", repeats: 0 };
      case "RETRY":
        return { kind: "run", repeats: answer[1] - 1 };
      case "DONE":
        return { kind: "done", outcome: JSON.parse(answer[1]) as Outcome };
      case "UNKNOWN":
        return { kind: "unknown" };
    }
  }

  async look(slot: number, id: CommandId): Promise<Earlier> {
    const [state, outcome] = await this.redis.hmget(keys.result(slot, id), "st", "out");
    if (state === "done" && outcome != null) return JSON.parse(outcome) as Outcome;
    return state === "started" ? "begun" : undefined;
  }

  /** An outcome too long for a record is kept as an error of that name: such commands are reads, which keep no record. */
  async finish(slot: number, token: SlotToken, id: CommandId, outcome: Outcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const kept =
      text.length <= replyInlineMaxBytes
        ? text
        : JSON.stringify({ kind: "error", status: 500, message: "internal server error" } satisfies Outcome);
    await finishRecord(this.redis, [keys.owner(slot), keys.result(slot, id)], [token, kept, lifetimeMs]);
  }
}
