import type { SessionReference } from "../../../shared/contract/session.js";
import type { PasskeyInput } from "../../../shared/contract/passkey.js";
import type { CommandCall } from "../../session/command.js";
import type { WhatsAppConnector } from "../connector.js";

/** POST /session/passkey: returns after the platform has received the passkey's assertion. */
export async function submitPasskey(
  { id, account }: WhatsAppConnector,
  { credential }: PasskeyInput,
  { signal }: CommandCall,
): Promise<SessionReference> {
  await account.passkey.submit(credential, signal);
  return { id };
}
