import { isJidGroup, type proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { invalidRecipient } from "../../../shared/contract/whatsapp/errors.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { rememberGroup } from "../group/remember-group.js";
import { WriteToGroup } from "../group/write-to-group.js";
import { chatTimer } from "../message/chat-timer.js";
import { contactOf } from "../message/contact.js";
import type { Timer } from "../message/disappearing.js";
import { messageIdOf } from "../message/message-id.js";
import { recipientJid } from "../message/recipient-jid.js";
import { sendUntilAccepted } from "../message/send-until-accepted.js";
import { WriteToPerson } from "../message/write-to-person.js";
import { MessageRefused } from "../network/connection-error.js";

/** A message on its way: its chat, and the id that each repeat of its command gives it. */
export interface Addressed {
  readonly to: Recipient;
  readonly jid: string;
  readonly messageId: string;
}

/** Returns the chat and the id of a message, once the session's pace allows it. */
export async function addressed(connector: WhatsAppConnector, to: Recipient, { id, isRepeat }: CommandCall): Promise<Addressed> {
  const jid = recipientJid(to);
  if (jid === undefined) throw invalidRecipient();
  await connector.context.pace.count({ id, isRepeat }, () => contactOf(connector, to, jid));
  return { to, jid, messageId: messageIdOf(connector.id, id) };
}

/** Sends a message to a person or a group. Resolves when the platform has accepted it. */
export async function sendToChat(
  connector: WhatsAppConnector,
  { to, jid, messageId }: Addressed,
  { signal, yieldLane, isFirstTry }: CommandCall,
  compose: (client: Client, timer: Timer | undefined) => Promise<proto.IMessage>,
): Promise<void> {
  const options = { chat: jid, messageId };
  const recipient = to.kind === "group" ? new WriteToGroup(connector, options) : new WriteToPerson(connector, options);
  try {
    await sendUntilAccepted({
      connector,
      messageId,
      signal,
      yieldLane,
      isFirstTry,
      costly: false,
      keep: true,
      compose: async (client) => compose(client, await timerOf(connector, client, jid)),
      write: (client, message, again) => recipient.write(client, message, again),
      reach: recipient.reach,
    });
  } catch (error) {
    // Stale group members may be the cause, so they are evicted.
    if (error instanceof MessageRefused) connector.account.groups.delete(jid);
    throw error;
  }
}

/** Returns the timer of a chat. A group's metadata contains its timer. */
async function timerOf(connector: WhatsAppConnector, client: Client, jid: string): Promise<Timer | undefined> {
  if (isJidGroup(jid) !== true) return chatTimer(connector, client, jid);
  const found = await connector.timers.find(client.sock.authState.keys, jid);
  const { ephemeralDuration: seconds } = await rememberGroup(connector.account.groups, client, jid);
  return seconds ? { seconds, ...(found?.seconds === seconds ? { setAt: found.setAt } : {}) } : undefined;
}
