import { isJidGroup } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { invalidRecipient } from "../../../shared/contract/whatsapp/errors.js";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import { sendToChannel } from "../channel/send-to-channel.js";
import { rememberGroup } from "../group/remember-group.js";
import { WriteToGroup } from "../group/write-to-group.js";
import type { Client } from "../client.js";
import { chatTimer } from "../message/chat-timer.js";
import { composeMessage } from "../message/compose.js";
import { contactOf } from "../message/contact.js";
import type { Timer } from "../message/disappearing.js";
import { sendUntilAccepted } from "../message/send-until-accepted.js";
import { messageIdOf } from "../message/message-id.js";
import { recipientJid } from "../message/recipient-jid.js";
import { WriteToPerson } from "../message/write-to-person.js";
import { MessageRefused } from "../network/connection-error.js";
import type { WhatsAppConnector } from "../connector.js";

/** Returns the timer of a chat. A group's metadata contains its timer. */
async function timerOf(connector: WhatsAppConnector, client: Client, jid: string): Promise<Timer | undefined> {
  if (isJidGroup(jid) !== true) return chatTimer(connector, client, jid);
  const found = await connector.timers.find(client.sock.authState.keys, jid);
  const { ephemeralDuration: seconds } = await rememberGroup(connector.account.groups, client, jid);
  return seconds ? { seconds, ...(found?.seconds === seconds ? { setAt: found.setAt } : {}) } : undefined;
}

/**
 * POST /message: sends one of seven types to a person, a group or a channel. Returns the id only after the platform accepted the message.
 */
export async function sendMessage(
  connector: WhatsAppConnector,
  input: MessageInput,
  { id, signal, yieldLane, isFirstTry, isRepeat }: CommandCall,
): Promise<MessageOutput> {
  const jid = recipientJid(input.to);
  if (jid === undefined) throw invalidRecipient();
  await connector.context.pace.count({ id, isRepeat }, () => contactOf(connector, input.to, jid));
  const messageId = messageIdOf(connector.id, id);
  const { images, videos, downloads } = connector.services;
  const thumbnails = { images, videos, downloads, key: connector.id, signal };
  if (input.to.kind === "newsletter")
    return { messageId: await sendToChannel(connector, jid, input, thumbnails, { messageId, yieldLane }) };
  const options = { chat: jid, messageId };
  const recipient = input.to.kind === "group" ? new WriteToGroup(connector, options) : new WriteToPerson(connector, options);
  try {
    await sendUntilAccepted({
      connector,
      messageId,
      signal,
      yieldLane,
      isFirstTry,
      costly: false,
      keep: true,
      compose: async (client) =>
        composeMessage(client, jid, input, thumbnails, { messageId, timer: await timerOf(connector, client, jid) }),
      write: (client, message, again) => recipient.write(client, message, again),
      reach: recipient.reach,
    });
    return { messageId };
  } catch (error) {
    // Stale group members may be the cause, so they are evicted.
    if (error instanceof MessageRefused) connector.account.groups.delete(jid);
    throw error;
  }
}
