import type { Account, SessionState } from "../../shared/session/state.js";
import { phoneOf, userJid } from "./jid.js";

/** The account as the record shows it. Until the name and the picture are here, the former ones are shown: a reconnect must not make them flicker. */
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

/** ISO 8601 of Unix seconds; `null` where the platform names none. */
export function toIsoTime(seconds: number | undefined): string | null {
  if (seconds === undefined || !Number.isFinite(seconds) || seconds <= 0) return null;
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
