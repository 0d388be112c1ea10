import type { SessionReference } from "../../../shared/contract/session.js";
import type { WhatsAppSession } from "../session.js";

/** POST /session: the host has made the record and runs the session; its first QR code, or its pairing code, follows within seconds. */
export async function createSession(session: WhatsAppSession, { phone }: { phone: string }): Promise<SessionReference> {
  if (phone !== "") session.link.pairBy(phone);
  return { id: session.id };
}
