import type { CommandCall } from "../../session/command.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import { invalidRecipient, messageNotFound } from "../../../shared/contract/whatsapp/errors.js";
import type { MessageReference } from "../../../shared/contract/whatsapp/message-change.js";
import { addToHistory } from "../history/add-to-history.js";
import { readMark } from "../history/read-mark.js";
import { isPostNumber } from "../channel/change-post.js";
import type { Client } from "../client.js";
import { messageIdOf } from "../message/message-id.js";
import { messageKey } from "../message/message-key.js";
import { recipientJid } from "../message/recipient-jid.js";
import type { WhatsAppConnector } from "../connector.js";

/** POST /message/read: shows the author that a message was read, unless the account's privacy settings hide that. */
export async function readMessage(
  connector: WhatsAppConnector,
  { to, messageId, author }: MessageReference,
  call: CommandCall,
): Promise<SessionReference> {
  const client = connector.connected();
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  if (to.kind === "newsletter") {
    await viewPost(client, jid, messageId, messageIdOf(connector.id, call.id));
  } else {
    // The library leaves out the account's own messages, and reads the privacy once for each connection.
    const key = await messageKey(connector, client, { jid, messageId, author });
    await client.runQuery(() => client.sock.readMessages([key]));
  }
  if (connector.context.chatHistory.isOn) addToHistory(connector.context, readMark(connector.id, jid, messageId));
  return { id: connector.id };
}

/** A channel's administrators see how many people viewed a post, and not who. */
async function viewPost(client: Client, jid: string, messageId: string, id: string): Promise<void> {
  if (!isPostNumber(messageId)) throw messageNotFound();
  const item = { tag: "item", attrs: { server_id: messageId } };
  const list = { tag: "list", attrs: {}, content: [item] };
  await client.runQuery(() => client.sock.sendNode({ tag: "receipt", attrs: { to: jid, type: "view", id }, content: [list] }));
}
