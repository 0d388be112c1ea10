import { effect, signal } from "@preact/signals";
import type { Action, KeyRole } from "../api/rows.js";
import { asFailure, sentenceOf } from "../api/failure.js";
import { call } from "../api/call.js";
import { currentKey, useKey, whySignedOut } from "./key.js";

/** `GET /admin/self`. */
export interface Self {
  readonly key: string;
  readonly role: KeyRole;
  /** `null` for the role `admin`, which has access to all. */
  readonly tenant: string | null;
  readonly may: readonly Action[];
}

/** Identity of the current key; `undefined` while signed out. */
export const self = signal<Self | undefined>(undefined);

/** Returns whether the role allows the action. The console hides other actions. */
export function may(action: Action): boolean {
  return self.value?.may.includes(action) === true;
}

/** Statuses that reject the key itself. Others, such as 503, do not. */
const keyIsRefused = new Set([400, 401, 403]);

/**
 * Signs in with a key, or without one if the gateway requires none from this machine. Throws the API's error. A rejected key is dropped.
 */
export async function signIn(key: string): Promise<void> {
  useKey(key);
  try {
    self.value = await call<Self>("GET /admin/self");
    whySignedOut.value = "";
  } catch (error) {
    if (keyIsRefused.has(asFailure(error).status)) useKey("");
    whySignedOut.value = "";
    throw error;
  }
}

/** Signs in again after a reload. If the gateway cannot check the key now, the sign-in page shows why. */
export async function signInAgain(key: string): Promise<void> {
  try {
    await signIn(key);
  } catch (error) {
    if (currentKey() !== "") whySignedOut.value = `${sentenceOf(asFailure(error).message)} You're still signed in. Reload the page.`;
  }
}

export function signOut(): void {
  self.value = undefined;
  useKey("");
  whySignedOut.value = "";
}

// A key that is refused in the middle of the work leads back to the sign-in, with the reason.
effect(() => {
  if (whySignedOut.value !== "") self.value = undefined;
});
