import { asFailure, sentenceOf } from "../api/failure.js";
import { call } from "../api/call.js";
import { codeOf } from "./code-of.js";
import { currentKey, whySignedOut } from "./key.js";
import { self, signIn, signInAgain } from "./who.js";

/** Takes the code from the address and removes it there at once, so that it stays out of the history and is not used again on a reload. */
export function takeCode(): string | undefined {
  const code = codeOf(location.hash);
  if (code !== undefined) history.replaceState(undefined, "", location.pathname);
  return code;
}

/** Exchanges the code for a key and signs in. If the code is invalid, the current key stays. */
export async function signInByLink(code: string): Promise<void> {
  const former = currentKey();
  let made: { readonly key: string };
  try {
    made = await call<{ key: string }>("POST /admin/sign-in", { body: { code } });
  } catch (error) {
    const { status, message } = asFailure(error);
    await signIn(former).catch(() => undefined);
    if (self.value !== undefined || status === 0) return;
    whySignedOut.value =
      status === 401 ? "This sign-in link has expired or was already used. Sign in with an API key." : sentenceOf(message);
    return;
  }
  // The code is good for nothing any more: its key is kept, whatever becomes of the first call with it.
  await signInAgain(made.key);
}

/** In a tab that shows the console already, following the link changes the address alone. */
addEventListener("hashchange", () => {
  if (codeOf(location.hash) !== undefined) location.reload();
});
