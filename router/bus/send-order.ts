import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import { outcomeOf } from "./call.js";
import type { PendingCall } from "./pending.js";

/** Calls of each session whose order counts, in the order in which this router accepted them. A later one enters its owner's stream only behind those before it. */
export class SendOrder {
  private readonly lines = new CompactMap<SessionId, Set<PendingCall>>();

  /** Returns the function that takes the call out of its line. */
  enter(pending: PendingCall): () => void {
    const { session } = pending.envelope;
    const line = this.lines.get(session) ?? new Set();
    this.lines.set(session, line.add(pending));
    return () => {
      line.delete(pending);
      if (line.size === 0 && this.lines.get(session) === line) this.lines.delete(session);
    };
  }

  /** Whether any call of its session came before. */
  hasEarlier(pending: PendingCall): boolean {
    const [first] = this.lines.get(pending.envelope.session) ?? [];
    return first !== undefined && first !== pending && this.lines.get(pending.envelope.session)?.has(pending) === true;
  }

  /** The first call before this one that is to enter that owner's stream and does not stand there yet. */
  before(pending: PendingCall, owner: SlotToken): PendingCall | undefined {
    for (const earlier of this.lines.get(pending.envelope.session) ?? []) {
      if (earlier === pending) return undefined;
      const { state, at } = earlier.call;
      if (outcomeOf(earlier.call) === undefined && (state.kind !== "sent" || at?.token !== owner)) return earlier;
    }
    return undefined;
  }
}
