import type { SessionReference } from "../../../shared/contract/session.js";
import type { Connector, PairingCode } from "../connector.js";
import type { Session } from "../session.js";

/** POST /session: the host has made the record and runs the session; its first QR code follows within seconds. */
export async function createSession({ id }: Session): Promise<SessionReference> {
  return { id };
}

/** The same where a phone, when one is given, gets a code to type instead. */
export async function createSessionByPhone(
  { id, connector }: Session<Connector & PairingCode>,
  { phone }: { readonly phone: string },
): Promise<SessionReference> {
  if (phone !== "") connector.pairBy(phone);
  return { id };
}
