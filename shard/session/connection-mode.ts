import type { SessionState } from "../../shared/session/state.js";

/** Mode of a session's connection. Whether the connection is logged in stands in the session's record, not in the mode. */
export type ConnectionMode =
  /** No connection, and none requested: before the first one, and during a pause between two. */
  | { readonly kind: "waiting" }
  /** From the request for admission until the connection has ended. `signal` aborts when this process ends the connection. */
  | { readonly kind: "open"; readonly signal: AbortSignal }
  /** A logged-in connection is being ended for another one. Commands that begin now wait for the other one. */
  | { readonly kind: "leaving"; readonly signal: AbortSignal }
  /** A connection was ended for another one, which is not requested yet. Commands wait for it. */
  | { readonly kind: "switching" };

export type ConnectionEvent =
  /** The session requests admission for a connection. */
  | { readonly type: "requested"; readonly signal: AbortSignal }
  /** The connection has ended, or was not admitted. */
  | { readonly type: "ended" }
  /** The session will end the connection, or the pause, for another connection. */
  | { readonly type: "replaced"; readonly isLoggedIn: boolean };

/** Returns the mode after an event. Pure. */
export function nextMode(mode: ConnectionMode, event: ConnectionEvent): ConnectionMode {
  switch (event.type) {
    case "requested":
      return { kind: "open", signal: event.signal };
    case "ended":
      return { kind: isReplaced(mode) ? "switching" : "waiting" };
    case "replaced":
      if ("signal" in mode) return { kind: event.isLoggedIn ? "leaving" : "open", signal: mode.signal };
      return { kind: event.isLoggedIn ? "switching" : "waiting" };
    default:
      return event satisfies never;
  }
}

/** Returns true while commands wait for the connection that replaces the current one. */
export function isReplaced({ kind }: ConnectionMode): boolean {
  return kind === "leaving" || kind === "switching";
}

/** Returns true if a state is the outcome of a connect. A disconnected session, or one without its first code, still has none. */
export function isConnectOutcome(state: SessionState): boolean {
  if (state.kind !== "awaiting-qr") return state.kind !== "disconnected";
  return state.qr !== "" || state.pairingCode !== undefined || state.passkey !== undefined;
}
