import type { PasskeyStep } from "../contract/passkey.js";
import { disconnectedMs, passkeyWaitMs, passwordWaitMs, qrValidityMs } from "../limits.js";

/** The logged-in account, as the record shows it (variant B, "Session record"). `picture` is a data URI or empty. */
export interface Account {
  generatedId: string;
  name: string;
  username: string;
  phone: string;
  picture: string;
}

/**
 * States of variant B, "States and transitions". `elapsedMs` counts only time in which an owner tried
 * (shard/README.md, "Timers that delete"). No timer runs while `unreadable` is true, because the session's owner cannot fix that.
 */
export type SessionState =
  | AwaitingQr
  | { kind: "awaiting-password"; hint: string; elapsedMs: number; unreadable?: true }
  | { kind: "connected"; account: Account; linked?: LinkedByPasskey; unreadable?: true }
  | { kind: "disconnected"; account: Account; elapsedMs: number; unreadable?: true }
  | { kind: "deleted"; reason: DeletionReason };

/** No code was scanned or typed yet, or the platform wants more than the code. */
export interface AwaitingQr {
  kind: "awaiting-qr";
  /** Text of the code; empty while the first one is being fetched. */
  qr: string;
  /** Variant A's code for the phone; absent unless the session was created with `phone`. */
  pairingCode?: string;
  /** Why the platform rejected this device. No code is shown from then on, and the count continues. */
  refusal?: string;
  /** Token of the rejected passkey attempt, with which the account's owner can still read the reason. */
  refusedToken?: string;
  /** The platform requires the account's passkey (variant A). The count restarts at each step. */
  passkey?: PasskeyStep;
  elapsedMs: number;
  unreadable?: true;
}

/** Whose passkey let the account in, as the token of the attempt; known for as long as its last step might have taken. */
export interface LinkedByPasskey {
  token: string;
  /** ISO 8601. */
  until: string;
}

export type DeletionReason = "qr-expired" | "password-expired" | "disconnected-too-long" | "owner";

export type SessionEvent =
  | { type: "qr-issued"; qr: string }
  | { type: "pairing-code-issued"; pairingCode: string }
  | { type: "linking-refused"; refusal: string }
  | { type: "passkey-step"; passkey: PasskeyStep }
  | { type: "password-required"; hint: string }
  | { type: "logged-in"; account: Account }
  | { type: "account-changed"; account: Account }
  | { type: "logged-out" }
  | { type: "connection-lost" }
  | { type: "elapsed"; ms: number }
  /** Something stored of the session cannot be opened; or its credentials can, which is what it lives on. */
  | { type: "record-unreadable" }
  | { type: "record-opened" }
  | { type: "reset" }
  | { type: "deleted-by-owner" };

export const initialState: SessionState = { kind: "awaiting-qr", qr: "", elapsedMs: 0 };

/** Pure. An event that means nothing in a state leaves it as it is (the same object), so late events are harmless. */
export function transition(state: SessionState, event: SessionEvent): SessionState {
  if (state.kind === "deleted") return state;
  switch (event.type) {
    case "deleted-by-owner":
      return { kind: "deleted", reason: "owner" };
    case "reset":
      return initialState;
    case "qr-issued":
      return isForCodes(state) ? { ...state, qr: event.qr } : state;
    case "pairing-code-issued":
      return isForCodes(state) ? { ...state, qr: "", pairingCode: event.pairingCode } : state;
    case "linking-refused":
      return state.kind === "awaiting-qr" ? refused(state, event.refusal) : state;
    case "passkey-step":
      if (state.kind !== "awaiting-qr" || state.refusal !== undefined) return state;
      return { kind: "awaiting-qr", qr: "", elapsedMs: 0, passkey: event.passkey, ...markOf(state) };
    case "password-required":
      if (state.kind === "awaiting-qr") return { kind: "awaiting-password", hint: event.hint, elapsedMs: 0, ...markOf(state) };
      return state.kind === "awaiting-password" ? { ...state, hint: event.hint } : state;
    case "logged-in":
      return { kind: "connected", account: event.account, ...linkedBy(state), ...markOf(state) };
    case "account-changed":
      return state.kind === "connected" || state.kind === "disconnected" ? { ...state, account: event.account } : state;
    case "logged-out":
      // A new QR is prepared right away and is valid for 3 minutes, counted from here.
      return state.kind === "awaiting-qr" && state.passkey === undefined ? withoutCodes(state) : initialState;
    case "connection-lost":
      // 30 min count from the moment of disconnection, not from the last command.
      if (state.kind === "connected") return { kind: "disconnected", account: state.account, elapsedMs: 0, ...markOf(state) };
      return state.kind === "awaiting-qr" && (state.qr !== "" || state.pairingCode !== undefined) ? withoutCodes(state) : state;
    case "elapsed":
      return elapse(state, event.ms);
    case "record-unreadable":
      return state.unreadable === true ? state : { ...state, unreadable: true };
    case "record-opened":
      return withoutMark(state);
    default:
      return event satisfies never;
  }
}

