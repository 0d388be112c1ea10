import type { Outcome } from "../../shared/bus/envelope.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import { internal, serverBusy } from "../../shared/contract/errors.js";
import { findingOwner, outcomeOf, type Call, type CallEvent, type CallState } from "./call.js";

/** Longest wait for Redis and for room in a stream. A command that creates a session waits so long for an owner too; all others wait until their deadline. */
const ownerWaitMs = 5_000;
/** A command that has outlived so many owners stops here. Shards stop one that they have died over (poison) sooner; this one may only have waited there. */
const ownersMax = 12;
const ownerPauseMs = 50;
const roomPauseMs = 250;

const busy: Outcome = { kind: "error", status: 503, message: serverBusy().message, retryAfterSeconds: 1 };
/** It may have had its effect, and goes out no more. */
const givenUp: Outcome = { kind: "error", status: 500, message: internal().message };

/** One step of a call. The same object when nothing changes. */
export function nextCall(call: Call, event: CallEvent): Call {
  if (outcomeOf(call) !== undefined) return event.type === "sent" || event.type === "sent-again" ? standsAt(call, event) : call;
  switch (event.type) {
    case "time-over":
      return isWithoutOwner(call) && (call.isRead || event.asked !== true) ? answered(call, busy) : { ...call, state: { kind: "expired" } };
    case "router-stops":
      return answered(call, busy);
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
      return answered(call, call.isRead || !mayBeKnown(call) ? busy : givenUp);
    default:
      return event satisfies never;
  }
}

/** A call, and where it stands. */
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
  // A refusal of what may have been enqueued would lie: it is tried again, which Redis answers by what it has.
  if (why !== "UNSURE" && mayRefuse(call)) {
    if (why === "BUSY" && crowded) return answered(call, busy);
    const waitsOn = why === "NOMEMBER" && !call.creates && !call.heldUp;
    if (waitedEnough && !waitsOn) return answered(call, busy);
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

/** What is final counts whichever try it answers, and whenever it comes. */
function replied(call: Call, { outcome, attempt, now }: Extract<CallEvent, { type: "reply" }>): Call {
  const refusal = outcome.kind === "moved" || (outcome.kind === "error" && outcome.refused === true);
  const told = outcome.kind === "moved" && outcome.begun === true && !call.begun ? { ...call, begun: true } : call;
  // A try that was refused after the next one had gone out: nothing is to be done.
  if (refusal && attempt !== undefined && attempt < call.attempt) return told;
  return outcome.kind === "moved" ? refused(told, now) : answered(told, outcome);
}

/** The old owner answers so until it has let go; the command is held here meanwhile. */
function refused(call: Call, now: number): Call {
  const { state } = call;
  if (state.kind !== "sent" && state.kind !== "finding-owner" && state.kind !== "waiting-for-owner") return call;
  if (call.recordLost && call.begun) return answered(call, givenUp);
  // An owner that kept it for so long is not the one that refused it before.
  const movedSince = call.movedSince === undefined || now - state.since > ownerWaitMs ? now : call.movedSince;
  if (call.creates && now - movedSince > ownerWaitMs && mayRefuse(call)) return answered(call, busy);
  // One that is being sent still is sent again when that has ended.
  return { ...call, state: state.kind === "finding-owner" ? { ...state, refused: true } : moved, at: undefined, movedSince };
}

/** Its entry may sit in a stream that nobody reads any more: the next owner is to get it, as another try. */
function ownerSeen(call: Call, { owner, asked }: Extract<CallEvent, { type: "owner-seen" }>): Call {
  // Refused, or sent elsewhere, since the owner was asked for: then that is what goes on.
  if (call.state.kind !== "sent" || call.at !== asked || owner.token === asked.token) return call;
  return call.owners >= ownersMax || call.recordLost ? answered(call, givenUp) : { ...call, attempt: call.attempt + 1 };
}

/** It is asked again under its id, and the shard answers out of its record. */
function entryGone(call: Call, { entry, now }: Extract<CallEvent, { type: "entry-gone" }>): Call {
  if (call.state.kind !== "sent" || call.entry !== entry) return call;
  if (call.owners >= ownersMax || call.recordLost) return answered(call, givenUp);
  return { ...call, state: findingOwner(now, false), attempt: call.attempt + 1, owners: call.owners + 1, begun: true, at: undefined };
}

/** What must not happen twice goes out no more once a shard may have begun it; as long as that one works on it, its answer is waited for. */
function streamLost(call: Call): Call {
  if (!call.isOnce || call.recordLost) return call;
  if (call.state.kind !== "sent" && mayBeKnown(call)) return answered(call, givenUp);
  return { ...call, recordLost: true };
}

/** Whether a shard has it, or may have begun it. */
function mayBeKnown({ state, begun }: Call): boolean {
  const isUnsure = (state.kind === "finding-owner" || state.kind === "waiting-for-owner") && state.unsure;
  return begun || isUnsure || state.kind === "sent";
}

/** Its time is over, and no shard has had it: its caller may ask again. */
function isWithoutOwner(call: Call): boolean {
  const { state, at } = call;
  if (state.kind === "moved") return mayRefuse(call);
  return at === undefined && mayRefuse(call) && (state.kind === "waiting-for-owner" || state.kind === "finding-owner") && !state.unsure;
}

/** It may be refused as if nobody had ever seen it. */
function mayRefuse({ isRead, begun }: Call): boolean {
  return isRead || !begun;
}

const moved: CallState = { kind: "moved", pauseMs: ownerPauseMs };

function answered(call: Call, outcome: Outcome): Call {
  return { ...call, state: { kind: "answered", outcome } };
}
