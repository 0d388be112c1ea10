import type { CommandCall } from "../../session/command.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import { sendToChannel } from "../channel/send-to-channel.js";
import type { WhatsAppConnector } from "../connector.js";
import { composeMessage } from "../message/compose.js";
import { contextMaker } from "../message/message-context.js";
import { addressed, sendToChat } from "./send-to-chat.js";

/**
 * POST /message: sends one of seven types to a person, a group or a channel. Returns the id only after the platform accepted the message.
 */
export async function sendMessage(connector: WhatsAppConnector, input: MessageInput, call: CommandCall): Promise<MessageOutput> {
  const { signal, yieldLane } = call;
  const contextFor = contextMaker(input, connector.refs);
  const message = await addressed(connector, input.to, call);
  const { jid, messageId } = message;
  const { images, videos, downloads } = connector.services;
  const thumbnails = { images, videos, downloads, key: connector.id, signal };
  // A channel's post has no quotes and no mentions.
  if (input.to.kind === "newsletter")
    return { messageId: await sendToChannel(connector, jid, input, thumbnails, { messageId, yieldLane }) };
  await sendToChat(connector, message, call, async (client, timer) => {
    const context = await contextFor({ jid, me: client.me, sent: connector.context.sent });
    return composeMessage(client, jid, input, thumbnails, { messageId, timer, context });
  });
  return { messageId };
}
