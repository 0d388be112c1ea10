import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import { channelsNotListed, platformError } from "../../../shared/contract/whatsapp/errors.js";
import type { Client } from "../client.js";
import type { ChannelQueries } from "../services.js";
import { type ChannelNode, isChannelNode, isGone } from "./channel-node.js";

/** Returns the channels that the account follows or manages. The library has no such query. */
export function listSubscribed(client: Client, { listId, listVariables }: ChannelQueries): Promise<ChannelNode[]> {
  const question = {
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "w:mex" },
    content: [{ tag: "query", attrs: { query_id: listId }, content: Buffer.from(JSON.stringify({ variables: listVariables })) }],
  };
  return client.query(question, subscribedIn);
}

/** Reads the channels from the response. Throws the platform's error if the response holds one. */
export function subscribedIn(response: BinaryNode): ChannelNode[] {
  const content = getBinaryNodeChild(response, "result")?.content;
  const report: unknown = content instanceof Uint8Array || typeof content === "string" ? parseJson(content) : undefined;
  const [error] = asList(member(report, "errors"));
  const message = member(error, "message");
  if (error !== undefined) throw typeof message === "string" ? platformError(message, error) : channelsNotListed(error);
  return asList(member(member(report, "data"), "xwa2_newsletter_subscribed"))
    .filter(isChannelNode)
    .filter((node) => !isGone(node));
}

function parseJson(content: Uint8Array | string): unknown {
  return JSON.parse(Buffer.from(content).toString("utf8")) as unknown;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
