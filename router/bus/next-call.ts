import type { Outcome } from "../../shared/bus/envelope.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import { internal, serverBusy, sessionNotConnected, storageUnavailable } from "../../shared/contract/errors.js";
import { findingOwner, outcomeOf, type Call, type CallEvent, type CallState } from "./call.js";

/**
 * Longest wait for Redis, for room in a stream and, if the command creates a session, for an owner. Other commands wait for an owner until
 * their deadline.
 */
const ownerWaitMs = 5_000;
/** A call is resent to at most this many owners. Shards stop a command that kills them (poison) sooner. */
const ownersMax = 12;
const ownerPauseMs = 50;
const roomPauseMs = 250;

const busy = { kind: "error", status: 503, message: serverBusy().message, retryAfterSeconds: 1 } as const satisfies Outcome;
const notConnected = sessionNotConnected().message;
const unavailable = { ...busy, message: storageUnavailable().message } satisfies Outcome;
/** Outcome of a command that may have taken effect and must not be resent. */
const givenUp: Outcome = { kind: "error", status: 500, message: internal().message };

/** Returns the call after one event. Returns the same object when nothing changes. */
export function nextCall(call: Call, event: CallEvent): Call {
  if (outcomeOf(call) !== undefined) return event.type === "sent" || event.type === "sent-again" ? standsAt(call, event) : call;
  switch (event.type) {
    case "time-over":
      return isWithoutOwner(call) && (call.isRead || event.wasSent !== true)
        ? finished(call, busy)
        : { ...call, state: { kind: "expired" } };
    case "router-stops":
      return finished(call, busy);
    case "sent":
      return sent(call, event);
    case "not-sent":
      return notSent(call, event);
    case "pause-over":
      return pauseOver(call, event.now);
    case "reply":
      return replied(call, event);
    case "owner-seen":
      return ownerSeen(call, event);
    case "sent-again":
      return { ...(call.state.kind === "sent" ? standsAt(call, event) : call), owners: call.owners + 1, begun: true };
    case "entry-gone":
      return entryGone(call, event);
    case "stream-lost":
      return streamLost(call);
    case "redis-emptied":
      return finished(call, call.isRead || !mayBeReceived(call) ? unavailable : givenUp);
    default:
      return event satisfies never;
  }
}

/** Sets the stream and entry of the call. */
function standsAt(call: Call, { to, entry }: { to: SlotOwner; entry: string }): Call {
  return { ...call, at: to, entry };
}

function sent(call: Call, event: Extract<CallEvent, { type: "sent" }>): Call {
  const { state } = call;
  if (state.kind !== "finding-owner") return call;
  return state.refused ? { ...call, state: moved } : { ...standsAt(call, event), state: { kind: "sent", since: state.since } };
}

function notSent(call: Call, { why, crowded, now }: Extract<CallEvent, { type: "not-sent" }>): Call {
  const { state } = call;
  if (state.kind !== "finding-owner") return call;
  if (state.refused) return { ...call, state: moved };
  const waitedEnough = now - state.since >= ownerWaitMs;
  // A command that may have been enqueued must not be rejected. It is sent again, and Redis returns the existing entry.
  if (why !== "UNSURE" && mayRefuse(call)) {
    if (why === "BUSY" && crowded) return finished(call, busy);
    const waitsOn = why === "NOMEMBER" && !call.creates && !call.heldUp;
    if (waitedEnough && !waitsOn) return finished(call, why === "NOREDIS" ? unavailable : busy);
  }
  const pauseMs = why === "NOMEMBER" ? ownerPauseMs : roomPauseMs;
  const waiting: CallState = { kind: "waiting-for-owner", since: state.since, unsure: why === "UNSURE", pauseMs };
  return { ...call, state: waiting, heldUp: call.heldUp || why !== "NOMEMBER" };
}

function pauseOver(call: Call, now: number): Call {
  const { state } = call;
  if (state.kind === "moved") return { ...call, state: findingOwner(now, false), attempt: call.attempt + 1 };
  return state.kind === "waiting-for-owner" ? { ...call, state: findingOwner(state.since, state.unsure) } : call;
}

