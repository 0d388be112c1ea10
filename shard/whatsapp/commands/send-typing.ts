import type { SessionReference } from "../../../shared/contract/session.js";
import { invalidTypingRecipient } from "../../../shared/contract/whatsapp/errors.js";
import type { TypingInput } from "../../../shared/contract/whatsapp/typing.js";
import { recipientJid } from "../message/recipient-jid.js";
import type { WhatsAppConnector } from "../connector.js";

/** POST /typing: shows the indicator for 5 seconds. */
export async function sendTyping(connector: WhatsAppConnector, { to, type }: TypingInput): Promise<SessionReference> {
  const client = connector.connected();
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidTypingRecipient();
  await client.runQuery(() => connector.typing.send(jid, type));
  return { id: connector.id };
}