/** Milliseconds of live time after which the state is deleted; `undefined` when it lasts. */
export function lifetimeMs(state: SessionState): number | undefined {
  if (isUnreadable(state)) return undefined;
  switch (state.kind) {
    case "awaiting-qr":
      return state.passkey === undefined ? qrValidityMs : passkeyWaitMs;
    case "awaiting-password":
      return passwordWaitMs;
    case "disconnected":
      return disconnectedMs;
    case "connected":
    case "deleted":
      return undefined;
    default:
      return state satisfies never;
  }
}

/** The state of a session that comes back from the trash: its time begins anew. */
export function restarted(state: SessionState): SessionState {
  return "elapsedMs" in state ? { ...state, elapsedMs: 0 } : state;
}

export function isUnreadable(state: SessionState): boolean {
  return state.kind !== "deleted" && state.unreadable === true;
}

function withoutCodes(state: AwaitingQr): AwaitingQr {
  const { kind, elapsedMs, refusal, refusedToken, passkey } = state;
  return {
    kind,
    qr: "",
    elapsedMs,
    ...(refusal === undefined ? {} : { refusal }),
    ...(refusedToken === undefined ? {} : { refusedToken }),
    ...(passkey === undefined ? {} : { passkey }),
    ...markOf(state),
  };
}

/** The deletion timer starts anew, so that the owner has time to read why a passkey failed. */
function refused(state: AwaitingQr, refusal: string): AwaitingQr {
  const { passkey, refusedToken = passkey?.token } = state;
  return {
    kind: "awaiting-qr",
    qr: "",
    elapsedMs: passkey === undefined ? state.elapsedMs : 0,
    refusal,
    ...(refusedToken === undefined ? {} : { refusedToken }),
    ...markOf(state),
  };
}

function linkedBy(state: Living): { linked?: LinkedByPasskey } {
  if (state.kind === "awaiting-qr" && state.passkey !== undefined)
    return { linked: { token: state.passkey.token, until: state.passkey.expires } };
  return state.kind === "connected" && state.linked !== undefined ? { linked: state.linked } : {};
}

/** Codes are shown as long as somebody could use them. */
function isForCodes(state: SessionState): state is AwaitingQr {
  return state.kind === "awaiting-qr" && state.refusal === undefined && state.passkey === undefined;
}

function markOf({ unreadable }: Living): { unreadable?: true } {
  return unreadable === undefined ? {} : { unreadable };
}

function withoutMark(state: Living): Living {
  if (state.unreadable === undefined) return state;
  const { unreadable: _, ...rest } = state;
  return rest;
}

type Living = Exclude<SessionState, { kind: "deleted" }>;

function elapse(state: SessionState, ms: number): SessionState {
  const limit = lifetimeMs(state);
  if (limit === undefined || !("elapsedMs" in state)) return state;
  const elapsedMs = state.elapsedMs + Math.max(0, ms);
  if (state.kind === "disconnected" ? elapsedMs <= limit : elapsedMs < limit) return { ...state, elapsedMs };
  const reason = { "awaiting-qr": "qr-expired", "awaiting-password": "password-expired", disconnected: "disconnected-too-long" } as const;
  return { kind: "deleted", reason: reason[state.kind] };
}
