import { reasonOf, type RefusalKind } from "../session/refusal.js";
import { graphErrorCode, iqErrorCode } from "./errors.js";
import { MessageRefused } from "./network/connection-error.js";

/** Returns the kind of the platform's refusal of a command; `undefined` for an error that is no refusal, such as a lost connection. */
export function refusalOf(error: unknown): RefusalKind | undefined {
  const reason = reasonOf(error);
  const code = reason instanceof MessageRefused ? Number(reason.code) : (iqErrorCode(reason) ?? graphErrorCode(reason));
  return code === undefined ? undefined : kindOf(code);
}

/** Returns the kind of refusal for a connection's close code; `undefined` for most codes, which are no refusals. */
export function refusedConnection(code: number | undefined): RefusalKind | undefined {
  return code === undefined ? undefined : closings.get(code);
}

const closings: ReadonlyMap<number, RefusalKind> = new Map<number, RefusalKind>([
  [402, "banned"],
  [403, "banned"],
  [405, "outdated"],
  [406, "banned"],
  [429, "flood"],
  [503, "unavailable"],
]);

/** The codes of acks and IQ errors, as the library and the platform's error texts explain them. */
const kinds: ReadonlyMap<number, RefusalKind> = new Map<number, RefusalKind>([
  [400, "bad-request"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "not-found"],
  [405, "not-allowed"],
  [406, "not-accepted"],
  [409, "conflict"],
  [410, "not-found"],
  [419, "limit"],
  [420, "flood"],
  [429, "flood"],
  [463, "restricted"],
  [479, "bad-request"],
]);

function kindOf(code: number): RefusalKind {
  return kinds.get(code) ?? (code >= 500 && code < 600 ? "unavailable" : "other");
}
