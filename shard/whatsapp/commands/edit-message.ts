import { encodeNewsletterMessage, proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { editTooLate, invalidRecipient } from "../../../shared/contract/whatsapp/errors.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import type { EditInput } from "../../../shared/contract/whatsapp/message-change.js";
import { changeOwnPost } from "../channel/change-post.js";
import { messageKey } from "../message/message-key.js";
import { recipientJid } from "../message/recipient-jid.js";
import { sendChange } from "../message/send-change.js";
import type { WhatsAppConnector } from "../connector.js";

/** PATCH /message/{messageId}: replaces the text of a message of the account. */
export async function editMessage(
  connector: WhatsAppConnector,
  { to, messageId, text }: EditInput,
  call: CommandCall,
): Promise<ChangedMessage> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  const editedMessage: proto.IMessage = { extendedTextMessage: { text } };
  if (to.kind === "newsletter") {
    const plaintext = encodeNewsletterMessage(proto.Message.fromObject(editedMessage));
    await changeOwnPost(connector, jid, { messageId, edit: "3", plaintext }, call);
    return { messageId };
  }
  if (call.isRepeat !== true) await requireEditable(connector, messageId);
  await sendChange(
    connector,
    {
      to,
      jid,
      compose: async (client) => {
        const key = await messageKey(connector, client, { jid, messageId, author: client.me.id });
        const { MESSAGE_EDIT: type } = proto.Message.ProtocolMessage.Type;
        return { protocolMessage: { key, type, editedMessage, timestampMs: Date.now() } };
      },
    },
    call,
  );
  return { messageId };
}

/** The server accepts a late edit, and the phones of the chat ignore it. The age of older messages, and of a phone's own, is not known. */
async function requireEditable({ context }: WhatsAppConnector, messageId: string): Promise<void> {
  const sentAt = await context.sent.sentAt(messageId);
  if (sentAt !== undefined && Date.now() - sentAt > editableMs) throw editTooLate();
}

/** The platform's own clients offer an edit for this time. */
const editableMs = 15 * 60_000;
