import { isNewsletterId } from "../../../shared/contract/whatsapp/address.js";
import { channelNotFound } from "../../../shared/contract/whatsapp/errors.js";
import { type ChannelNode, isChannelNode, isGone } from "../channel/channel-node.js";
import type { Client } from "../client.js";
import { closeCode, iqErrorCode } from "../errors.js";

/** Throws `channel not found` for what does not exist, is gone, or may not be seen. */
export async function findChannel(client: Client, channelId: string): Promise<ChannelNode> {
  if (!isNewsletterId(channelId)) throw channelNotFound();
  const node: unknown = await client
    .ask(() => client.sock.newsletterMetadata("jid", channelId))
    .catch((error: unknown) => {
      const code = iqErrorCode(error) ?? closeCode(error);
      throw code !== undefined && unknownCodes.has(code) ? channelNotFound(error) : error;
    });
  if (!isChannelNode(node) || isGone(node)) throw channelNotFound();
  return node;
}

/** Codes that the platform's GraphQL answers with; the library also makes a 400 of an answer without a channel. */
const unknownCodes: ReadonlySet<number> = new Set([400, 401, 403, 404, 405]);
