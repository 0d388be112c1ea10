import type { Outcome } from "../../shared/bus/envelope.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";

/** Where a call stands. Times are monotonic milliseconds. */
export type CallState =
  /** Its slot's owner is looked up, and the command put into that one's stream. `unsure`: Redis may have it from the time before. `refused`: it had, and the answer was `moved`. */
  | { readonly kind: "finding-owner"; readonly since: number; readonly unsure: boolean; readonly refused: boolean }
  /** There is no owner, no room, or no Redis: it is tried again at the next change, or after the pause. */
  | { readonly kind: "waiting-for-owner"; readonly since: number; readonly unsure: boolean; readonly pauseMs: number }
  /** Its entry stands in a stream; `since`: from when its owner was looked for. */
  | { readonly kind: "sent"; readonly since: number }
  /** The owner refused it, because its slot goes elsewhere: it is sent again at the next change, or after the pause. */
  | { readonly kind: "moved"; readonly pauseMs: number }
  | { readonly kind: "answered"; readonly outcome: Outcome }
  /** Its time is over, or its caller has gone. */
  | { readonly kind: "expired" };

export interface Call {
  readonly state: CallState;
  /** A read has no effect: it may be refused however far it has come. */
  readonly isRead: boolean;
  /** Its session is yet to be made: without an owner there is none that would not be found. */
  readonly creates: boolean;
  /** It must not have its effect twice: only its record at the shard keeps a repeat from that. */
  readonly isOnce: boolean;
  /** Grows with each deliberate repeat. */
  readonly attempt: number;
  /** How many owners have had it. */
  readonly owners: number;
  /** A try that has no answer, or was cut, may have had its effect: from then on only the command's own outcome is the truth, and a refusal would be none. */
  readonly begun: boolean;
  /** In whose stream it stands. */
  readonly at: SlotOwner | undefined;
  /** Its entry there. */
  readonly entry: string | undefined;
  /** Redis has lost a stream since it was sent, so its record may be gone as well. */
  readonly recordLost: boolean;
  /** Something else than a missing owner has kept it from a stream: then no owner at the end of its wait does not say that its session has none. */
  readonly heldUp: boolean;
  /** Since when one owner after the other has refused it. */
  readonly movedSince: number | undefined;
}

/** Why a command is in no stream. `NOREDIS`: certainly not enqueued. `UNSURE`: perhaps. */
export type NotSent = "BUSY" | "NOMEMBER" | "NOREDIS" | "UNSURE";

export type CallEvent =
  | { readonly type: "sent"; readonly to: SlotOwner; readonly entry: string }
  /** `crowded`: its session has more here than may wait for room. */
  | { readonly type: "not-sent"; readonly why: NotSent; readonly crowded: boolean; readonly now: number }
  | { readonly type: "pause-over"; readonly now: number }
  /** `attempt`: which try it answers, absent from shards that do not tell. */
  | { readonly type: "reply"; readonly outcome: Outcome; readonly attempt: number | undefined; readonly now: number }
  /** `asked`: in whose stream it stood when the owner was asked for. */
  | { readonly type: "owner-seen"; readonly owner: SlotOwner; readonly asked: SlotOwner }
  | { readonly type: "sent-again"; readonly to: SlotOwner; readonly entry: string }
  /** Its entry has gone, and no answer came: one of the two was lost. */
  | { readonly type: "entry-gone"; readonly entry: string; readonly now: number }
  /** The router's stream of replies has gone: Redis has lost what stood there. */
  | { readonly type: "stream-lost" }
  /** Redis has lost all that it held, and no shard that ran before that still works. */
  | { readonly type: "redis-emptied" }
  /** `asked`: Redis has been asked to put it into a stream, and has not answered yet. */
  | { readonly type: "time-over"; readonly asked?: boolean }
  | { readonly type: "router-stops" };

export function newCall(isRead: boolean, now: number, { creates = false, isOnce = false } = {}): Call {
  return {
    state: findingOwner(now, false),
    isRead,
    creates,
    isOnce,
    attempt: 0,
    owners: 1,
    begun: false,
    at: undefined,
    entry: undefined,
    recordLost: false,
    heldUp: false,
    movedSince: undefined,
  };
}

/** Its outcome, once there is one. */
export function outcomeOf({ state }: Call): Outcome | undefined {
  if (state.kind === "answered") return state.outcome;
  return state.kind === "expired" ? { kind: "expired" } : undefined;
}

export function findingOwner(since: number, unsure: boolean): CallState {
  return { kind: "finding-owner", since, unsure, refused: false };
}
