import type { SessionReference } from "../../../shared/contract/session.js";
import type { Connector, PairingCode } from "../connector.js";
import type { Session } from "../session.js";

/** POST /session: the host has already created the record and runs the session. Its first QR code follows within seconds. */
export async function createSession({ id }: Session): Promise<SessionReference> {
  return { id };
}

/** Does the same. If a phone number is given, the phone gets a pairing code to type instead of a QR code. */
export async function createSessionByPhone(
  { id, connector }: Session<Connector & PairingCode>,
  { phone }: { readonly phone: string },
): Promise<SessionReference> {
  if (phone !== "") connector.pairBy(phone);
  return { id };
}
