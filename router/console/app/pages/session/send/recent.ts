import { effect, signal } from "@preact/signals";
import { self } from "../../../sign-in/who.js";
import type { Recipient } from "./recipient-choices.js";

export interface Recent extends Recipient {
  readonly session: string;
}

/** Limit for all sessions together. */
const recentMax = 50;

/** Only in this page's memory, because phone numbers should not outlive the visit. */
const recent = signal<readonly Recent[]>([]);
effect(() => {
  if (self.value === undefined) recent.value = [];
});

/** Returns the recipients with one put first, each once, at most `most`. Pure. */
export function withRecent(rows: readonly Recent[], row: Recent, most = recentMax): readonly Recent[] {
  const others = rows.filter(({ session, kind, to }) => !(session === row.session && kind === row.kind && to === row.to));
  return [row, ...others].slice(0, most);
}

/** Remembers that this page sent a message to a recipient. */
export function noteRecipient(row: Recent): void {
  recent.value = withRecent(recent.value, row);
}

/** Returns the last recipients of a session, the newest first. */
export function recentOf(session: string): readonly Recipient[] {
  return recent.value.filter((row) => row.session === session);
}
