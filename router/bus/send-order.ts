import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import { outcomeOf } from "./call.js";
import type { PendingCall } from "./pending.js";

/** Calls of each session whose order counts, in the order in which this router accepted them. A later one enters its owner's stream only behind those before it. */
export class SendOrder {
  private readonly lasts = new CompactMap<SessionId, PendingCall>();

  enter(pending: PendingCall): void {
    const { session } = pending.envelope;
    pending.ahead = alive(this.lasts.get(session));
    this.lasts.set(session, pending);
  }

  /** The call is over, or had no place in the order. */
  leave(pending: PendingCall): void {
    // So that no call keeps those before it in memory.
    pending.ahead = alive(pending.ahead);
    const { session } = pending.envelope;
    if (this.lasts.get(session) !== pending) return;
    if (pending.ahead === undefined) this.lasts.delete(session);
    else this.lasts.set(session, pending.ahead);
  }

  /** The command is being written to the owner: those behind it may follow. */
  write(pending: PendingCall, owner: SlotToken): void {
    pending.writtenTo = owner;
    pending.wake();
  }

  /** The call right before this one, while it does not stand in that owner's stream. It stands there behind those before it. */
  before(pending: PendingCall, owner: SlotToken): PendingCall | undefined {
    pending.ahead = alive(pending.ahead);
    const { ahead } = pending;
    if (ahead === undefined) return undefined;
    const { state, at } = ahead.call;
    return ahead.writtenTo === owner || (state.kind === "sent" && at?.token === owner) ? undefined : ahead;
  }
}

/** The nearest call without an outcome, from this one on to the front. */
function alive(pending: PendingCall | undefined): PendingCall | undefined {
  let found = pending;
  while (found !== undefined && outcomeOf(found.call) !== undefined) found = found.ahead;
  return found;
}
