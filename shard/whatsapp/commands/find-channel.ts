import { isNewsletterId } from "../../../shared/contract/whatsapp/address.js";
import { channelNotFound } from "../../../shared/contract/whatsapp/errors.js";
import { type ChannelNode, isChannelNode, isGone } from "../channel/channel-node.js";
import type { Client } from "../client.js";
import { closeCode, iqErrorCode } from "../errors.js";

/** Returns a channel. Throws `channel not found` if it does not exist, is deleted, or is not visible to the account. */
export async function findChannel(client: Client, channelId: string): Promise<ChannelNode> {
  if (!isNewsletterId(channelId)) throw channelNotFound();
  return readChannel(client, "jid", channelId);
}

/** Returns the channel of a link, by the code in it. Throws as `findChannel` does. */
export function findInvitedChannel(client: Client, code: string): Promise<ChannelNode> {
  return readChannel(client, "invite", code);
}

async function readChannel(client: Client, type: "jid" | "invite", key: string): Promise<ChannelNode> {
  const node: unknown = await client
    .runQuery(() => client.sock.newsletterMetadata(type, key))
    .catch((error: unknown) => {
      const code = iqErrorCode(error) ?? closeCode(error);
      throw code !== undefined && unknownCodes.has(code) ? channelNotFound(error) : error;
    });
  if (!isChannelNode(node) || isGone(node)) throw channelNotFound();
  return node;
}

/** The error codes of the platform's GraphQL. The library also uses 400 for a response without a channel. */
const unknownCodes: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);
