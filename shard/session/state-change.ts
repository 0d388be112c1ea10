import { transition, type SessionEvent, type SessionState } from "../../shared/session/state.js";

/** What happens to the stored picture of the QR code. */
export type QrChange = { kind: "keep" } | { kind: "clear" } | { kind: "draw"; text: string };

/** The change that an event requires in the store. */
export type StateChange =
  | { kind: "nothing" }
  | { kind: "store"; state: SessionState; qr: QrChange }
  /** `expected`: a timer's deletion stands only if this is still the stored state. `undefined` if the owner deletes. */
  | { kind: "remove"; state: SessionState & { kind: "deleted" }; expected: SessionState | undefined };

export function changeOf(before: SessionState, event: SessionEvent): StateChange {
  const after = transition(before, event);
  if (after === before) return { kind: "nothing" };
  if (after.kind === "deleted") return { kind: "remove", state: after, expected: after.reason === "owner" ? undefined : before };
  return { kind: "store", state: after, qr: qrChange(before, after) };
}

function qrChange(before: SessionState, after: SessionState): QrChange {
  const text = codeOf(after);
  if (text === "") return { kind: "clear" };
  return text === codeOf(before) ? { kind: "keep" } : { kind: "draw", text };
}

function codeOf(state: SessionState): string {
  return state.kind === "awaiting-qr" ? state.qr : "";
}

/** Returns true if the account is newly linked, not only connected again. */
export function isLink(before: SessionState, after: SessionState): boolean {
  return after.kind === "connected" && (before.kind === "awaiting-qr" || before.kind === "awaiting-password");
}

/** Returns true if a session that waits for its phone shows something new: another code, none, or a refusal. */
export function showsAnother(before: SessionState, after: SessionState): boolean {
  if (before.kind !== "awaiting-qr" || after.kind !== "awaiting-qr") return false;
  const stepOf = ({ passkey }: typeof before): string => `${passkey?.step ?? ""} ${passkey?.token ?? ""}`;
  return (
    before.qr !== after.qr ||
    before.pairingCode !== after.pairingCode ||
    before.refusal !== after.refusal ||
    stepOf(before) !== stepOf(after)
  );
}
