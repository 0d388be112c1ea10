import { Api } from "telegram";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, unmark, type MarkedId } from "../world/ids.js";
import type { Forward, StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { tlAction } from "./action.js";
import { tlEntities } from "./entities.js";
import { tlMessageMedia } from "./media.js";
import { hasReactions, tlReactions } from "./reactions.js";
import { present } from "./present.js";

export function tlPeer(marked: MarkedId): Api.TypePeer {
  const { kind, id } = unmark(marked);
  if (kind === "user") return new Api.PeerUser({ userId: long(id) });
  if (kind === "chat") return new Api.PeerChat({ chatId: long(id) });
  return new Api.PeerChannel({ channelId: long(id) });
}

/** `channel` owns the message's box. Without it, the box is the viewer's own. */
export function tlMessage(world: World, viewer: Account, message: StoredMessage, channel?: Channel): Api.Message | Api.MessageService {
  const isPrivate = message.peer > 0;
  const base = {
    id: message.id,
    out: (channel === undefined ? isMarkedSent(message, viewer) : message.from === viewer.userId) || undefined,
    post: channel?.broadcast || undefined,
    peerId: tlPeer(message.peer),
    // Private chats omit the author: it is the account if `out` is set, else the other side.
    fromId: isPrivate || message.from === 0 || channel?.broadcast ? undefined : new Api.PeerUser({ userId: long(message.from) }),
    replyTo: tlReply(message),
    date: message.date,
    silent: message.silent,
  };
  if (message.action !== undefined) return new Api.MessageService({ ...base, action: tlAction(message.action) });
  const shown = new Api.Message({
    ...base,
    message: message.text,
    fwdFrom: message.forward && tlForward(message.forward),
    noforwards: message.noforwards,
    mediaUnread: message.mediaUnread,
    groupedId: message.groupedId === undefined ? undefined : long(message.groupedId),
    media: message.attachment && tlMessageMedia(world, viewer, message.attachment),
    entities: tlEntities(message.entities),
    ...(channel?.broadcast === true && viewsOf(message)),
    editDate: message.editDate,
    editHide: message.editHide,
    reactions: hasReactions(message) ? tlReactions(viewer, message, channel?.broadcast === true) : undefined,
  });
  // GramJS's constructor lacks this flag, but its serialiser writes it.
  return message.invertMedia === true ? Object.assign(shown, { invertMedia: true }) : shown;
}

/** Messages to oneself are not marked as sent (Telethon, `Message._finish_init`). */
export function isMarkedSent({ out, peer }: StoredMessage, viewer: Account): boolean {
  return out && peer !== viewer.userId;
}

/** Returns mostly invented counts of a channel's post. Views and forwards share one flag bit. */
export function viewsOf({ id, viewers = [] }: StoredMessage): { readonly views: number; readonly forwards: number } {
  return { views: 10 + (id % 90) + viewers.length, forwards: id % 7 };
}

export function tlReply({ replyTo, replyToPeer, quote }: StoredMessage): Api.MessageReplyHeader | undefined {
  if (replyTo === undefined) return undefined;
  return new Api.MessageReplyHeader(
    present({
      replyToMsgId: replyTo,
      replyToPeerId: replyToPeer === undefined ? undefined : tlPeer(replyToPeer),
      quote: quote && true,
      quoteText: quote?.text,
      quoteEntities: tlEntities(quote?.entities),
      quoteOffset: quote?.offset,
    }),
  );
}

export function tlForward({ from, date, post }: Forward): Api.MessageFwdHeader {
  return new Api.MessageFwdHeader(present({ fromId: tlPeer(from), date, channelPost: post }));
}
