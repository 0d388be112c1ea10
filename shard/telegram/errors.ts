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
 * What a caller is told of a failure of the platform inside a command. Only this file knows the library's errors; what it does not know
 * (an ended deadline, a lost slot, a defect) comes back as it is.
 */
export function toApiError(error: unknown): unknown {
  if (error instanceof ConnectionLost || error instanceof CallTimeout || error instanceof DataCentreRefused || isSignedOut(error))
    return errors.sessionNotConnected(error);
  if (error instanceof RPCError) return errors.platformError(textOf(error), error);
  return error;
}

/** Name of a platform error, such as `CHANNEL_PRIVATE`; `undefined` for anything else. */
export function errorName(error: unknown): string | undefined {
  return error instanceof RPCError ? error.errorMessage : undefined;
}

/**
 * True when the platform has ended this login: the device was removed, the account is gone, or two owners made the platform destroy the key.
 * On another data centre than the home one it only speaks of that data centre's key.
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

/** `<code>: <ERROR_NAME> (caused by <request>)`, or the sentence of a wait. The library has sentences of its own for some errors, and its successor for all. */
function textOf(error: RPCError): string {
  const [, cause = ""] = /( \(caused by [\w.]+\))$/.exec(error.message) ?? [];
  if (error instanceof FloodWaitError || error instanceof FloodTestPhoneWaitError)
    return `A wait of ${error.seconds} seconds is required${cause}`;
  return `${lostName(error) ?? `${error.code ?? ""}: ${error.errorMessage}`}${cause}`;
}

/** Code and name as the platform said them; `undefined` where GramJS keeps them. */
function lostName(error: RPCError): string | undefined {
  if (error instanceof SlowModeWaitError) return `420: SLOWMODE_WAIT_${error.seconds}`;
  if (error instanceof PhoneMigrateError) return `303: PHONE_MIGRATE_${error.newDc}`;
  if (error instanceof UserMigrateError) return `303: USER_MIGRATE_${error.newDc}`;
  if (error instanceof NetworkMigrateError) return `303: NETWORK_MIGRATE_${error.newDc}`;
  if (error instanceof FileMigrateError) return `303: FILE_MIGRATE_${error.newDc}`;
  if (error instanceof EmailUnconfirmedError) return `400: EMAIL_UNCONFIRMED_${error.codeLength}`;
  return undefined;
}

/** GramJS makes one sentence of both errors of a wait for an earlier call, without code and name: as any other error they keep them. */
for (const [pattern, kind] of rpcErrorRe) if (kind === MsgWaitError) rpcErrorRe.delete(pattern);

/** GramJS's successor makes the errors that it knows from a list with codes of its own, and the platform's code would be lost. */
const listed: unknown = Reflect.get(library, "rpcErrorsDict");
if (listed instanceof Map) listed.clear();
