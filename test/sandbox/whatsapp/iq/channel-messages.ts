import type { BinaryNode } from "@whiskeysockets/baileys";
import { node, unixSeconds } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Channel } from "../world/channel.js";
import { contentNodes, countNodes } from "../phone/post-node.js";
import type { World } from "../world/world.js";
import type { IqHandler } from "./iq-request.js";

const maxCount = 100;

/**
 * Returns the newest `count` posts, oldest first, in both forms: `message_updates` to the channel's JID and `messages` to the server.
 * `before` and `after` are server ids, `since` is Unix seconds.
 */
export const channelMessages: IqHandler = ({ world, stanza, query, account }) => {
  const { jid = stanza.attrs.to ?? "", count = "50", before, after, since } = query?.attrs ?? {};
  const channel = existing(world, jid);
  const limit = Math.min(natural(count), maxCount);
  const found = channel
    .posts()
    .filter(
      ({ serverId, at }) =>
        (before === undefined || serverId < natural(before)) &&
        (after === undefined || serverId > natural(after)) &&
        (since === undefined || at >= natural(since)),
    );
  const posts = (limit === 0 ? [] : found.slice(-limit)).map((post): BinaryNode => {
    const { id, serverId, at, type, by } = post;
    const attrs = { id, server_id: String(serverId), t: String(at), type, is_sender: String(by === account.phone) };
    return node("message", attrs, [...contentNodes(post), ...countNodes(post)]);
  });
  const messages = node("messages", { jid, t: unixSeconds() }, posts);
  return query?.tag === "message_updates" ? [node("message_updates", { jid, t: unixSeconds() }, [messages])] : [messages];
};

/** Seconds for which the client receives live updates of posts. */
const liveSeconds = 300;

export const liveUpdates: IqHandler = ({ world, stanza, device }) => {
  const channel = existing(world, stanza.attrs.to ?? "");
  world.liveUpdates.watch(channel.id, device, Date.now() + liveSeconds * 1_000);
  return [node("live_updates", { duration: String(liveSeconds) })];
};

function existing(world: World, jid: string): Channel {
  const channel = world.channel(jid);
  if (channel === undefined || channel.deleted) throw new IqFault(404, "item-not-found");
  return channel;
}

function natural(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new IqFault(400, "bad-request");
  return Number(text);
}
