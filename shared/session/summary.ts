import typia from "typia";
import type { SessionState } from "./state.js";

/** Dates and last events of a session, for display only; the state holds no dates and makes the decisions. */
export interface SessionLife {
  readonly since: Date;
  /** A short text of ours, never a platform's; empty if there was no error. */
  readonly lastError: string;
  /** Time of the last linking; absent before the first one. */
  readonly linked?: Date;
  /** When the platform's restriction of the account ends, ISO 8601; absent without one. */
  readonly restrictedUntil?: string;
}

/** What operators' lists show of a session, without the state's picture. Its owner writes it with each state. */
export interface SessionSummary {
  state: Exclude<SessionState["kind"], "deleted">;
  /** ISO 8601. */
  since: string;
  lastError: string;
  name: string;
  username: string;
  phone: string;
  /** ISO 8601; not shown to callers. */
  linked?: string;
  /** ISO 8601; may be over. Absent if the account is not restricted. */
  restrictedUntil?: string;
}

export function summaryOf(state: SessionState, { since, lastError, linked, restrictedUntil }: SessionLife): SessionSummary | undefined {
  if (state.kind === "deleted") return undefined;
  const { name, username, phone } = "account" in state ? state.account : nobody;
  const refusal = state.kind === "awaiting-qr" ? (state.refusal ?? (state.passkey && passkeyRequested)) : undefined;
  const link = linked === undefined ? {} : { linked: linked.toISOString() };
  const restriction = restrictedUntil === undefined ? {} : { restrictedUntil };
  return { state: state.kind, since: since.toISOString(), lastError: refusal ?? lastError, name, username, phone, ...link, ...restriction };
}

/** Returns `undefined` if the text, which may have been altered, is not a summary. */
export function parseSummary(text: string): SessionSummary | undefined {
  try {
    return parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const passkeyRequested = "the account's passkey is asked for";

const nobody = { name: "", username: "", phone: "" };

const parse = typia.json.createIsParse<SessionSummary>();
