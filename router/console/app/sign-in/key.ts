import { signal } from "@preact/signals";

/** It lives as long as the tab, and stands in no address and no cookie. */
const place = "trunkline key";

/** Reason why the user must sign in again; empty at first. */
export const whySignedOut = signal("");
/** The key that calls are made with; empty: none. Until the gateway knew it, `self` (who.ts) is undefined. */
const key = signal(sessionStorage.getItem(place) ?? "");

export function currentKey(): string {
  return key.value;
}

export function useKey(given: string): void {
  key.value = given;
  if (given === "") sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, given);
}

/** Signs out after a 401, because the key was revoked or has expired. */
export function keyRefused(): void {
  useKey("");
  whySignedOut.value = "You've been signed out because this API key expired or was revoked.";
}
