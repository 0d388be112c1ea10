import { ApiError } from "../../shared/contract/api-error.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import { writeEnvelope } from "../../shared/bus/envelope-bytes.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import { bodyMaxBytes, commandStreamMax } from "../../shared/limits.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { isRefusedWrite } from "../../shared/flow/redis-trouble.js";
import { script } from "../../shared/redis/script.js";
import { integer, list, text } from "../../shared/redis/script-reply.js";
import type { NotSent } from "./call.js";
import type { OwnerPort } from "./owner-port.js";
import { commandTooLarge } from "../http/errors.js";

export interface CommandSenderOptions {
  writer: RedisClient;
  owners: Pick<OwnerPort, "owner">;
  log: Log;
}

/** Where a command stands. */
export interface Sent {
  readonly to: SlotOwner;
  readonly entry: string;
}

/** A try of a call that stands, or is being put, in the same stream. */
export type Ahead = Pick<Envelope, "id" | "attempt">;

/** Judges at the last moment whether a command may be put into that owner's stream, and behind which one it must stand there. */
export type Turn = (owner: SlotOwner) => { readonly behind: Ahead | undefined } | "BEHIND";

/** The entry's id, or why there is none. */
const enqueue = script<
  [commands: string, enqueued: string, ...ahead: string[]],
  [envelope: Buffer, mostEntries: number, markMs: number],
  string
>(new URL("./scripts/enqueue.lua", import.meta.url), text);
const gone = script<[commands: string], readonly string[], number[]>(new URL("./scripts/gone.lua", import.meta.url), list(integer));
const dedupeMs = 600_000;
/** Entries that one script looks for: Redis does nothing else meanwhile. */
const lookMost = 200;

/** Puts commands into the streams of the shards that own their sessions. */
export class CommandSender {
  constructor(private readonly options: CommandSenderOptions) {}

  /**
   * Resolves with where it stands, or with the reason why it does nowhere. `unsure`: Redis may have this try already. `BEHIND`: a command before it is not there yet.
   * Rejects with 413 when it is too long for a stream.
   */
  async send(envelope: Envelope, unsure: boolean, turn: Turn): Promise<Sent | NotSent | "BEHIND"> {
    let asked = unsure;
    try {
      const owner = await this.options.owners.owner(envelope.slot);
      if (owner === undefined) return unsure ? "UNSURE" : "NOMEMBER";
      const mine = turn(owner);
      if (mine === "BEHIND") return mine;
      // A connection that is known to be down refuses at once; on one that seems up the command is on its way, whatever becomes of the answer.
      asked ||= this.options.writer.status === "ready";
      return await this.enqueue(envelope, owner, mine.behind);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { id, requestId } = envelope;
      this.options.log.warn(
        { id, requestId, reason: error instanceof Error ? error.message : String(error) },
        "command could not be sent yet",
      );
      // A refusal is an answer: it was not enqueued, now as little as before.
      if (isRefusedWrite(error) && !unsure) return "NOREDIS";
      return asked ? "UNSURE" : "NOREDIS";
    }
  }

  /** Idempotent for one attempt. Rejects with Redis's trouble. */
  async enqueue(envelope: Envelope, owner: SlotOwner, ahead?: Ahead): Promise<Sent | "BUSY" | "NOMEMBER" | "BEHIND"> {
    const entry = writeEnvelope(envelope);
    if (entry.length > bodyMaxBytes * 2) throw commandTooLarge();
    const mark = ({ id, attempt }: Ahead): string => keys.enqueued(owner.member, id, attempt);
    const answer = await enqueue(
      this.options.writer,
      [keys.commands(owner.member), mark(envelope), ...(ahead === undefined ? [] : [mark(ahead)])],
      [entry, commandStreamMax, dedupeMs],
    );
    return answer === "BUSY" || answer === "NOMEMBER" || answer === "BEHIND" ? answer : { to: owner, entry: answer };
  }

  /** Those of the entries that stand in the member's stream no more. */
  async gone(member: string, entries: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let from = 0; from < entries.length; from += lookMost) {
      const some = entries.slice(from, from + lookMost);
      for (const place of await gone(this.options.writer, [keys.commands(member)], some)) missing.push(some[place - 1] ?? "");
    }
    return missing;
  }

  /** The caller has gone: the shard stops working for it. Best effort: without it the command runs to its deadline. */
  cancel({ id }: Envelope, { member }: SlotOwner): void {
    this.options.writer.xadd(keys.commands(member), "NOMKSTREAM", "*", "x", id).catch(() => undefined);
  }
}
