import { every } from "../../shared/flow/every.js";
import type { Reply } from "../../shared/bus/envelope.js";
import { readReply } from "../../shared/bus/envelope-bytes.js";
import { isBehind, StreamReader } from "../../shared/bus/stream-reader.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";

export interface ReplyStreamOptions {
  /** Name of the stream. Unique per start of a router process. */
  router: string;
  writer: RedisClient;
  reader: RedisClient;
  /** Returns false when no call waits for the reply. */
  onReply: (reply: Reply) => boolean;
  /** Called when Redis has lost the stream or its end. */
  onLost: () => void;
  log: Log;
}

const streamSeconds = 120;
const renewMs = 10_000;
/** Longest time for which a lost stream stays missing. Shards retry their replies for longer than that. */
const pollMs = 1_000;
/** The stream is trimmed after this many replies are read, so it holds at most these and what is in flight. */
const trimAfter = 1_000;

/** The stream into which shards write replies for this router. Only the router creates it, so replies to a dead router are dropped. */
export class ReplyStream {
  private readonly name: string;
  private readonly replies: StreamReader;
  private keepAlive: NodeJS.Timeout | undefined;
  private readSinceTrim = 0;
  private renewedAt = performance.now();
  private readonly readAgain = (): void => {
    this.readNow().catch(() => {
      // The next poll follows within a second.
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

  /** Removes the entries before `before`. A failed trim is made up for by the next one. */
  private trim(before: string): void {
    this.readSinceTrim = 0;
    this.options.writer.xtrim(this.name, "MINID", before).catch(() => undefined);
  }

  /** Creates the stream, before the first command names it. */
  async start(): Promise<void> {
    this.replies.start((await this.make("*")) ?? "$");
    this.keepAlive = every(pollMs, this.readAgain);
    this.options.writer.on("ready", this.readAgain);
  }

  async stop(): Promise<void> {
    clearInterval(this.keepAlive);
    this.options.writer.off("ready", this.readAgain);
    await this.replies.stop();
    await this.options.writer.del(this.name).catch(() => undefined);
  }

  /**
   * Recreates a lost stream. If the stream ends before the read position (after a failover to a replica that lacks its end), reads it
   * again from the start. Rejects when Redis fails.
   */
  async readNow(): Promise<void> {
    const { writer, onLost } = this.options;
    const { position } = this.replies;
    // The last entry that was read is never trimmed, so an empty result means that the stream is gone.
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

  /** Adds a first entry that is no reply. `id`: the id of that entry. */
  private async make(id: string): Promise<string | null> {
    const first = await this.options.writer.xadd(this.name, id, "r", "");
    await this.options.writer.expire(this.name, streamSeconds);
    return first;
  }
}

/**
 * Returns the next id. A recreated stream continues after the read position even if the clock of Redis went back; entries before it would
 * never be read.
 */
function after(id: string): string {
  const [ms = "0", number = "0"] = id.split("-");
  return `${ms}-${Number(number) + 1}`;
}
