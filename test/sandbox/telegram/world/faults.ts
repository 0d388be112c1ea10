import { commonFaultKinds, Faults, type Fault } from "../../control/faults.js";
import { RpcFault } from "../rpc.js";
import { methodName } from "./call-counts.js";

/** Kinds that affect pushes: the next one, or all of them for some seconds. */
export const pushFaultKinds = ["gap", "updates-too-long", "reorder", "duplicate"] as const;
export const faultKinds = [...commonFaultKinds, "updates-too-long", "reorder", "duplicate", "difference-too-long"] as const;
export type FaultKind = (typeof faultKinds)[number];
/** `method` is like "upload.getFile". `error` is like "CHAT_WRITE_FORBIDDEN", or has a code: "403 CHAT_WRITE_FORBIDDEN". */
export type TelegramFault = Fault<FaultKind>;

/** Calls are identified by the class name of their request. */
export const telegramFaults = (): Faults<FaultKind> =>
  new Faults({ pushKinds: pushFaultKinds, isMethod: (wanted, className) => wanted.toLowerCase() === methodName(className).toLowerCase() });

/** Codes of errors other than 400. */
const codes: Readonly<Record<string, number>> = {
  CHAT_WRITE_FORBIDDEN: 403,
  PRIVACY_PREMIUM_REQUIRED: 406,
  AUTH_KEY_DUPLICATED: 406,
  AUTH_KEY_UNREGISTERED: 401,
  SESSION_REVOKED: 401,
  SESSION_EXPIRED: 401,
  USER_DEACTIVATED: 401,
  USER_DEACTIVATED_BAN: 401,
  RANDOM_ID_DUPLICATE: 500,
  RPC_CALL_FAIL: 500,
  RPC_MCGET_FAIL: 500,
  WORKER_BUSY_TOO_LONG_RETRY: 500,
  INTERNAL: 500,
  Timeout: -503,
};

/** Returns the `rpc_error` for a fault of kind "flood-wait" or "error". */
export function faultError({ kind, error, seconds }: TelegramFault): RpcFault {
  if (kind === "flood-wait") return new RpcFault(420, error ?? `FLOOD_WAIT_${seconds ?? 30}`);
  const match = /^(?:(-?\d+)[: ]+)?([A-Za-z0-9_%]+)$/.exec(error ?? "INTERNAL");
  const named = (match?.[2] ?? "INTERNAL").replace(/%d$|_N$|_X$/, (end) => (end === "%d" ? "" : "_") + String(seconds ?? 30));
  const code = match?.[1] === undefined ? codeOf(named) : Number(match[1]);
  return new RpcFault(code, named);
}

function codeOf(error: string): number {
  if (/^(FLOOD|FLOOD_PREMIUM|SLOWMODE|FLOOD_TEST_PHONE|MSG)_WAIT_\d+$/.test(error)) return 420;
  if (/_MIGRATE_\d+$/.test(error)) return 303;
  if (/^INTERDC_\d+_CALL(_RICH)?_ERROR$/.test(error)) return 500;
  return codes[error] ?? 400;
}
