import { commonFaultKinds, Faults, type Fault } from "../../control/faults.js";
import { IqFault, type DisconnectKind } from "../whatsapp-backend.js";

export const faultKinds = [
  ...commonFaultKinds,
  "close",
  "empty",
  "passkey",
  "refresh",
  "forge",
  "outdated",
  "redeliver",
  "duplicate",
  "unreadable",
  "gone-media",
] as const;
export type FaultKind = (typeof faultKinds)[number];
/**
 * `method`: a stanza's kind or its beginning ("iq w:g2"), "upload", a step of `passkey`, or a forgery. `error`: the error of the response
 * ("404 item-not-found"), the close code for `close` and `refuse`, the oldest accepted version for `outdated`, or the status for
 * `gone-media`.
 */
export type WhatsAppFault = Fault<FaultKind>;

export const whatsappFaults = (): Faults<FaultKind> =>
  new Faults({
    pushKinds: ["gap", "duplicate", "unreadable"],
    isMethod: (wanted, kind) => kind === wanted || kind.startsWith(`${wanted} `),
  });

/** The server's action for each close code of the library. */
const closings: Readonly<Record<string, DisconnectKind>> = {
  "401": "device-removed",
  "408": "silent",
  "411": "downgrade",
  "428": "end",
  "440": "replaced",
  "500": "malformed",
  "503": "overloaded",
  "515": "restart",
};

/** Returns the error that the client receives for a fault of kind "flood-wait" or "error". */
export function faultError({ kind, error }: WhatsAppFault): IqFault {
  if (kind === "flood-wait") return new IqFault(429, "rate-overlimit");
  const match = /^(\d{3})(?:[: ]+(.+))?$/.exec(error ?? "");
  return match === null ? new IqFault(500, error ?? "internal-server-error") : new IqFault(Number(match[1]), match[2] ?? "error");
}

/** Returns whether a client version, such as `2.3000.1043857760`, is older than the other one, or `undefined` if that is not a version. */
export function isOlder(version: string, other: string | undefined): boolean | undefined {
  if (other === undefined || !/^\d+\.\d+\.\d+$/.test(other)) return undefined;
  const [parts, others] = [version, other].map((text) => text.split(".").map(Number));
  for (const [index, wanted] of (others ?? []).entries()) {
    const part = parts?.[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

/** Returns how to end a connection so that the library reports this close code, or `undefined` if it is no close code. */
export function closing(error: string | undefined): DisconnectKind | undefined {
  if (error === undefined || !/^\d{3}$/.test(error)) return undefined;
  return closings[error] ?? Number(error);
}
