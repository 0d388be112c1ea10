import { signal } from "@preact/signals";

/** Name in the tab's session storage. The key is in no address and no cookie. */
const place = "trunkline key";

/** Reason why the user must sign in again; empty at first. */
export const whySignedOut = signal("");
/** Key for calls; empty for none. `self` (who.ts) is undefined until the gateway has accepted it. */
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
