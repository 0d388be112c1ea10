import type { Envelope, Outcome, Reply } from "../../shared/bus/envelope.js";
import { replyInlineMaxBytes, replyMaxBytes } from "../../shared/limits.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

/** Reply streams are trimmed: a router that does not read is gone. Large outputs live for 60 s in the cache Redis. */
const replyStreamMax = 20_000;
const storedSeconds = 60;

/** Sends replies to routers and takes their commands off the stream. */
export class ReplyWriter {
  constructor(
    private readonly redis: RedisClient,
    private readonly cache: RedisClient,
    private readonly stream: string,
  ) {}

  /** A router that is gone has no reply stream (NOMKSTREAM): its reply goes nowhere. */
  async reply(envelope: Pick<Envelope, "id" | "session" | "replyTo" | "attempt">, outcome: Outcome): Promise<void> {
    const reply: Reply = {
      id: envelope.id,
      session: envelope.session,
      attempt: envelope.attempt,
      outcome: await this.portable(envelope, outcome),
    };
    await this.redis.xadd(keys.replies(envelope.replyTo), "NOMKSTREAM", "MAXLEN", "~", replyStreamMax, "*", "r", JSON.stringify(reply));
  }

  /** Done entries are deleted. Command streams are never trimmed: that would drop commands that were accepted. */
  async done(entryId: string): Promise<void> {
    await Promise.all([this.redis.xack(this.stream, keys.commandGroup, entryId), this.redis.xdel(this.stream, entryId)]);
  }

  /** An envelope that nobody can read: kept for an operator, 1,000 at most. */
  async bury(entryId: string, fields: ReadonlyMap<string, string>): Promise<void> {
    await this.redis.xadd(keys.deadCommands, "MAXLEN", "~", 1_000, "*", ...[...fields].flat().map((text) => text.slice(0, 4_096)));
    await this.done(entryId);
  }

  private async portable(envelope: Pick<Envelope, "id">, outcome: Outcome): Promise<Outcome> {
    if (outcome.kind !== "ok") return outcome;
    const text = JSON.stringify(outcome.output);
    if (text === undefined || text.length <= replyInlineMaxBytes) return outcome;
    if (Buffer.byteLength(text) > replyMaxBytes) return { kind: "error", status: 500, message: "internal server error" };
    await this.cache.set(keys.bigReply(envelope.id), text, "EX", storedSeconds);
    return { kind: "ok-stored" };
  }
}
