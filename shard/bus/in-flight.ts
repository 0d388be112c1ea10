import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { CommandId } from "../../shared/contract/ids.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import type { AbortScope } from "../../shared/flow/abort-scope.js";
import type { ReceivedEntry } from "./entry-plan.js";
import type { Task } from "./task.js";

export interface InFlight {
  readonly task: Task;
  readonly end: Pick<AbortScope, "abort">;
  readonly done: Promise<void>;
  /** Latest retry of the same command, received while it runs. */
  following: ReceivedEntry | undefined;
}

/** Commands that this process runs or has queued. The intake bounds them. */
export class InFlightCommands {
  private readonly byId = new CompactMap<string, InFlight>();

  constructor(private readonly timing: Pick<ClusterTiming, "drainReadMs" | "drainSendMs"> = defaultClusterTiming) {}

  get size(): number {
    return this.byId.size;
  }

  get(id: string): InFlight | undefined {
    return this.byId.get(id);
  }

  add(command: InFlight): void {
    this.byId.set(command.task.envelope.id, command);
  }

  remove(id: CommandId): void {
    this.byId.delete(id);
  }

  /** Waits, for a bounded time, for the commands of a slot that is about to be released. */
  async quiesce(slot: number): Promise<void> {
    const mine = this.all().filter(({ task }) => task.envelope.slot === slot);
    if (mine.length === 0) return;
    const { drainReadMs, drainSendMs } = this.timing;
    const end = (commands: readonly InFlight[]): void => commands.forEach((command) => command.end.abort());
    // These may wait for minutes, and can wait at the next owner as well.
    end(mine.filter(({ task }) => task.place === "pace-line"));
    const timer = setTimeout(() => end(mine), drainSendMs);
    const reads = setTimeout(() => end(this.all().filter(({ task }) => task.envelope.slot === slot && isRead(task))), drainReadMs);
    await Promise.allSettled(mine.map(({ done }) => done));
    clearTimeout(timer);
    clearTimeout(reads);
  }

  /** Aborts the commands of slots that are already lost. */
  abandon(slots: readonly number[]): void {
    const lost = new Set(slots);
    for (const { task, end } of this.all()) if (lost.has(task.envelope.slot)) end.abort();
  }

  /** Aborts all commands and waits for them to end. */
  async end(): Promise<void> {
    const all = this.all();
    for (const { end } of all) end.abort();
    await Promise.allSettled(all.map(({ done }) => done));
  }

  private all(): InFlight[] {
    return [...this.byId.values()];
  }
}

function isRead({ facts }: Task): boolean {
  return facts?.class === "read";
}
