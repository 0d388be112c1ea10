import type { BinaryNode } from "@whiskeysockets/baileys";
import { node, unixSeconds } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Post } from "../world/channel.js";
import type { IqHandler } from "./iq-request.js";

const maxCount = 100;

/**
 * Posts of a channel in both forms that clients use: `message_updates count since after` to the channel's JID, and `messages type=jid jid count before`
 * to the server. Oldest first, the newest `count` of those asked for; `before` and `after` are server ids, `since` is in Unix seconds.
 */
export const channelMessages: IqHandler = ({ world, stanza, query }) => {
  const { jid = stanza.attrs.to ?? "", count = "50", before, after, since } = query?.attrs ?? {};
  const channel = world.channel(jid);
  if (channel === undefined) throw new IqFault(404, "item-not-found");
  const limit = Math.min(natural(count), maxCount);
  const found = channel
    .posts()
    .filter(
      ({ serverId, at }) =>
        (before === undefined || serverId < natural(before)) &&
        (after === undefined || serverId > natural(after)) &&
        (since === undefined || at >= natural(since)),
    );
  const messages = node("messages", { jid, t: unixSeconds() }, (limit === 0 ? [] : found.slice(-limit)).map(postNode));
  return query?.tag === "message_updates" ? [node("message_updates", { jid, t: unixSeconds() }, [messages])] : [messages];
};

/** How long, in seconds, the client is told of new posts. */
export const liveUpdates: IqHandler = () => [node("live_updates", { duration: "300" })];

function postNode({ id, serverId, at, type, message, views }: Post): BinaryNode {
  return node("message", { id, server_id: String(serverId), t: String(at), type, is_sender: "false" }, [
    node("plaintext", type === "media" ? { mediatype: "image" } : {}, message),
    node("views_count", { count: String(views) }),
    node("reactions", {}, [node("reaction", { code: "👍", count: String(views % 17) })]),
  ]);
}

function natural(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new IqFault(400, "bad-request");
  return Number(text);
}
