import library, {
  EmailUnconfirmedError,
  FileMigrateError,
  FloodTestPhoneWaitError,
  FloodWaitError,
  MsgWaitError,
  NetworkMigrateError,
  PhoneMigrateError,
  RPCError,
  SlowModeWaitError,
  rpcErrorRe,
  UserMigrateError,
} from "telegram/errors/index.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import { CallTimeout, ConnectionLost, DataCentreRefused } from "./network/connection-error.js";

/**
 * Converts a platform failure inside a command into the caller's error. Returns any other error unchanged, such as a deadline, a lost slot
 * or a defect.
 */
export function toApiError(error: unknown): unknown {
  if (error instanceof ConnectionLost || error instanceof CallTimeout || error instanceof DataCentreRefused || isSignedOut(error))
    return errors.sessionNotConnected(error);
  if (error instanceof RPCError) return errors.platformError(textOf(error), error);
  return error;
}

/** Returns the name of a platform error, such as `CHANNEL_PRIVATE`; `undefined` for any other error. */
export function errorName(error: unknown): string | undefined {
  return error instanceof RPCError ? error.errorMessage : undefined;
}

/**
 * Returns true when the platform has ended this login: device removed, account gone, or key destroyed because of two owners. From other
 * data centres, such an error only concerns their own key.
 */
export function isSignedOut(error: unknown): boolean {
  if (!(error instanceof RPCError)) return false;
  if (error.code === 406) return error.errorMessage === "AUTH_KEY_DUPLICATED";
  return error.code === 401 && signedOutNames.has(error.errorMessage);
}

const signedOutNames = new Set([
  "AUTH_KEY_UNREGISTERED",
  "AUTH_KEY_INVALID",
  "AUTH_KEY_PERM_EMPTY",
  "SESSION_REVOKED",
  "SESSION_EXPIRED",
  "USER_DEACTIVATED",
  "USER_DEACTIVATED_BAN",
]);

/**
 * Returns `<code>: <ERROR_NAME> (caused by <request>)`, or the sentence for a flood wait. The library and its successor replace some error
 * names with sentences, so the name is restored here.
 */
function textOf(error: RPCError): string {
  const [, cause = ""] = /( \(caused by [\w.]+\))$/.exec(error.message) ?? [];
  if (error instanceof FloodWaitError || error instanceof FloodTestPhoneWaitError)
    return `A wait of ${error.seconds} seconds is required${cause}`;
  return `${lostName(error) ?? `${error.code ?? ""}: ${error.errorMessage}`}${cause}`;
}

/** Returns the platform's code and name where GramJS drops them; `undefined` elsewhere. */
function lostName(error: RPCError): string | undefined {
  if (error instanceof SlowModeWaitError) return `420: SLOWMODE_WAIT_${error.seconds}`;
  if (error instanceof PhoneMigrateError) return `303: PHONE_MIGRATE_${error.newDc}`;
  if (error instanceof UserMigrateError) return `303: USER_MIGRATE_${error.newDc}`;
  if (error instanceof NetworkMigrateError) return `303: NETWORK_MIGRATE_${error.newDc}`;
  if (error instanceof FileMigrateError) return `303: FILE_MIGRATE_${error.newDc}`;
  if (error instanceof EmailUnconfirmedError) return `400: EMAIL_UNCONFIRMED_${error.codeLength}`;
  return undefined;
}

/** GramJS replaces both errors about waiting for an earlier call with one sentence. Without its pattern they keep code and name. */
for (const [pattern, kind] of rpcErrorRe) if (kind === MsgWaitError) rpcErrorRe.delete(pattern);

/** GramJS's successor takes codes of known errors from its own list, which would replace the platform's code. */
const listed: unknown = Reflect.get(library, "rpcErrorsDict");
if (listed instanceof Map) listed.clear();
