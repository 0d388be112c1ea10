import { Poll } from "../../shared/flow/poll.js";
import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { Log } from "../../shared/log/logger.js";
import type { CommandSender } from "./command-sender.js";
import type { Pending, PendingCall } from "./pending.js";

export interface LostCallsOptions {
  pending: Pick<Pending, "all">;
  sender: Pick<CommandSender, "gone">;
  /** Since when Redis is seen to have lost all that it held, in milliseconds; 0 while it has not. */
  emptiedForMs: () => number;
  onRepeated: () => void;
  log: Log;
  timing?: ClusterTiming | undefined;
}

/**
 * Finds calls that nobody would ever answer. An entry leaves its stream when its reply stands in the router's: so an entry that is gone without an answer, two looks
 * long, was lost, or its reply was. Redis loses such things when it fails over to a replica that lacks the last of them, when its clock jumps, and by a hand that deletes keys.
 */
export class LostCalls {
  private readonly timing: ClusterTiming;
  private readonly poll: Poll;
  /** Gone at the last look. */
  private gone: ReadonlySet<string> = new Set();

  constructor(private readonly options: LostCallsOptions) {
    this.timing = options.timing ?? defaultClusterTiming;
    this.poll = new Poll(this.timing.lostLookMs, () => this.look());
  }

  start(): void {
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    try {
      const { pending, emptiedForMs } = this.options;
      if (emptiedForMs() >= this.timing.lastAnswersMs) for (const call of pending.all()) call.apply({ type: "redis-emptied" });
      else this.gone = await this.askAgain(this.waitingAt());
    } catch (error) {
      this.gone = new Set();
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "command supervision failed");
    }
  }

  /** By the member in whose stream they stand. */
  private waitingAt(): Map<string, PendingCall[]> {
    const byMember = new Map<string, PendingCall[]>();
    const before = performance.now() - this.timing.lostLookMs;
    for (const pending of this.options.pending.all()) {
      const { state, at } = pending.call;
      if (state.kind !== "sent" || at === undefined || state.since > before) continue;
      const calls = byMember.get(at.member);
      if (calls === undefined) byMember.set(at.member, [pending]);
      else calls.push(pending);
    }
    return byMember;
  }

  /** Resolves with what is gone for the first time. */
  private async askAgain(waiting: ReadonlyMap<string, readonly PendingCall[]>): Promise<ReadonlySet<string>> {
    const { sender, onRepeated } = this.options;
    const goneNow = new Set<string>();
    for (const [member, calls] of waiting) {
      const byEntry = new Map(calls.map((pending) => [pending.call.entry ?? "", pending]));
      for (const entry of await sender.gone(member, [...byEntry.keys()])) {
        const place = `${member} ${entry}`;
        const pending = byEntry.get(entry);
        if (!this.gone.has(place) || pending === undefined) {
          goneNow.add(place);
          continue;
        }
        const { attempt } = pending.call;
        pending.apply({ type: "entry-gone", entry, now: performance.now() });
        if (pending.call.attempt !== attempt) onRepeated();
      }
    }
    return goneNow;
  }
}
