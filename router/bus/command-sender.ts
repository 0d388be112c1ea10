import { ApiError } from "../../shared/contract/api-error.js";
import { inputContext, type CommandHead, type OpenEnvelope } from "../../shared/bus/envelope.js";
import { writeEnvelope } from "../../shared/bus/envelope-bytes.js";
import type { LocalBus } from "../../shared/bus/local-bus.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
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
  ring: Pick<KeyRing, "sealBytes">;
  /** Reaches the shard of this process, if there is one. */
  local?: LocalBus | undefined;
  log: Log;
}

/** Stream and entry of an enqueued command. */
export interface Sent {
  readonly to: SlotOwner;
  readonly entry: string;
}

/** A try of an earlier call that is in the same stream or on its way there. */
export type Ahead = Pick<CommandHead, "id" | "attempt">;

/** Decides right before the write whether the command may enter the owner's stream, and behind which earlier try. */
export type Turn = (owner: SlotOwner) => { readonly behind: Ahead | undefined } | "BEHIND";

/** Returns the entry's id, or the reason why the command was not enqueued. */
const enqueue = script<
  [commands: string, enqueued: string, ...ahead: string[]],
  [envelope: Buffer, mostEntries: number, markMs: number],
  string
>(new URL("./scripts/enqueue.lua", import.meta.url), text);
const gone = script<[commands: string], readonly string[], number[]>(new URL("./scripts/gone.lua", import.meta.url), list(integer));
const dedupeMs = 600_000;
/** Most entries per script run, because Redis runs nothing else meanwhile. */
const checksMax = 200;

/** Writes commands into the streams of the shards that own their sessions, or hands them to the shard of this process. */
export class CommandSender {
  constructor(private readonly options: CommandSenderOptions) {}

  /**
   * Resolves with the stream and entry, or with the reason why there is none. `unsure`: Redis may already have this try. `BEHIND`: an
   * earlier command is not in the stream. Rejects with 413 when the command is too long.
   */
  async send(envelope: OpenEnvelope, unsure: boolean, turn: Turn): Promise<Sent | NotSent | "BEHIND"> {
    let maySent = unsure;
    try {
      const owner = await this.options.owners.owner(envelope.slot);
      if (owner === undefined) return unsure ? "UNSURE" : "NOMEMBER";
      const mine = turn(owner);
      if (mine === "BEHIND") return mine;
      // A connection that is known to be down rejects at once. On a ready connection the write may take effect even if its reply is lost.
      maySent ||= this.options.writer.status === "ready" && !this.isLocal(owner);
      const sent = await this.enqueue(envelope, owner, mine.behind);
      // This owner does not have the try, but the stream of an earlier owner may.
      return unsure && (sent === "BUSY" || sent === "NOMEMBER") ? "UNSURE" : sent;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { id, requestId } = envelope;
      this.options.log.warn({ id, requestId, reason: error instanceof Error ? error.message : String(error) }, "command send failed");
      // An error reply proves that this write was not enqueued.
      if (isRefusedWrite(error) && !unsure) return "NOREDIS";
      return maySent ? "UNSURE" : "NOREDIS";
    }
  }

  /** Enqueues one attempt; repeating the attempt has no further effect. Rejects with the error of Redis. */
  async enqueue(envelope: OpenEnvelope, owner: SlotOwner, ahead?: Ahead): Promise<Sent | "BUSY" | "NOMEMBER" | "BEHIND"> {
    const { writer, ring, local } = this.options;
    if (local !== undefined && this.isLocal(owner)) {
      // The bus may have refused the earlier call as BUSY, and had room again since.
      if (ahead !== undefined) return "BEHIND";
      const entry = local.enqueue(envelope);
      return entry === "BUSY" ? entry : { to: owner, entry };
    }
    const input = ring.sealBytes(Buffer.from(JSON.stringify(envelope.opened)), inputContext(envelope.id));
    const entry = writeEnvelope({ input, ...envelope });
    if (entry.length > bodyMaxBytes * 2) throw commandTooLarge();
    const mark = ({ id, attempt }: Ahead): string => keys.enqueued(owner.member, id, attempt);
    const reply = await enqueue(
      writer,
      [keys.commands(owner.member), mark(envelope), ...(ahead === undefined ? [] : [mark(ahead)])],
      [entry, commandStreamMax, dedupeMs],
    );
    return reply === "BUSY" || reply === "NOMEMBER" || reply === "BEHIND" ? reply : { to: owner, entry: reply };
  }

  /** Returns the given entries that are no longer in the member's stream. */
  async gone(member: string, entries: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let from = 0; from < entries.length; from += checksMax) {
      const some = entries.slice(from, from + checksMax);
      for (const place of await gone(this.options.writer, [keys.commands(member)], some)) missing.push(some[place - 1] ?? "");
    }
    return missing;
  }

  /** Makes the shard stop work for a caller that has gone. Best effort: if the write fails, the command runs to its deadline. */
  cancel({ id }: CommandHead, owner: SlotOwner): void {
    if (this.isLocal(owner)) return this.options.local?.cancel(id);
    const { member } = owner;
    this.options.writer.xadd(keys.commands(member), "NOMKSTREAM", "*", "x", id).catch(() => undefined);
  }

  /** Returns whether the owner is the shard of this process. */
  isLocal({ member }: Pick<SlotOwner, "member">): boolean {
    return this.options.local?.serves(member) === true;
  }
}
