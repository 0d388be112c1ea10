import type { Outcome } from "../../shared/bus/envelope.js";
import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { idempotencyKeysMax, idempotencyMs, replyInlineMaxBytes } from "../../shared/limits.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { script } from "../../shared/redis/script.js";
import { bytes, bytesOrNull, integer, oneOf, textOrNull, tuple, literal } from "../../shared/redis/script-reply.js";
import { judgeRecord, type Begun, type Earlier, type KeyedRequest } from "./record-plan.js";

/** How long a command that has not begun waits for a Redis that rejects writes. Routers wait as long for a Redis that is down. */
export const refusedWaitMs = 5_000;
const commandMs = 15 * 60_000;
const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);

const beginRecord = script<
  [owner: string, result: string, idempotencyKeys: string],
  [token: SlotToken, commandClass: Exclude<CommandClass, "read">, lifetimeMs: number, claim: string, ...keyed: (string | number)[]],
  ["NEW" | "UNKNOWN" | "OTHER"] | ["RETRY" | "FULL", number: number] | ["DONE", outcome: Buffer, ofEarlier: 0 | 1]
>(
  lua("begin"),
  oneOf(tuple(literal("NEW", "UNKNOWN", "OTHER")), tuple(literal("RETRY", "FULL"), integer), tuple(literal("DONE"), bytes, literal(0, 1))),
  { isKept: true },
);
const finishRecord = script<
  [owner: string, result: string, ...keyed: [] | [idempotencyKeys: string, session: string]],
  [token: SlotToken, outcome: Buffer, lifetimeMs: number, runsAgain: "1" | ""],
  1
>(lua("finish"), literal(1));
const readRecord = script<
  [result: string],
  [],
  [state: string | null, outcome: Buffer | null, requestId: string | null, mac: string | null, again: string | null]
>(lua("read"), tuple(textOrNull, bytesOrNull, textOrNull, textOrNull, textOrNull));

/** Stores the begin and finish records that make redelivered commands and repeated idempotent requests harmless. Reads keep no record. */
export class CommandLog {
  constructor(
    private readonly redis: RedisClient,
    private readonly ring: KeyRing,
  ) {}

  /**
   * Records that the run named by `claim` begins. Repeating the call with the same claim returns the same result. Rejects with
   * `FencedError` when another shard owns the slot.
   */
  async begin(
    slot: number,
    token: SlotToken,
    id: CommandId,
    commandClass: Exclude<CommandClass, "read">,
    claim: string,
    request?: KeyedRequest,
  ): Promise<Begun> {
    const keyed = request === undefined ? [] : [request.id, idempotencyKeysMax, ...request.body];
    const reply = await beginRecord(
      this.redis,
      [keys.owner(slot), keys.result(slot, id), request === undefined ? keys.result(slot, id) : keys.idempotencyKeys(request.session)],
      [token, commandClass, lifetimeOf(request), claim, ...keyed],
    );
    switch (reply[0]) {
      case "NEW":
        return { kind: "run", repeats: 0 };
      case "RETRY":
        return { kind: "run", repeats: reply[1] - 1 };
      case "DONE":
        return { kind: "done", outcome: this.open(id, reply[1], reply[2] === 1) };
      case "UNKNOWN":
        return { kind: "unknown" };
      case "OTHER":
        return { kind: "other" };
      case "FULL":
        return { kind: "full", waitMs: reply[1] };
    }
  }

  async read(slot: number, id: CommandId, request?: KeyedRequest): Promise<Earlier> {
    const [state, outcome, requestId, mac, again] = await readRecord(this.redis, [keys.result(slot, id)], []);
    const judged = judgeRecord({ state, requestId, mac, again }, request);
    return judged === "done" || judged === "replay" ? this.open(id, outcome ?? Buffer.of(), judged === "replay") : judged;
  }

  /**
   * `runsAgain`: a later request of the same idempotency key runs the command again. An outcome too long for a record is kept as a 500
   * error: only reads return that much, and they keep no record.
   */
  async finish(slot: number, token: SlotToken, id: CommandId, outcome: Outcome, request?: KeyedRequest, runsAgain = false): Promise<void> {
    const text = JSON.stringify(outcome);
    const kept: Outcome = text.length <= replyInlineMaxBytes ? outcome : { kind: "error", status: 500, message: "internal server error" };
    await finishRecord(
      this.redis,
      [keys.owner(slot), keys.result(slot, id), ...keysOf(request)],
      [token, this.seal(id, kept), lifetimeOf(request), runsAgain ? "1" : ""],
    );
  }

  private seal(id: CommandId, outcome: Outcome): Buffer {
    return Buffer.concat([doneMark, this.ring.sealBytes(Buffer.from(keptText(outcome)), outcomeContext(id))]);
  }

  private open(id: CommandId, stored: Buffer, replayed: boolean): Outcome {
    const outcome = outcomeIn(this.ring.open(stored.subarray(doneMark.length), outcomeContext(id)).toString());
    return replayed && (outcome.kind === "ok" || outcome.kind === "error") ? { ...outcome, replayed } : outcome;
  }
}

function lifetimeOf(request: KeyedRequest | undefined): number {
  return request === undefined ? commandMs : idempotencyMs;
}

function keysOf(request: KeyedRequest | undefined): [] | [idempotencyKeys: string, session: string] {
  return request === undefined ? [] : [keys.idempotencyKeys(request.session), keys.session(request.session)];
}

/** Prefix of a stored outcome. A record without an outcome is a number and a claim (`begin.lua`). */
const doneMark = Buffer.from("+");

/** Stores an output, the most frequent outcome, as `=` and its JSON. */
function keptText(outcome: Outcome): string {
  return outcome.kind === "ok" && outcome.replayed === undefined ? `=${JSON.stringify(outcome.output ?? null)}` : JSON.stringify(outcome);
}

function outcomeIn(kept: string): Outcome {
  return kept.startsWith("=") ? { kind: "ok", output: JSON.parse(kept.slice(1)) as unknown } : (JSON.parse(kept) as Outcome);
}

const outcomeContext = (id: CommandId): string => `v1|outcome|${id}`;
