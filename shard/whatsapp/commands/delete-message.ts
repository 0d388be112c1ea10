import { isJidGroup, proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { foreignMessage, invalidRecipient } from "../../../shared/contract/whatsapp/errors.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import type { MessageReference } from "../../../shared/contract/whatsapp/message-change.js";
import { changeOwnPost } from "../channel/change-post.js";
import type { Client } from "../client.js";
import { messageKey } from "../message/message-key.js";
import { recipientJid } from "../message/recipient-jid.js";
import { sendChange } from "../message/send-change.js";
import type { WhatsAppConnector } from "../connector.js";

/** DELETE /message/{messageId}: deletes a message for everybody. Without an author it is the account's own. */
export async function deleteMessage(
  connector: WhatsAppConnector,
  { to, messageId, author }: MessageReference,
  call: CommandCall,
): Promise<ChangedMessage> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  if (to.kind === "newsletter") {
    await changeOwnPost(connector, jid, { messageId, edit: "8", plaintext: Buffer.alloc(0) }, call);
    return { messageId };
  }
  let deletion: proto.IMessage | undefined;
  const compose = async (client: Client): Promise<proto.IMessage> => {
    const key = await messageKey(connector, client, { jid, messageId, author: author ?? client.me.id });
    if (key.fromMe !== true && isJidGroup(jid) !== true) throw foreignMessage();
    deletion = { protocolMessage: { key, type: proto.Message.ProtocolMessage.Type.REVOKE } };
    return deletion;
  };
  await sendChange(connector, { to, jid, compose }, call);
  const { sent } = connector.context;
  // A device that requests the message again is given its deletion.
  if (deletion !== undefined && (await sent.read(messageId)) !== undefined)
    await sent.keep(messageId, Buffer.from(proto.Message.encode(deletion).finish()));
  return { messageId };
}
