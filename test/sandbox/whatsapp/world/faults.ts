import { commonFaultKinds, Faults, type Fault } from "../../control/faults.js";
import { IqFault, type DisconnectKind } from "../whatsapp-backend.js";

export const faultKinds = [...commonFaultKinds, "close", "empty", "passkey", "refresh", "forge", "outdated"] as const;
export type FaultKind = (typeof faultKinds)[number];
/**
 * `method` is a stanza's kind ("message", "iq w:g2 query", "login") or its beginning ("iq w:g2", "iq"), "upload" for the media server, the step of `passkey`, or what is forged;
 * `error` the code of the answer, as "479" or "404 item-not-found", or the close code for `close` and `refuse`; the oldest version that is taken for `outdated`.
 */
export type WhatsAppFault = Fault<FaultKind>;

export const whatsappFaults = (): Faults<FaultKind> =>
  new Faults({ pushKinds: ["gap"], isMethod: (wanted, kind) => kind === wanted || kind.startsWith(`${wanted} `) });

/** How the server brings about each close code of the library. */
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

/** What the client is answered for a fault of kind "flood-wait" or "error". */
export function faultError({ kind, error }: WhatsAppFault): IqFault {
  if (kind === "flood-wait") return new IqFault(429, "rate-overlimit");
  const match = /^(\d{3})(?:[: ]+(.+))?$/.exec(error ?? "");
  return match === null ? new IqFault(500, error ?? "internal-server-error") : new IqFault(Number(match[1]), match[2] ?? "error");
}

/** Whether a client of this version, such as `2.3000.1043857760`, is older than the other; `undefined` when that is none. */
export function isOlder(version: string, other: string | undefined): boolean | undefined {
  if (other === undefined || !/^\d+\.\d+\.\d+$/.test(other)) return undefined;
  const [parts, others] = [version, other].map((text) => text.split(".").map(Number));
  for (const [index, wanted] of (others ?? []).entries()) {
    const part = parts?.[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

/** How to end a connection so that the library reports this close code; `undefined` when it is none. */
export function closing(error: string | undefined): DisconnectKind | undefined {
  if (error === undefined || !/^\d{3}$/.test(error)) return undefined;
  return closings[error] ?? Number(error);
}
