import { Api } from "telegram";
import { RpcFault, type AuthKey } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { describeEntities, storeEntities } from "../tl/entities.js";
import { tlUpdate } from "../tl/update.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { unixNow, unmark, type MarkedId } from "../world/ids.js";
import type { Forward, MessageBox, Quote, StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import type { AcceptedMedia } from "./accepted-media.js";
import { checkFields } from "./check-fields.js";
import type { Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { serverEntities } from "./server-entities.js";

/** A new message of a device: single, part of an album, or forwarded. */
export interface NewMessage {
  readonly text: string;
  readonly entities?: readonly Api.TypeMessageEntity[] | null | undefined;
  readonly replyTo?: number | undefined;
  /** Chat of the replied-to message, if the reply names one. */
  readonly replyToPeer?: Api.TypeInputPeer | undefined;
  readonly quote?: Quote | undefined;
  readonly silent?: boolean | undefined;
  readonly noforwards?: boolean | undefined;
  readonly invertMedia?: boolean | undefined;
  readonly randomId: Api.long | undefined;
  readonly media?: Pick<AcceptedMedia, "kind" | "attachment" | "file" | "location" | "contact" | "poll" | "unread"> | undefined;
  readonly forward?: Forward | undefined;
  readonly groupedId?: string | undefined;
}

/** Fields that every send may carry. */
export const sendFields = ["peer", "replyTo", "silent", "background", "clearDraft", "noforwards", "invertMedia", "scheduleDate"] as const;

export function newMessage({
  message,
  entities,
  replyTo,
  randomId,
  silent,
  noforwards,
  invertMedia,
}: Pick<Api.messages.SendMessage, "message" | "entities" | "replyTo" | "randomId" | "silent" | "noforwards" | "invertMedia">): NewMessage {
  return { text: message, entities, ...answered(replyTo), randomId, silent, noforwards, invertMedia };
}

function answered(replyTo: Api.TypeInputReplyTo | null | undefined): Pick<NewMessage, "replyTo" | "replyToPeer" | "quote"> {
  if (!replyTo) return {};
  if (!(replyTo instanceof Api.InputReplyToMessage)) throw new RpcFault(400, "REPLY_TO_INVALID");
  checkFields(replyTo, ["replyToMsgId", "replyToPeerId", "quoteText", "quoteEntities", "quoteOffset"]);
  const { replyToMsgId, replyToPeerId, quoteText, quoteEntities, quoteOffset } = replyTo;
  const answer = { replyTo: replyToMsgId, ...(replyToPeerId && { replyToPeer: replyToPeerId }) };
  if (!quoteText) return answer;
  const entities = storeEntities(quoteEntities);
  return { ...answer, quote: { text: quoteText, ...(entities && { entities }), ...(quoteOffset && { offset: quoteOffset }) } };
}

/** Sends a message. The caller has checked that the account may write there. */
export function sendMessage(
  { world, delivery }: Platform,
  account: Account,
  peer: MarkedId,
  message: NewMessage,
  key: AuthKey,
): StoredMessage {
  const { text, entities, replyTo, quote, media, forward, groupedId, silent, noforwards, invertMedia } = message;
  const randomId = String(message.randomId);
  const replyToPeer = message.replyToPeer && resolvePeer(world, account, message.replyToPeer);
  if (replyTo !== undefined && boxOf(world, account, replyToPeer ?? peer).messages.get(replyTo)?.peer !== (replyToPeer ?? peer))
    throw new RpcFault(400, "REPLY_MESSAGE_ID_INVALID");
  const sent = delivery.send(
    account,
    peer,
    {
      text,
      entities: storeEntities(serverEntities(world, account, text, entities)),
      attachment: media?.attachment,
      replyTo,
      ...(replyToPeer !== peer && { replyToPeer }),
      quote,
      silent,
      noforwards,
      invertMedia,
      mediaUnread: media?.unread,
      forward,
      groupedId,
      sentBy: { device: key.id, randomId },
    },
    key,
  );
  world.received.add({
    type: "message",
    account: account.account,
    id: String(sent.id),
    chat: String(peer),
    recipient: recipientOf(world, peer),
    kind: media?.kind ?? "text",
    text,
    entities: describeEntities(entities),
    ...(media?.file && { file: media.file }),
    ...(media?.location && { location: media.location }),
    ...(media?.contact && { contact: media.contact }),
    ...(media?.poll && { poll: media.poll }),
    ...(replyTo !== undefined && { replyTo: String(replyTo) }),
    ...(replyToPeer !== undefined && { replyToChat: String(replyToPeer) }),
    ...(forward && { forwardedFrom: String(forward.from) }),
    ...(groupedId !== undefined && { groupedId }),
    randomId,
  });
  return sent;
}

/** Returns the updates that contain a device's own messages. Their pts count like those of pushed updates. */
export function sentUpdates(
  world: World,
  account: Account,
  peer: MarkedId,
  sent: readonly { readonly message: StoredMessage; readonly randomId?: Api.long | undefined }[],
  others: readonly Api.TypeUpdate[] = [],
): Api.Updates {
  const channel = channelOf(world, peer);
  const { log } = channel?.box ?? account.box;
  const cast = new Cast(world, account).peer(peer);
  const named = sent.flatMap(({ message: { id }, randomId }) =>
    randomId === undefined ? [] : [new Api.UpdateMessageID({ id, randomId })],
  );
  const updates = sent.flatMap(({ message }) => {
    cast.message(message);
    const entry = log.findLast((each) => (each.kind === "new" || each.kind === "edit") && each.id === message.id);
    return (entry && tlUpdate(world, account, entry, channel)) ?? [];
  });
  return new Api.Updates({ updates: [...named, ...updates, ...others], users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 });
}

export function channelOf(world: World, peer: MarkedId): Channel | undefined {
  const { kind, id } = unmark(peer);
  return kind === "channel" ? world.chats.channel(id) : undefined;
}

export function boxOf(world: World, account: Account, peer: MarkedId): MessageBox {
  return channelOf(world, peer)?.history() ?? account.box;
}

function recipientOf(world: World, peer: MarkedId): "user" | "group" | "channel" {
  if (peer > 0) return "user";
  return channelOf(world, peer)?.broadcast === true ? "channel" : "group";
}
