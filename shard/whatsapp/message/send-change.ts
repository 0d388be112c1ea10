import { isJidGroup, type proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { WriteToGroup } from "../group/write-to-group.js";
import { MessageRefused } from "../network/connection-error.js";
import { contactOf } from "./contact.js";
import { messageIdOf } from "./message-id.js";
import { sendUntilAccepted } from "./send-until-accepted.js";
import { WriteToPerson } from "./write-to-person.js";

export interface MessageChange {
  readonly to: Recipient;
  readonly jid: string;
  /** Builds the message that changes another one. */
  readonly compose: (client: Client) => Promise<proto.IMessage>;
}

/** Sends a change of a message to a person or a group, like a message. Resolves when the platform's server has accepted it. */
export async function sendChange(connector: WhatsAppConnector, { to, jid, compose }: MessageChange, call: CommandCall): Promise<void> {
  const { id, signal, yieldLane, isFirstTry, isRepeat } = call;
  await connector.context.pace.count({ id, isRepeat }, () => contactOf(connector, to, jid));
  const messageId = messageIdOf(connector.id, id);
  const options = { chat: jid, messageId };
  const recipient = isJidGroup(jid) === true ? new WriteToGroup(connector, options) : new WriteToPerson(connector, options);
  try {
    await sendUntilAccepted({
      connector,
      messageId,
      signal,
      yieldLane,
      isFirstTry,
      costly: false,
      keep: true,
      compose,
      write: (client, message, again) => recipient.write(client, message, again),
      reach: recipient.reach,
    });
  } catch (error) {
    // Stale group members may be the cause, so they are evicted.
    if (error instanceof MessageRefused) connector.account.groups.delete(jid);
    throw error;
  }
}
