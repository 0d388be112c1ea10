import type { LoginRecord } from "../gateway/responses.js";

/** Next step of a login. */
export type LoginStep =
  | { kind: "connected"; name: string; phone: string }
  | { kind: "password"; hint: string }
  | { kind: "pairing-code"; code: string }
  | { kind: "code"; png: string }
  /** The platform requires something that this client cannot provide, such as a passkey. */
  | { kind: "stuck"; why: string }
  | { kind: "wait" };

export function loginStep({
  isConnected,
  name,
  phone,
  isPasswordRequired,
  passwordHint,
  pairingCode = "",
  qrcode,
}: LoginRecord): LoginStep {
  if (isConnected) return { kind: "connected", name, phone };
  if (isPasswordRequired) return { kind: "password", hint: passwordHint };
  if (pairingCode !== "") return { kind: "pairing-code", code: pairingCode };
  if (qrcode !== "") return { kind: "code", png: qrcode };
  if (passwordHint !== "") return { kind: "stuck", why: passwordHint };
  return { kind: "wait" };
}
