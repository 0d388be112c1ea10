import { every } from "../../shared/flow/every.js";
import type { Reply } from "../../shared/bus/envelope.js";
import { readReply } from "../../shared/bus/envelope-bytes.js";
import { isBehind, StreamReader } from "../../shared/bus/stream-reader.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

export interface ReplyStreamOptions {
  /** Names the stream: unique per router process start. */
  router: string;
  writer: RedisClient;
  reader: RedisClient;
  /** False when nobody waits for it. */
  onReply: (reply: Reply) => boolean;
  /** Redis has lost the stream, or the end of it. */
  onLost: () => void;
  log: Log;
}

const streamSeconds = 120;
const renewMs = 10_000;
/** As long at worst a shard finds no stream that Redis has lost; it tries for longer than that. */
const lookMs = 1_000;
/** What was read is taken off so often: it would stand in Redis until the router ends. More than this and what is in flight is never there. */
const trimAfter = 1_000;

/** The stream into which shards write their replies to this router. Only the router makes it, so a dead router's replies go nowhere. */
export class ReplyStream {
  private readonly name: string;
  private readonly replies: StreamReader;
  private keepAlive: NodeJS.Timeout | undefined;
  private readSinceTrim = 0;
  private renewedAt = performance.now();
  private readonly lookAgain = (): void => {
    this.look().catch(() => {
      // The next look is a second away.
    });
  };

  constructor(private readonly options: ReplyStreamOptions) {
    this.name = keys.replies(options.router);
    this.replies = new StreamReader({
      redis: options.reader,
      stream: this.name,
      log: options.log,
      onEntry: (entry) => {
        const reply = readReply(entry.fields.get("r") ?? Buffer.of());
        if (reply === undefined || !options.onReply(reply)) options.log.debug({ entry: entry.id }, "reply without a waiting command");
        this.readSinceTrim += 1;
        if (this.readSinceTrim >= trimAfter) this.trim(entry.id);
      },
    });
  }

  /** Entries before that one. In vain while Redis is away: those after it are counted until the next time. */
  private trim(before: string): void {
    this.readSinceTrim = 0;
    this.options.writer.xtrim(this.name, "MINID", before).catch(() => undefined);
  }

  /** The stream is there before the first command names it. */
  async start(): Promise<void> {
    this.replies.start((await this.make("*")) ?? "$");
    this.keepAlive = every(lookMs, this.lookAgain);
    this.options.writer.on("ready", this.lookAgain);
  }

  async stop(): Promise<void> {
    clearInterval(this.keepAlive);
    this.options.writer.off("ready", this.lookAgain);
    await this.replies.stop();
    await this.options.writer.del(this.name).catch(() => undefined);
  }

  /**
   * A router without a stream is deaf, and so is one that has read further than the stream goes: a Redis that took over may lack the end of it, and give out smaller ids. Makes the one
   * again, and reads the other from its beginning. Rejects when Redis does not answer.
   */
  async look(): Promise<void> {
    const { writer, onLost } = this.options;
    const { position } = this.replies;
    // The last that was read is never taken off, so a stream without entries is none.
    const [[last] = [undefined]] = await writer.xrevrange(this.name, "+", "-", "COUNT", 1);
    if (last === undefined) {
      onLost();
      await this.make(after(this.replies.position));
    } else if (isBehind(position, last)) {
      onLost();
      this.replies.rewind();
    }
    if (performance.now() - this.renewedAt < renewMs) return;
    this.renewedAt = performance.now();
    await writer.expire(this.name, streamSeconds);
  }

  /** `id`: of an entry that is no reply, and before which none stands. */
  private async make(id: string): Promise<string | null> {
    const first = await this.options.writer.xadd(this.name, id, "r", "");
    await this.options.writer.expire(this.name, streamSeconds);
    return first;
  }
}

/** The next id. A stream that is made anew goes on behind what was read, also where the clock of Redis has gone back since: what came before that nobody would read. */
function after(id: string): string {
  const [ms = "0", number = "0"] = id.split("-");
  return `${ms}-${Number(number) + 1}`;
}
