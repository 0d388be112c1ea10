import { FloodTestPhoneWaitError, FloodWaitError, RPCError, SlowModeWaitError } from "telegram/errors/index.js";
import { reasonOf, type RefusalKind } from "../session/refusal.js";

/** Classifies a refusal by the platform; `undefined` for any other error, such as a lost connection. */
export function refusalOf(error: unknown): RefusalKind | undefined {
  const reason = reasonOf(error);
  if (!(reason instanceof RPCError)) return undefined;
  if (reason instanceof SlowModeWaitError) return "slow-mode";
  if (reason instanceof FloodWaitError || reason instanceof FloodTestPhoneWaitError) return "flood";
  return names.get(reason.errorMessage) ?? byEnd(reason.errorMessage) ?? codes.get(Math.abs(reason.code ?? 0)) ?? "other";
}

/** Error names that are more specific than their code, which is mostly 400 or 403. */
const names: ReadonlyMap<string, RefusalKind> = new Map<string, RefusalKind>([
  ["PEER_FLOOD", "restricted"],
  ["USER_RESTRICTED", "restricted"],
  ["FROZEN_METHOD_INVALID", "restricted"],
  ["FROZEN_PARTICIPANT_MISSING", "restricted"],
  ["USER_DEACTIVATED", "banned"],
  ["USER_DEACTIVATED_BAN", "banned"],
  ["PHONE_NUMBER_BANNED", "banned"],
  ["CONNECTION_LAYER_INVALID", "outdated"],
  ["UPDATE_APP_TO_LOGIN", "outdated"],
]);

/** The platform names flood and limit errors differently in each method, so only the end of the name is common. */
function byEnd(name: string): RefusalKind | undefined {
  if (name.endsWith("_TOO_MUCH") || name.startsWith("STORY_SEND_FLOOD")) return "limit";
  return /(^|_)FLOOD(_|$)/.test(name) ? "flood" : undefined;
}

const codes: ReadonlyMap<number, RefusalKind> = new Map<number, RefusalKind>([
  [400, "bad-request"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not-found"],
  [406, "not-accepted"],
  [420, "flood"],
  [500, "unavailable"],
  [503, "unavailable"],
]);
