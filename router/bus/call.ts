import type { Outcome } from "../../shared/bus/envelope.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";

/** State of a call. Times are monotonic milliseconds. */
export type CallState =
  /**
   * The router finds the slot's owner and enqueues the command there. `unsure`: an earlier write of this try may be in Redis. `refused`: a
   * `moved` reply came while the command was being sent.
   */
  | { readonly kind: "finding-owner"; readonly since: number; readonly unsure: boolean; readonly refused: boolean }
  /** The slot has no owner, the stream is full, or Redis failed. The router retries at the next change of owners or after the pause. */
  | { readonly kind: "waiting-for-owner"; readonly since: number; readonly unsure: boolean; readonly pauseMs: number }
  /** The command's entry is in the owner's stream. `since`: when the search for the owner began. */
  | { readonly kind: "sent"; readonly since: number }
  /** The owner rejected the command because its slot moves. The router resends it at the next change of owners or after the pause. */
  | { readonly kind: "moved"; readonly pauseMs: number }
  | { readonly kind: "answered"; readonly outcome: Outcome }
  /** The deadline passed, or the caller has gone. */
  | { readonly kind: "expired" };

export interface Call {
  readonly state: CallState;
  /** A read has no effect, so it may be rejected at any time. */
  readonly isRead: boolean;
  /** The command creates its session. A missing owner therefore never means that the session does not exist. */
  readonly creates: boolean;
  /** The command must not take effect twice. Only its record at the shard prevents that on a retry. */
  readonly isOnce: boolean;
  /** Grows with each deliberate resend. */
  readonly attempt: number;
  /** Number of owners that have received the call. */
  readonly owners: number;
  /** True after a try without a reply, or an interrupted one: the command may have taken effect, so the router must not reject it. */
  readonly begun: boolean;
  /** A try that this process's own shard had begun left no record. The next owner learns it from the command itself. */
  readonly unrecorded: boolean;
  /** Owner whose stream holds the call's entry. */
  readonly at: SlotOwner | undefined;
  /** Id of the call's entry in that stream. */
  readonly entry: string | undefined;
  /** Redis has lost a stream since the call was sent, so the call's record at the shard may be lost too. */
  readonly recordLost: boolean;
  /**
   * The call was held up by something other than a missing owner. A missing owner at its deadline then does not prove that the session has
   * none.
   */
  readonly heldUp: boolean;
  /** Start of the current series of `moved` replies. */
  readonly movedSince: number | undefined;
}

/** Why a command is in no stream. `NOREDIS`: it was certainly not enqueued. `UNSURE`: it may have been. */
export type NotSent = "BUSY" | "NOMEMBER" | "NOREDIS" | "UNSURE";

export type CallEvent =
  | { readonly type: "sent"; readonly to: SlotOwner; readonly entry: string }
  /** `crowded`: the session has more commands in flight here than may wait for room in a stream. */
  | { readonly type: "not-sent"; readonly why: NotSent; readonly crowded: boolean; readonly now: number }
  | { readonly type: "pause-over"; readonly now: number }
  /** `attempt`: the try that the reply belongs to. Absent in replies of shards that do not send it. */
  | { readonly type: "reply"; readonly outcome: Outcome; readonly attempt: number | undefined; readonly now: number }
  /** `asked`: the owner whose stream held the call before the owner was read. */
  | { readonly type: "owner-seen"; readonly owner: SlotOwner; readonly previous: SlotOwner }
  | { readonly type: "sent-again"; readonly to: SlotOwner; readonly entry: string }
  /** The entry has left its stream and no reply came: the entry or the reply was lost. */
  | { readonly type: "entry-gone"; readonly entry: string; readonly now: number }
  /** The router's reply stream, or the end of it, is missing in Redis. */
  | { readonly type: "stream-lost" }
  /** Redis has lost all its data, and shards that started before the loss have stopped working. */
  | { readonly type: "redis-emptied" }
  /** `asked`: a write of the command is in flight to Redis. */
  | { readonly type: "time-over"; readonly wasSent?: boolean }
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
    unrecorded: false,
    at: undefined,
    entry: undefined,
    recordLost: false,
    heldUp: false,
    movedSince: undefined,
  };
}

/** Returns the call's outcome, or `undefined` while the call is in flight. */
export function outcomeOf({ state }: Call): Outcome | undefined {
  if (state.kind === "answered") return state.outcome;
  return state.kind === "expired" ? { kind: "expired" } : undefined;
}

export function findingOwner(since: number, unsure: boolean): CallState {
  return { kind: "finding-owner", since, unsure, refused: false };
}
