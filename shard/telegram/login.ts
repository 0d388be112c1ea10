import { Api } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
import type { ConnectorContext } from "../session/session-context.js";
import type { Client } from "./client.js";
import { errorName } from "./errors.js";
import { pause } from "../../shared/flow/pause.js";

/**
 * Result of showing QR codes. `password`: the two-step password is still required. `migrate`: the account belongs to another data centre,
 * where the token finishes the login.
 */
export type LoginOutcome =
  | { readonly kind: "user"; readonly user: Api.User }
  | { readonly kind: "password" }
  | { readonly kind: "migrate"; readonly dcId: number; readonly token: Buffer };

/** Wakes the login when the platform reports a scan. */
export interface LoginSignal {
  /** Returns a signal that aborts on the next scan. */
  next(): Ending;
}

/**
 * Shows QR codes until one is accepted. Replaces each code one second before it expires (about every 30 s) and after a scan. Any export
 * may show the outcome, because the scan's update can be lost.
 */
export async function loginByQr(
  client: Client,
  credentials: { apiId: number; apiHash: string },
  context: ConnectorContext,
  scanned: LoginSignal,
  signal: Ending,
): Promise<LoginOutcome> {
  for (;;) {
    // Created before the call, so that a scan during the call still wakes the wait.
    const wake = scanned.next();
    const result = await exportToken(client, credentials, signal);
    if (result === "stale") {
      await pause(stalePauseMs, signal);
    } else if (result instanceof Api.auth.LoginToken) {
      await context.dispatch({ type: "qr-issued", qr: `tg://login?token=${result.token.toString("base64url")}` });
      await pause(untilRefreshMs(result.expires, client.clockOffsetSeconds), wake, signal);
    } else {
      return result;
    }
    signal.throwIfAborted();
  }
}

/** Finishes, at the account's own data centre, a login that began at another. Returns "stale" when the token can no longer be used. */
export async function importToken(client: Client, token: Buffer, signal: Ending): Promise<LoginOutcome | "stale"> {
  return readResult(() => client.invoke(new Api.auth.ImportLoginToken({ token }), { signal, deadlineMs: exportMs }));
}

/** Returns the hint of the two-step password, which may be empty. Works while the login waits for the password. */
export async function readPasswordHint(client: Client, signal: Ending): Promise<string> {
  const password = await client.invoke(new Api.account.GetPassword(), { signal });
  return password.hint ?? "";
}

const exportMs = 15_000;
const stalePauseMs = 1_000;
const refreshMinMs = 1_000;
const refreshMaxMs = 30_000;

function exportToken(
  client: Client,
  { apiId, apiHash }: { apiId: number; apiHash: string },
  signal: Ending,
): Promise<LoginOutcome | Api.auth.LoginToken | "stale"> {
  return readResult(
    () => client.invoke(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }), { signal, deadlineMs: exportMs }),
    true,
  );
}

function readResult(request: () => Promise<Api.auth.TypeLoginToken>): Promise<LoginOutcome | "stale">;
function readResult(request: () => Promise<Api.auth.TypeLoginToken>, tokens: true): Promise<LoginOutcome | Api.auth.LoginToken | "stale">;
async function readResult(
  request: () => Promise<Api.auth.TypeLoginToken>,
  tokens = false,
): Promise<LoginOutcome | Api.auth.LoginToken | "stale"> {
  try {
    const response = await request();
    if (response instanceof Api.auth.LoginTokenMigrateTo) return { kind: "migrate", dcId: response.dcId, token: response.token };
    if (
      response instanceof Api.auth.LoginTokenSuccess &&
      response.authorization instanceof Api.auth.Authorization &&
      response.authorization.user instanceof Api.User
    ) {
      return { kind: "user", user: response.authorization.user };
    }
    if (response instanceof Api.auth.LoginToken && tokens) return response;
    return "stale";
  } catch (error) {
    const name = errorName(error);
    if (name === "SESSION_PASSWORD_NEEDED") return { kind: "password" };
    // AUTH_TOKEN_EXPIRED, _INVALID, _ALREADY_ACCEPTED: the next export returns a new token.
    if (name?.startsWith("AUTH_TOKEN_") === true) return "stale";
    throw error;
  }
}

/** `expires` is in Unix seconds of the server's clock. */
function untilRefreshMs(expires: number, clockOffsetSeconds: number): number {
  const leftMs = (expires - clockOffsetSeconds) * 1000 - Date.now();
  return Math.min(refreshMaxMs, Math.max(refreshMinMs, leftMs - 1_000));
}
