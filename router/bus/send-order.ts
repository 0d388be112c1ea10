import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { CompactMap } from "../../shared/flow/compact-map.js";
import { outcomeOf } from "./call.js";
import type { PendingCall } from "./pending.js";

/** A call in its session's line, and the call that was last in that line when it came. */
export interface Place {
  readonly pending: PendingCall;
  ahead: Place | undefined;
  /** The owner into whose stream it is being put: what is written behind it stands behind it there. */
  writtenTo: SlotToken | undefined;
}

/** Calls of each session whose order counts, in the order in which this router accepted them. A later one enters its owner's stream only behind those before it. */
export class SendOrder {
  private readonly lasts = new CompactMap<SessionId, Place>();

  enter(pending: PendingCall): Place {
    const { session } = pending.envelope;
    const place: Place = { pending, ahead: alive(this.lasts.get(session)), writtenTo: undefined };
    this.lasts.set(session, place);
    return place;
  }

  /** Its call is over. */
  leave(place: Place): void {
    // So that no call keeps those of before it in memory.
    place.ahead = alive(place.ahead);
    const { session } = place.pending.envelope;
    if (this.lasts.get(session) !== place) return;
    if (place.ahead === undefined) this.lasts.delete(session);
    else this.lasts.set(session, place.ahead);
  }

  /** Its command is written to the owner: those behind it may follow. */
  write(place: Place, owner: SlotToken): void {
    place.writtenTo = owner;
    place.pending.wake();
  }

  /** The call right before this one, while it does not stand in that owner's stream. It stands there behind those before it. */
  before(place: Place, owner: SlotToken): PendingCall | undefined {
    place.ahead = alive(place.ahead);
    if (place.ahead === undefined) return undefined;
    const { pending, writtenTo } = place.ahead;
    const { state, at } = pending.call;
    return writtenTo === owner || (state.kind === "sent" && at?.token === owner) ? undefined : pending;
  }
}

/** The nearest call without an outcome, from this one on to the front. */
function alive(place: Place | undefined): Place | undefined {
  let found = place;
  while (found !== undefined && outcomeOf(found.pending.call) !== undefined) found = found.ahead;
  return found;
}
