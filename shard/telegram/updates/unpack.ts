import { Api } from "telegram";

/** The content of one packet, whatever its form. */
export interface Unpacked {
  readonly updates: readonly Api.TypeUpdate[];
  readonly users: readonly Api.TypeUser[];
  /** In Unix seconds; 0 when the packet has no date. */
  readonly date: number;
  /** Sequence numbers of a container; `undefined` for packets without them. */
  readonly seq: { readonly first: number; readonly last: number } | undefined;
  /** Sender of a message in short form, which lacks the user object. */
  readonly bareSender: string | undefined;
}

const nothing: Unpacked = { updates: [], users: [], date: 0, seq: undefined, bareSender: undefined };

/** Expands short forms. Returns nothing for `updatesTooLong`, nor for `updateShortSentMessage`, which only makes sense with its request. */
export function unpack(packet: Api.TypeUpdates): Unpacked {
  if (packet instanceof Api.Updates || packet instanceof Api.UpdatesCombined) {
    const { updates, users, date, seq } = packet;
    const first = packet instanceof Api.UpdatesCombined ? packet.seqStart : seq;
    return { updates, users, date, seq: first === 0 ? undefined : { first, last: seq }, bareSender: undefined };
  }
  if (packet instanceof Api.UpdateShort) return { ...nothing, updates: [packet.update], date: packet.date };
  if (packet instanceof Api.UpdateShortMessage)
    return {
      ...nothing,
      updates: [asNewMessage(packet, new Api.PeerUser({ userId: packet.userId }))],
      date: packet.date,
      bareSender: packet.userId.toString(),
    };
  if (packet instanceof Api.UpdateShortChatMessage)
    return { ...nothing, updates: [asNewMessage(packet, new Api.PeerChat({ chatId: packet.chatId }))], date: packet.date };
  return nothing;
}

/** Returns the count of an update of the account; `undefined` for channels, which have counts of their own with the same fields. */
export function countOf(update: Api.TypeUpdate): { readonly pts: number; readonly count: number } | undefined {
  for (const type of counted) if (update instanceof type) return { pts: update.pts, count: update.ptsCount };
  return undefined;
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

function asNewMessage(packet: Api.UpdateShortMessage | Api.UpdateShortChatMessage, peerId: Api.TypePeer): Api.UpdateNewMessage {
  const { id, out, message, date, fwdFrom, viaBotId, replyTo, entities, pts, ptsCount } = packet;
  return new Api.UpdateNewMessage({
    message: new Api.Message({ id, out, peerId, message, date, fwdFrom, viaBotId, replyTo, entities }),
    pts,
    ptsCount,
  });
}
