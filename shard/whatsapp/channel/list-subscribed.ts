import type { BinaryNode } from "@whiskeysockets/baileys";
import { channelsNotListed } from "../../../shared/contract/whatsapp/errors.js";
import type { Client } from "../client.js";
import type { ChannelQueries } from "../services.js";
import { type ChannelNode, isChannelNode, isGone } from "./channel-node.js";
import { graphQuery, graphResult } from "./graph-response.js";

/** Returns the channels that the account follows or manages. The library has no such query. */
export function listSubscribed(client: Client, { listId, listVariables }: ChannelQueries): Promise<ChannelNode[]> {
  return client.query(graphQuery(listId, listVariables), subscribedIn);
}

/** Reads the channels from the response. Throws the platform's error if the response holds one. */
export function subscribedIn(response: BinaryNode): ChannelNode[] {
  const nodes = graphResult(response, "xwa2_newsletter_subscribed", channelsNotListed);
  return (Array.isArray(nodes) ? nodes : []).filter(isChannelNode).filter((node) => !isGone(node));
}
