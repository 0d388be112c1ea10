import { Api } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
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
  /** Token of a login that began at another data centre. */
  readonly token: Buffer | undefined;
  readonly scanned: Notifier;
}

/** Logs in on a new connection: by the stored login, by the token of another data centre, else by QR codes. Has no time limit. */
export async function signIn(
  client: Client,
  { context, credentials, stage, token, scanned }: SignInOptions,
  signal: Ending,
): Promise<LoginOutcome> {
  if (stage === "authorized") return verify(client, signal);
  if (stage === "password") return { kind: "password" };
  const imported = token === undefined ? "stale" : await importToken(client, token, signal);
  if (imported !== "stale") return imported;
  // The state names an account, but no login is stored, so the state is outdated.
  if (context.state().kind !== "awaiting-qr") await context.dispatch({ type: "logged-out" });
  return loginByQr(client, credentials, context, scanned, signal);
}

/** Requests the account's own user, because a stored key does not prove that the login is still valid. */
async function verify(client: Client, signal: Ending): Promise<LoginOutcome> {
  try {
    const [user] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }), { signal });
    if (user instanceof Api.User) return { kind: "user", user };
    throw new Error("the platform does not name the account");
  } catch (error) {
    if (errorName(error) === "SESSION_PASSWORD_NEEDED") return { kind: "password" };
    throw error;
  }
}
