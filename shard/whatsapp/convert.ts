import type { Account, SessionState } from "../../shared/session/state.js";
import { phoneOf, userJid } from "./jid.js";

/**
 * Returns the account for the session's record. Keeps the previous name and picture until new ones arrive, so that a reconnect does not
 * make them flicker.
 */
export function toAccount(me: { readonly id: string; readonly name: string }, state: SessionState): Account {
  const generatedId = userJid(me.id);
  const before = "account" in state && state.account.generatedId === generatedId ? state.account : undefined;
  return {
    generatedId,
    name: me.name === "" ? (before?.name ?? "") : me.name,
    username: "",
    phone: phoneOf(me.id),
    picture: before?.picture ?? "",
  };
}

/** Converts Unix seconds to ISO 8601; `null` for a missing or invalid time. */
export function toIsoTime(seconds: number | undefined): string | null {
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= 0) return null;
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
