import type { proto } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { isWithoutKeys } from "../errors.js";

/**
 * Writes a message to a group. Devices that lack the account's key for it are given that with the message, and the library gives the message up when it can be encrypted for none of them: one member with
 * forged keys could keep the account from writing there at all. Where others have the key these devices are left out, as they are where only some of those that lack it have no usable keys; they ask for the message themselves.
 */
export async function relayToGroup(
  { account, services }: WhatsAppConnector,
  client: Client,
  jid: string,
  message: proto.IMessage,
  messageId: string,
): Promise<void> {
  try {
    await client.relay(jid, message, { messageId });
  } catch (error) {
    const devices = isWithoutKeys(error) ? await account.leaveOut(jid, client) : 0;
    if (devices === 0) throw error;
    services.metrics?.onLeftOut?.(devices);
    services.log.warn({ devices }, "devices without usable keys omitted from group message");
    await client.relay(jid, message, { messageId });
  }
}
