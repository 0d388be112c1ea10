import type { CommandCall } from "../../session/command.js";
import { invalidRecipient, messageNotFound } from "../../../shared/contract/whatsapp/errors.js";
import type { ChangedMessage } from "../../../shared/contract/message-change.js";
import type { ReactionInput } from "../../../shared/contract/whatsapp/message-change.js";
import { changePost, isPostNumber } from "../channel/change-post.js";
import { messageIdOf } from "../message/message-id.js";
import { messageKey } from "../message/message-key.js";
import { recipientJid } from "../message/recipient-jid.js";
import { sendChange } from "../message/send-change.js";
import type { WhatsAppConnector } from "../connector.js";

/** POST /message/reaction: sets the account's reaction to a message of a chat, or removes it. */
export async function sendReaction(
  connector: WhatsAppConnector,
  { to, messageId, author, emoji }: ReactionInput,
  call: CommandCall,
): Promise<ChangedMessage> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  if (to.kind === "newsletter") await reactToPost(connector, jid, { messageId, emoji }, call);
  else
    await sendChange(
      connector,
      {
        to,
        jid,
        compose: async (client) => {
          const key = await messageKey(connector, client, { jid, messageId, author });
          return { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } };
        },
      },
      call,
    );
  return { messageId };
}

/** Everybody who sees a channel may react to its posts, which the server numbers. */
async function reactToPost(
  connector: WhatsAppConnector,
  jid: string,
  { messageId, emoji }: Pick<ReactionInput, "messageId" | "emoji">,
  call: CommandCall,
): Promise<void> {
  if (!isPostNumber(messageId)) throw messageNotFound();
  const isRemoved = emoji === "";
  const attrs = { type: "reaction", server_id: messageId, ...(isRemoved ? { edit: "7" } : {}) };
  const content = { tag: "reaction", attrs: isRemoved ? {} : { code: emoji } };
  await changePost(connector, jid, { id: messageIdOf(connector.id, call.id), attrs, content }, call);
}
