import type { CommandLane } from "../../shared/contract/command-row.js";
import type { Ending } from "../../shared/flow/ending.js";
import { KeyedSemaphore, type Release } from "../flow/keyed-semaphore.js";

/**
 * Which commands of one session may overlap: sends and once-only commands run one at a time in order, changes of its webhook likewise, reads a few at once.
 * Chunks take turns by file (`ChunkSource`), and must get as far as that: 16 streams of a router want 5 each at most.
 */
const width: Record<CommandLane, number> = { ordered: 1, webhook: 1, read: 4, media: 128 };
/** Most commands that wait in one lane of a session. Past it the shard returns 503. */
const queueMax = 256;

/** Admission of commands, per session and lane. An empty lane takes no memory. */
export class Lanes {
  private readonly lanes: Record<CommandLane, KeyedSemaphore> = {
    ordered: lane("ordered"),
    webhook: lane("webhook"),
    read: lane("read"),
    media: lane("media"),
  };

  /**
   * Resolves with the function that gives the place back (once, however often it is called), or with `undefined` when the lane's queue is full or when the signal ends
   * the wait. One that must not be refused, because it may have begun elsewhere, waits whatever the queue.
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
