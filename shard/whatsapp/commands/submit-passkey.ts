import type { SessionReference } from "../../../shared/contract/session.js";
import type { PasskeyInput } from "../../../shared/contract/passkey.js";
import type { CommandCall } from "../../session/command.js";
import type { WhatsAppConnector } from "../connector.js";

/** POST /session/passkey: when it answers, the platform has the passkey's answer. */
export async function submitPasskey(
  { id, link }: WhatsAppConnector,
  { credential }: PasskeyInput,
  { signal }: CommandCall,
): Promise<SessionReference> {
  await link.passkey.submit(credential, signal);
  return { id };
}
