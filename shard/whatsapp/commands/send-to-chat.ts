import { isJidGroup, type proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { invalidRecipient } from "../../../shared/contract/whatsapp/errors.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { rememberGroup } from "../group/remember-group.js";
import { chatTimer } from "../message/chat-timer.js";
import { contactOf, type Person } from "../message/contact.js";
import type { Timer } from "../message/disappearing.js";
import { messageIdOf } from "../message/message-id.js";
import { recipientJid } from "../message/recipient-jid.js";
import { writeToChat, type Addressed } from "../message/write-to-chat.js";

/** Returns the chat and the id of a message, once its restrictions and the session's pace allow it. */
export async function addressed(connector: WhatsAppConnector, to: Recipient, { id, isRepeat }: CommandCall): Promise<Addressed> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  const contact = (): Person | undefined => contactOf(connector, to, jid);
  await connector.context.health.admit(isRepeat, contact);
  await connector.context.pace.count({ id, isRepeat }, contact);
  return { to, jid, messageId: messageIdOf(connector.id, id) };
}

/** Sends a message to a person or a group, with the timer of its chat. Resolves when the platform's server has accepted it. */
export async function sendToChat(
  connector: WhatsAppConnector,
  message: Addressed,
  call: CommandCall,
  compose: (client: Client, timer: Timer | undefined) => Promise<proto.IMessage>,
): Promise<void> {
  await writeToChat(connector, message, call, async (client) => compose(client, await timerOf(connector, client, message.jid)));
}

/** Returns the timer of a chat. A group's metadata contains its timer. */
async function timerOf(connector: WhatsAppConnector, client: Client, jid: string): Promise<Timer | undefined> {
  if (isJidGroup(jid) !== true) return chatTimer(connector, client, jid);
  const found = await connector.timers.find(client.sock.authState.keys, jid);
  const { ephemeralDuration: seconds } = await rememberGroup(connector.account.groups, client, jid);
  return seconds ? { seconds, ...(found?.seconds === seconds ? { setAt: found.setAt } : {}) } : undefined;
}
