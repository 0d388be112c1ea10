import type { Reply } from "../../shared/bus/envelope.js";
import { pause, type Machine, type Steps } from "./machine.js";
import type { Read } from "./blocking-read.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import { timing } from "./timing.js";

export interface RouterRepliesOptions {
  readonly machine: Machine;
  /** Name of the reply stream. */
  readonly name: string;
  readonly redis: ModelRedis;
  readonly connection: Connection;
  readonly onReply: (reply: Reply) => void;
  readonly onLost: () => void;
}

/** Models `ReplyStream` of `router/bus/reply-stream.ts`. */
export class RouterReplies {
  private position = 0;

  constructor(private readonly options: RouterRepliesOptions) {}

  *run(): Steps {
    const { machine, name, redis } = this.options;
    for (;;) {
      try {
        const entries = yield* answerTo<Read>(redis.reads.read(machine, name, this.position, true));
        for (const [id, entry] of entries) {
          this.position = id;
          if (entry.kind === "reply") this.options.onReply(entry.reply);
        }
        if (entries.length > 0) this.trim();
      } catch {
        yield* pause(machine, 100);
      }
    }
  }

  *watch(): Steps {
    const { machine } = this.options;
    for (;;) {
      try {
        yield* this.look();
      } catch {
        // The next poll comes a second later.
      }
      yield* pause(machine, timing.pollMs);
    }
  }

  /** Recreates a stream that Redis has lost, and rereads a stream that has lost its newest entries. */
  *look(): Steps {
    const { name, redis, connection, onLost } = this.options;
    const { position } = this;
    const last = yield* answerTo<number | undefined>(connection.ask({ apply: () => lastOf(redis, name) }));
    if (last === undefined) {
      onLost();
      yield connection.ask({ apply: () => redis.commands.makeStream(name, this.position + 1) });
    } else if (position > last) {
      onLost();
      this.position = 0;
    }
  }

  /** Models XTRIM of the entries that were read. The last entry stays. */
  private trim(): void {
    const { name, redis, connection } = this.options;
    const before = this.position;
    const trim = (): void => {
      const stream = redis.store.streams.get(name);
      if (stream !== undefined) for (const id of stream.entries.keys()) if (id < before) redis.store.delete(stream.entries, id);
    };
    connection.ask({ apply: trim })({ ok: () => undefined, fail: () => undefined });
  }
}

/** Models XREVRANGE of one entry. */
function lastOf(redis: ModelRedis, name: string): number | undefined {
  const stream = redis.store.streams.get(name);
  if (stream === undefined) return undefined;
  let last = 0;
  for (const id of stream.entries.keys()) last = Math.max(last, id);
  // The entry that creates the stream.
  return Math.max(last, stream.first);
}
