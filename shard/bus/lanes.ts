import type { CommandLane } from "../../shared/contract/command-row.js";
import type { Ending } from "../../shared/flow/ending.js";
import { KeyedSemaphore, type Release } from "../flow/keyed-semaphore.js";

/**
 * Commands of one session that may run at once, by lane. Chunks take turns by file (`ChunkSource`), so their lane is wide: 16 streams of a
 * router fetch at most 5 chunks each.
 */
const width: Record<CommandLane, number> = { ordered: 1, webhook: 1, read: 4, media: 128 };
/** Most commands that wait in one lane of a session. Past it the shard returns 503. */
const queueMax = 256;

/** Admits commands by session and lane. An empty lane takes no memory. */
export class Lanes {
  private readonly lanes: Record<CommandLane, KeyedSemaphore> = {
    ordered: lane("ordered"),
    webhook: lane("webhook"),
    read: lane("read"),
    media: lane("media"),
  };

  /**
   * Resolves with the release function, which works once, or `undefined` when the queue is full or the signal aborts. A command that is not
   * `refusable`, because it may have begun elsewhere, waits however full the queue is.
   */
  async enter(session: string, name: CommandLane, signal: Ending, refusable = true): Promise<Release | undefined> {
    const places = this.lanes[name];
    const release = places.tryEnter([session]);
    if (release !== undefined) return release;
    if (refusable && places.sizeOf([session]) >= width[name] + queueMax) return undefined;
    return await places.enter([session], signal).catch(() => undefined);
  }
}

function lane(name: CommandLane): KeyedSemaphore {
  return new KeyedSemaphore([Number.POSITIVE_INFINITY, width[name]]);
}
