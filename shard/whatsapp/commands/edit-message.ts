import { encodeNewsletterMessage, normalizeMessageContent, proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { editTooLate, invalidRecipient, notEditable } from "../../../shared/contract/whatsapp/errors.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import type { EditInput } from "../../../shared/contract/whatsapp/message-change.js";
import { changeOwnPost } from "../channel/change-post.js";
import { inCaptionEnvelope } from "../message/caption-envelope.js";
import { messageKey } from "../message/message-key.js";
import { recipientJid } from "../message/recipient-jid.js";
import { sendChange } from "../message/send-change.js";
import type { WhatsAppConnector } from "../connector.js";

/** PATCH /message/{messageId}: replaces the text or the caption of a message of the account. */
export async function editMessage(
  connector: WhatsAppConnector,
  { to, messageId, text }: EditInput,
  call: CommandCall,
): Promise<ChangedMessage> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  if (to.kind === "newsletter") {
    const plaintext = encodeNewsletterMessage(proto.Message.fromObject({ extendedTextMessage: { text } }));
    await changeOwnPost(connector, jid, { messageId, edit: "3", plaintext }, call);
    return { messageId };
  }
  if (call.isRepeat !== true) await requireEditable(connector, messageId);
  const editedMessage = await editedContent(connector, messageId, text);
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

/**
 * Returns the new content. Phones ignore an edit of another kind, so a file keeps its kind and place. A message that this session did not
 * send within the last day is taken for a text. Rejects if the message has neither text nor caption.
 */
async function editedContent({ context }: WhatsAppConnector, messageId: string, text: string): Promise<proto.IMessage> {
  const kept = await context.sent.read(messageId);
  const sent = kept && normalizeMessageContent(proto.Message.decode(kept));
  for (const kind of captioned) {
    const file = sent?.[kind];
    if (file) return inCaptionEnvelope(proto.Message.fromObject({ [kind]: { ...file, caption: text } }));
  }
  if (sent && !sent.conversation && !sent.extendedTextMessage) throw notEditable();
  return { extendedTextMessage: { text } };
}

const captioned = ["imageMessage", "videoMessage", "documentMessage"] as const;

/** The server accepts a late edit, and the phones of the chat ignore it. The age of older messages, and of a phone's own, is not known. */
async function requireEditable({ context }: WhatsAppConnector, messageId: string): Promise<void> {
  const sentAt = await context.sent.sentAt(messageId);
  if (sentAt !== undefined && Date.now() - sentAt > editableMs) throw editTooLate();
}

/** The platform's own clients offer an edit for this time. */
const editableMs = 15 * 60_000;
