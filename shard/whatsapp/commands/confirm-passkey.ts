import type { Empty, SessionReference } from "../../../shared/contract/session.js";
import type { CommandCall } from "../../session/command.js";
import type { WhatsAppConnector } from "../connector.js";

/** POST /session/passkey/confirm: the account's owner has compared the code with the phone's. */
export async function confirmPasskey(
  { id, account }: WhatsAppConnector,
  _input: Empty,
  { signal }: CommandCall,
): Promise<SessionReference> {
  await account.passkey.confirm(signal);
  return { id };
}
