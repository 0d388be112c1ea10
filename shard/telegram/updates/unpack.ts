import { Api } from "telegram";
import { channelMark } from "../chats/chat-reference.js";
import type { Intake } from "./update-inbox.js";

/** The content of one packet, whatever its form. */
export interface Unpacked {
  readonly updates: readonly Api.TypeUpdate[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** In Unix seconds; 0 when the packet has no date. */
  readonly date: number;
  /** Sequence numbers of a container; `undefined` for packets without them. */
  readonly seq: { readonly first: number; readonly last: number } | undefined;
}

const nothing: Unpacked = { updates: [], users: [], chats: [], date: 0, seq: undefined };

/** Expands short forms. Returns nothing for `updatesTooLong`, nor for `updateShortSentMessage`, which only makes sense with its request. */
export function unpack(packet: Api.TypeUpdates): Unpacked {
  if (packet instanceof Api.Updates || packet instanceof Api.UpdatesCombined) {
    const { updates, users, chats, date, seq } = packet;
    const first = packet instanceof Api.UpdatesCombined ? packet.seqStart : seq;
    return { updates, users, chats, date, seq: first === 0 ? undefined : { first, last: seq } };
  }
  if (packet instanceof Api.UpdateShort) return { ...nothing, updates: [packet.update], date: packet.date };
  if (packet instanceof Api.UpdateShortMessage)
    return {
      ...nothing,
      updates: [asNewMessage(packet, new Api.PeerUser({ userId: packet.userId }))],
      date: packet.date,
    };
  if (packet instanceof Api.UpdateShortChatMessage)
    return {
      ...nothing,
      updates: [asNewMessage(packet, new Api.PeerChat({ chatId: packet.chatId }), new Api.PeerUser({ userId: packet.fromId }))],
      date: packet.date,
    };
  return nothing;
}

/** Returns the intake in its cheapest form if it needs no event: a private message in short form then only moves the count. */
export function withoutEvent(intake: Intake): Intake {
  if (intake.kind !== "packet" || !(intake.packet instanceof Api.UpdateShortMessage)) return intake;
  const { pts, ptsCount: count, id, userId } = intake.packet;
  return { kind: "counted", pts, count, sent: { message: id, chat: userId.toString() } };
}

/** True for input that only moves the count while the receiver wants no events. */
export function onlyCounts(intake: Intake): boolean {
  return intake.kind === "counted" || (intake.kind === "packet" && intake.packet instanceof Api.UpdateShortMessage);
}

/** Returns the updates of a packet whose form lists them. Unlike `unpack`, makes none of the short forms, which are messages. */
export function listedIn(packet: Api.TypeUpdates): readonly Api.TypeUpdate[] {
  if (packet instanceof Api.Updates || packet instanceof Api.UpdatesCombined) return packet.updates;
  return packet instanceof Api.UpdateShort ? [packet.update] : [];
}

/** Returns the count of an update of the account; `undefined` for other updates. Channels have counts of their own with the same fields. */
export function countOf(update: Api.TypeUpdate): { readonly pts: number; readonly count: number } | undefined {
  for (const type of counted) if (update instanceof type) return { pts: update.pts, count: update.ptsCount };
  return undefined;
}

/** An update that moves the count of a channel or supergroup. */
export interface ChannelUpdate {
  /** The marked id. */
  readonly channel: string;
  readonly pts: number;
  readonly count: number;
  /** Absent when the platform says only that there are more updates than it pushes. */
  readonly update?: Api.TypeUpdate;
}

/** Returns `undefined` for updates that belong to no channel's count. */
export function channelUpdateOf(update: Api.TypeUpdate): ChannelUpdate | undefined {
  if (update instanceof Api.UpdateNewChannelMessage || update instanceof Api.UpdateEditChannelMessage) {
    const { message, pts, ptsCount: count } = update;
    const { peerId: peer } = message;
    return peer instanceof Api.PeerChannel ? { channel: channelMark(peer.channelId), pts, count, update } : undefined;
  }
  if (update instanceof Api.UpdateChannelTooLong) return { channel: channelMark(update.channelId), pts: update.pts ?? 0, count: 0 };
  if (
    update instanceof Api.UpdateDeleteChannelMessages ||
    update instanceof Api.UpdatePinnedChannelMessages ||
    update instanceof Api.UpdateChannelWebPage
  )
    return { channel: channelMark(update.channelId), pts: update.pts, count: update.ptsCount, update };
  return undefined;
}

/** Returns whether an update without a count is about a message of a channel or supergroup. */
export function isOfChannel(update: Api.TypeUpdate): boolean {
  return update instanceof Api.UpdateMessageReactions && update.peer instanceof Api.PeerChannel;
}

const counted = [
  Api.UpdateNewMessage,
  Api.UpdateEditMessage,
  Api.UpdateDeleteMessages,
  Api.UpdateReadHistoryInbox,
  Api.UpdateReadHistoryOutbox,
  Api.UpdateReadMessagesContents,
  Api.UpdateWebPage,
  Api.UpdatePinnedMessages,
  Api.UpdateFolderPeers,
];

function asNewMessage(
  packet: Api.UpdateShortMessage | Api.UpdateShortChatMessage,
  peerId: Api.TypePeer,
  fromId?: Api.PeerUser,
): Api.UpdateNewMessage {
  const { id, out, message, date, fwdFrom, viaBotId, replyTo, entities, pts, ptsCount } = packet;
  return new Api.UpdateNewMessage({
    message: new Api.Message({ id, out, peerId, ...(fromId && { fromId }), message, date, fwdFrom, viaBotId, replyTo, entities }),
    pts,
    ptsCount,
  });
}
