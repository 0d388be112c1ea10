import type { proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { contactOf } from "./contact.js";
import { messageIdOf } from "./message-id.js";
import { writeToChat } from "./write-to-chat.js";

export interface MessageChange {
  readonly to: Recipient;
  readonly jid: string;
  /** Builds the message that changes another one. */
  readonly compose: (client: Client) => Promise<proto.IMessage>;
}

/** Sends a change of a message to a person or a group, like a message. Resolves when the platform's server has accepted it. */
export async function sendChange(connector: WhatsAppConnector, { to, jid, compose }: MessageChange, call: CommandCall): Promise<void> {
  const { id, signal, isFirstTry, isRepeat } = call;
  await connector.context.pace.count({ id, isRepeat }, () => contactOf(connector, to, jid));
  // The lane is kept: a repeat after a later change would undo it.
  const inOrder = { signal, isFirstTry, yieldLane: () => undefined };
  await writeToChat(connector, { to, jid, messageId: messageIdOf(connector.id, id) }, inOrder, compose);
}
