import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import { outcomeOf } from "./call.js";
import type { PendingCall } from "./pending.js";

/**
 * Ordered calls of each session, in the order in which this router accepted them. A later call enters the owner's stream only behind the
 * earlier ones.
 */
export class SendOrder {
  private readonly lasts = new CompactMap<SessionId, PendingCall>();

  enter(pending: PendingCall): void {
    const { session } = pending.envelope;
    pending.ahead = alive(this.lasts.get(session));
    this.lasts.set(session, pending);
  }

  /** Removes a call that is over. Does nothing for a call without a place in the order. */
  leave(pending: PendingCall): void {
    // Without this, each call would keep all earlier calls in memory.
    pending.ahead = alive(pending.ahead);
    const { session } = pending.envelope;
    if (this.lasts.get(session) !== pending) return;
    if (pending.ahead === undefined) this.lasts.delete(session);
    else this.lasts.set(session, pending.ahead);
  }

  /** Marks that the command is being written to the owner's stream, so later calls may follow. */
  write(pending: PendingCall, owner: SlotToken): void {
    pending.writtenTo = owner;
    pending.wake();
  }

  /** Returns the previous call if it is not yet in the owner's stream, otherwise `undefined`. */
  before(pending: PendingCall, owner: SlotToken): PendingCall | undefined {
    pending.ahead = alive(pending.ahead);
    const { ahead } = pending;
    if (ahead === undefined) return undefined;
    const { state, at } = ahead.call;
    return ahead.writtenTo === owner || (state.kind === "sent" && at?.token === owner) ? undefined : ahead;
  }
}

/** Returns the nearest call without an outcome, from this call to the front. */
function alive(pending: PendingCall | undefined): PendingCall | undefined {
  let found = pending;
  while (found !== undefined && outcomeOf(found.call) !== undefined) found = found.ahead;
  return found;
}