/** A final outcome counts, whichever try it belongs to and whenever it arrives, unless it says that the try sent nothing. */
function replied(call: Call, { outcome, attempt, now }: Extract<CallEvent, { type: "reply" }>): Call {
  const refusal = outcome.kind === "moved" || (outcome.kind === "error" && outcome.refused === true);
  const current = outcome.kind === "moved" && outcome.begun === true ? withBegun(call, outcome.unrecorded === true) : call;
  // This reply rejects a try that was already replaced by a newer one, or says that the try sent nothing, which the newer one still may.
  if ((refusal || isNotSent(outcome)) && attempt !== undefined && attempt < call.attempt) return current;
  if (outcome.kind === "moved") return refused(current, now);
  // The caller may retry after a 503, but an earlier owner may have begun the command, and the replying one could not read its record.
  return finished(current, isUnavailable(outcome) && !mayRefuse(current) ? givenUp : outcome);
}

function isUnavailable(outcome: Outcome): boolean {
  return outcome.kind === "error" && outcome.status === unavailable.status;
}

function isNotSent(outcome: Outcome): boolean {
  return outcome.kind === "error" && outcome.message === notConnected;
}

function withBegun(call: Call, unrecorded: boolean): Call {
  return call.begun && (call.unrecorded || !unrecorded) ? call : { ...call, begun: true, unrecorded: call.unrecorded || unrecorded };
}

/** The old owner rejects commands until it has released the slot. The router holds the command meanwhile. */
function refused(call: Call, now: number): Call {
  const { state } = call;
  if (state.kind !== "sent" && state.kind !== "finding-owner" && state.kind !== "waiting-for-owner") return call;
  if (call.recordLost && call.begun) return finished(call, givenUp);
  // If more than `ownerWaitMs` has passed in this state, the rejection begins a new series.
  const movedSince = call.movedSince === undefined || now - state.since > ownerWaitMs ? now : call.movedSince;
  if (call.creates && now - movedSince > ownerWaitMs && mayRefuse(call)) return finished(call, busy);
  // A command whose write is still in flight is sent again after the write has ended.
  return { ...call, state: state.kind === "finding-owner" ? { ...state, refused: true } : moved, at: undefined, movedSince };
}

/** The entry may be in a stream that no shard reads any more, so the next owner gets the command as a new attempt. */
function ownerSeen(call: Call, { owner, previous: requested }: Extract<CallEvent, { type: "owner-seen" }>): Call {
  // The call was rejected or sent elsewhere while the owner was being read. That newer state stands.
  if (call.state.kind !== "sent" || call.at !== requested || owner.token === requested.token) return call;
  return call.owners >= ownersMax || call.recordLost ? finished(call, givenUp) : { ...call, attempt: call.attempt + 1 };
}

/** Sends the command again under its id, and the shard replies from its record. */
function entryGone(call: Call, { entry, now }: Extract<CallEvent, { type: "entry-gone" }>): Call {
  if (call.state.kind !== "sent" || call.entry !== entry) return call;
  if (call.owners >= ownersMax || call.recordLost) return finished(call, givenUp);
  return { ...call, state: findingOwner(now, false), attempt: call.attempt + 1, owners: call.owners + 1, begun: true, at: undefined };
}

/**
 * A command that must not run twice is not resent once a shard may have begun it. While it is in a stream, the router waits for its reply.
 */
function streamLost(call: Call): Call {
  if (!call.isOnce || call.recordLost) return call;
  if (call.state.kind !== "sent" && mayBeReceived(call)) return finished(call, givenUp);
  return { ...call, recordLost: true };
}

/** Returns whether a shard has the command or may have begun it. */
function mayBeReceived({ state, begun }: Call): boolean {
  const isUnsure = (state.kind === "finding-owner" || state.kind === "waiting-for-owner") && state.unsure;
  return begun || isUnsure || state.kind === "sent";
}

/** Returns whether the deadline passed before any shard had the command. The caller may then retry. */
function isWithoutOwner(call: Call): boolean {
  const { state, at } = call;
  if (state.kind === "moved") return mayRefuse(call);
  return at === undefined && mayRefuse(call) && (state.kind === "waiting-for-owner" || state.kind === "finding-owner") && !state.unsure;
}

/** Returns whether the call may be rejected as if no shard had begun it. */
function mayRefuse({ isRead, begun }: Call): boolean {
  return isRead || !begun;
}

const moved: CallState = { kind: "moved", pauseMs: ownerPauseMs };

function finished(call: Call, outcome: Outcome): Call {
  return { ...call, state: { kind: "answered", outcome } };
}
