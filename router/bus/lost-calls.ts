import { Poll } from "../../shared/flow/poll.js";
import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { Log } from "../../shared/log/logger.js";
import type { CommandSender } from "./command-sender.js";
import type { Pending, PendingCall } from "./pending.js";

export interface LostCallsOptions {
  pending: Pick<Pending, "all">;
  sender: Pick<CommandSender, "gone" | "isLocal">;
  /** Milliseconds since this process saw that Redis had lost all its data; 0 if it has not. */
  emptiedForMs: () => number;
  onRepeated: () => void;
  log: Log;
  timing?: ClusterTiming | undefined;
}

/**
 * Finds calls whose entry or reply Redis has lost. A shard removes an entry only after it has written the reply, so an entry that is
 * missing in two polls without a reply was lost.
 */
export class LostCalls {
  private readonly timing: ClusterTiming;
  private readonly poll: Poll;
  /** Entries that were missing in the last poll. */
  private gone: ReadonlySet<string> = new Set();

  constructor(private readonly options: LostCallsOptions) {
    this.timing = options.timing ?? defaultClusterTiming;
    this.poll = new Poll(this.timing.lostCheckMs, () => this.check());
  }

  start(): void {
    this.poll.start();
  }

  async stop(): Promise<void> {
    await this.poll.stop();
  }

  /** Never rejects. */
  private async check(): Promise<void> {
    try {
      const { pending, emptiedForMs } = this.options;
      if (emptiedForMs() >= this.timing.lastRepliesMs) for (const call of pending.all()) call.apply({ type: "redis-emptied" });
      else this.gone = await this.resend(this.waitingAt());
    } catch (error) {
      this.gone = new Set();
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "command supervision failed");
    }
  }

  /** Groups calls by the member whose stream holds their entry. This process's own shard loses none. */
  private waitingAt(): Map<string, PendingCall[]> {
    const byMember = new Map<string, PendingCall[]>();
    const before = performance.now() - this.timing.lostCheckMs;
    const { pending: all, sender } = this.options;
    for (const pending of all.all()) {
      const { state, at } = pending.call;
      if (state.kind !== "sent" || at === undefined || state.since > before || sender.isLocal(at)) continue;
      const calls = byMember.get(at.member);
      if (calls === undefined) byMember.set(at.member, [pending]);
      else calls.push(pending);
    }
    return byMember;
  }

  /** Resends calls whose entry was missing twice. Resolves with the entries that are missing for the first time. */
  private async resend(waiting: ReadonlyMap<string, readonly PendingCall[]>): Promise<ReadonlySet<string>> {
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
