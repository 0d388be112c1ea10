import { Api } from "telegram";
import type { ConnectorContext } from "../session/session-context.js";
import type { AuthStage } from "./auth-store.js";
import type { Client } from "./client.js";
import { errorName } from "./errors.js";
import type { Notifier } from "../flow/notifier.js";
import { importToken, loginByQr, type LoginOutcome } from "./login.js";

export interface SignInOptions {
  readonly context: ConnectorContext;
  readonly credentials: { readonly apiId: number; readonly apiHash: string };
  readonly stage: AuthStage;
  /** Of a login that began at another data centre. */
  readonly token: Buffer | undefined;
  readonly scanned: Notifier;
}

/** Takes a fresh connection to an account: by the stored login, by a token of another data centre, else by QR codes, however long that takes. */
export async function signIn(
  client: Client,
  { context, credentials, stage, token, scanned }: SignInOptions,
  signal: AbortSignal,
): Promise<LoginOutcome> {
  if (stage === "authorized") return verify(client, signal);
  if (stage === "password") return { kind: "password" };
  const imported = token === undefined ? "stale" : await importToken(client, token, signal);
  if (imported !== "stale") return imported;
  // Stored state without stored login: what it says of an account is no longer true.
  if (context.state().kind !== "awaiting-qr") await context.dispatch({ type: "logged-out" });
  return loginByQr(client, credentials, context, scanned, signal);
}

/** Asks the platform who we are: a stored key proves nothing. */
async function verify(client: Client, signal: AbortSignal): Promise<LoginOutcome> {
  try {
    const [user] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }), { signal });
    if (user instanceof Api.User) return { kind: "user", user };
    throw new Error("the platform does not name the account");
  } catch (error) {
    if (errorName(error) === "SESSION_PASSWORD_NEEDED") return { kind: "password" };
    throw error;
  }
}
