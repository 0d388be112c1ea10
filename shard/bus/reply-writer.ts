import { outputContext, type CommandHead, type Outcome, type Reply } from "../../shared/bus/envelope.js";
import { writeReply } from "../../shared/bus/envelope-bytes.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { replyInlineMaxBytes, replyMaxBytes } from "../../shared/limits.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { DoneEntries } from "./done-entries.js";

/** Lifetime of large outputs in the cache Redis. */
const storedSeconds = 60;

/** Sends replies to routers and removes their commands from the stream. */
export class ReplyWriter {
  private readonly doneEntries: DoneEntries;

  constructor(
    private readonly redis: RedisClient,
    private readonly cache: RedisClient,
    stream: string,
    private readonly ring: Pick<KeyRing, "seal" | "sealBytes">,
  ) {
    this.doneEntries = new DoneEntries((ids) => redis.xdel(stream, ...ids));
  }

  /** Returns false when the router has no stream (NOMKSTREAM): it is gone, or Redis has lost the stream. */
  async reply(envelope: Pick<CommandHead, "id" | "session" | "replyTo" | "attempt">, outcome: Outcome): Promise<boolean> {
    const reply: Reply = {
      id: envelope.id,
      session: envelope.session,
      attempt: envelope.attempt,
      outcome: await this.portable(envelope, outcome),
    };
    return (await this.redis.xadd(keys.replies(envelope.replyTo), "NOMKSTREAM", "*", "r", writeReply(reply))) !== null;
  }

  /** Done entries are deleted. Command streams are never trimmed: that would drop commands that were accepted. */
  done(entryId: string): Promise<void> {
    return this.doneEntries.add(entryId);
  }

  /** Keeps an unreadable envelope for an operator, at most 1,000 of them. It is sealed because its content is unknown. */
  async bury(entryId: string, fields: ReadonlyMap<string, Buffer>): Promise<void> {
    const text = JSON.stringify([...fields].map(([name, value]) => [name.slice(0, 4_096), value.toString("latin1", 0, 4_096)]));
    await this.redis.xadd(keys.deadCommands, "MAXLEN", "~", 1_000, "*", "s", this.ring.seal(Buffer.from(text), deadCommandContext));
    await this.done(entryId);
  }

  private async portable(envelope: Pick<CommandHead, "id" | "session">, outcome: Outcome): Promise<Outcome> {
    if (outcome.kind !== "ok") return outcome;
    const output = Buffer.from(JSON.stringify(outcome.output ?? null));
    if (output.length > replyMaxBytes) return { kind: "error", status: 500, message: "internal server error" };
    const context = outputContext(envelope);
    if (output.length > replyInlineMaxBytes) {
      await this.cache.set(keys.bigReply(envelope.id), this.ring.seal(output, context), "EX", storedSeconds);
      return { kind: "ok-stored" };
    }
    return { ...outcome, output: this.ring.sealBytes(output, context) };
  }
}

const deadCommandContext = "v1|dead-command";
