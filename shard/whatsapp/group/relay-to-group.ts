import type { proto } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { isWithoutKeys } from "../errors.js";

/**
 * Writes a message to a group. The library rejects it if no device that lacks the account's key has usable keys, so those devices are left
 * out if others have the key. They request the message themselves.
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
