import type { CommandClass } from "../../shared/contract/commands.js";
import { CompactMap } from "../../shared/flow/compact-map.js";

/**
 * Which commands of one session may overlap: sends and once-only commands run one at a time in order, changes of its webhook likewise, reads a few at once.
 * Chunks take turns by file (`ChunkSource`), and must get as far as that: 16 streams of a router want 5 each at most.
 */
const width: Record<LaneName, number> = { ordered: 1, webhook: 1, read: 4, media: 128 };
/** Waiting commands of one lane of one session; past it the shard answers 503. */
const queueMax = 256;

export type LaneName = "ordered" | "webhook" | "read" | "media";

export function laneOf(command: string, commandClass: CommandClass): LaneName {
  if (command === "read-chunk" || command === "describe-media") return "media";
  // A receiver is changed also while a film is being sent.
  if (command === "set-webhook" || command === "replay-dead-letters") return "webhook";
  return commandClass === "read" ? "read" : "ordered";
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Admission of commands, per session and lane. An empty lane takes no memory. */
export class Lanes {
  private readonly lanes = new CompactMap<string, Lane>();

  /**
   * Resolves with the function that gives the place back (once, however often it is called), or with `undefined` when the lane's queue is full or when the signal ends
   * the wait. One that must not be refused, because it may have begun elsewhere, waits whatever the queue.
   */
  async enter(session: string, name: LaneName, signal: AbortSignal, refusable = true): Promise<(() => void) | undefined> {
    const key = `${session}/${name}`;
    const lane = this.lanes.get(key) ?? { running: 0, waiting: new Set() };
    this.lanes.set(key, lane);
    if (lane.running < width[name]) lane.running += 1;
    else if (refusable && lane.waiting.size >= queueMax) return undefined;
    else if (!(await turn(lane, signal))) return undefined;
    let inside = true;
    return () => {
      if (inside) this.leave(key, lane);
      inside = false;
    };
  }

  /** A place goes to the longest waiting command, so `running` stays as it is. */
  private leave(key: string, lane: Lane): void {
    const [next] = lane.waiting;
    if (next !== undefined) return next();
    lane.running -= 1;
    if (lane.running === 0) this.lanes.delete(key);
  }
}

/** Resolves with false when the signal ended the wait. */
async function turn({ waiting }: Lane, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  return new Promise((resolve) => {
    const end = (came: boolean): void => {
      waiting.delete(take);
      signal.removeEventListener("abort", onAbort);
      resolve(came);
    };
    const take = (): void => end(true);
    const onAbort = (): void => end(false);
    waiting.add(take);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
