import { Api } from "telegram";

/** What one packet says, whatever its form. */
export interface Unpacked {
  readonly updates: readonly Api.TypeUpdate[];
  readonly users: readonly Api.TypeUser[];
  /** Unix seconds; 0 when the packet has none. */
  readonly date: number;
  /** Containers are numbered too; `undefined` for those that are not. */
  readonly seq: { readonly first: number; readonly last: number } | undefined;
  /** The person of a message in short form, which comes without its user. */
  readonly stranger: string | undefined;
}

const nothing: Unpacked = { updates: [], users: [], date: 0, seq: undefined, stranger: undefined };

/** Short forms become what they stand for. `updatesTooLong` says nothing here, and neither does `updateShortSentMessage`, which only its request explains. */
export function unpack(packet: Api.TypeUpdates): Unpacked {
  if (packet instanceof Api.Updates || packet instanceof Api.UpdatesCombined) {
    const { updates, users, date, seq } = packet;
    const first = packet instanceof Api.UpdatesCombined ? packet.seqStart : seq;
    return { updates, users, date, seq: first === 0 ? undefined : { first, last: seq }, stranger: undefined };
  }
  if (packet instanceof Api.UpdateShort) return { ...nothing, updates: [packet.update], date: packet.date };
  if (packet instanceof Api.UpdateShortMessage)
    return {
      ...nothing,
      updates: [asNewMessage(packet, new Api.PeerUser({ userId: packet.userId }))],
      date: packet.date,
      stranger: packet.userId.toString(),
    };
  if (packet instanceof Api.UpdateShortChatMessage)
    return { ...nothing, updates: [asNewMessage(packet, new Api.PeerChat({ chatId: packet.chatId }))], date: packet.date };
  return nothing;
}

/** The count of an update of the account itself. Channels count for themselves, so theirs, which look the same, have no part in it. */
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
