import { Api } from "telegram";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { long, unixNow } from "../world/ids.js";
import type { LogEntry, StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { Cast } from "./cast.js";
import { isMarkedSent, tlForward, tlMessage, tlPeer, tlReply } from "./message.js";
import { tlEntities } from "./entities.js";
import { present } from "./present.js";

/** Returns the update for a log entry, or `undefined` if its message was deleted since. */
export function tlUpdate(world: World, viewer: Account, entry: LogEntry, channel?: Channel): Api.TypeUpdate | undefined {
  const { pts, count: ptsCount } = entry;
  switch (entry.kind) {
    case "new":
    case "edit": {
      const stored = (channel?.box ?? viewer.box).messages.get(entry.id);
      if (stored === undefined) return undefined;
      const message = tlMessage(world, viewer, stored, channel);
      if (channel === undefined)
        return entry.kind === "new"
          ? new Api.UpdateNewMessage({ message, pts, ptsCount })
          : new Api.UpdateEditMessage({ message, pts, ptsCount });
      return entry.kind === "new"
        ? new Api.UpdateNewChannelMessage({ message, pts, ptsCount })
        : new Api.UpdateEditChannelMessage({ message, pts, ptsCount });
    }
    case "delete": {
      const messages = [...entry.ids];
      if (channel === undefined) return new Api.UpdateDeleteMessages({ messages, pts, ptsCount });
      return new Api.UpdateDeleteChannelMessages({ channelId: long(channel.id), messages, pts, ptsCount });
    }
    case "contents":
      return new Api.UpdateReadMessagesContents({ messages: [...entry.ids], pts, ptsCount });
    case "read-inbox":
      return new Api.UpdateReadHistoryInbox({
        peer: tlPeer(entry.peer),
        maxId: entry.maxId,
        stillUnreadCount: viewer.box.unreadOf(entry.peer),
        pts,
        ptsCount,
      });
    case "read-outbox":
      return new Api.UpdateReadHistoryOutbox({ peer: tlPeer(entry.peer), maxId: entry.maxId, pts, ptsCount });
    case "folders": {
      const folderPeers = entry.folders.map(([peer, folderId]) => new Api.FolderPeer({ peer: tlPeer(peer), folderId }));
      return new Api.UpdateFolderPeers({ folderPeers, pts, ptsCount });
    }
    default:
      return entry satisfies never;
  }
}

/** Returns the packet for one entry, in the platform's shortest form. */
export function tlPacket(world: World, viewer: Account, entry: LogEntry, channel?: Channel): Api.TypeUpdates | undefined {
  const stored = entry.kind === "new" || entry.kind === "edit" ? (channel?.box ?? viewer.box).messages.get(entry.id) : undefined;
  if (entry.kind === "new" && channel === undefined && stored !== undefined && isPlain(stored)) return shortMessage(viewer, stored, entry);
  const update = tlUpdate(world, viewer, entry, channel);
  if (update === undefined) return undefined;
  if (stored === undefined && channel === undefined) return new Api.UpdateShort({ update, date: unixNow() });
  const cast = new Cast(world, viewer);
  if (stored !== undefined) cast.message(stored);
  return new Api.Updates({ updates: [update], users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 });
}

function isPlain({ attachment, action, noforwards }: StoredMessage): boolean {
  return attachment === undefined && action === undefined && noforwards !== true;
}

function shortMessage(viewer: Account, stored: StoredMessage, { pts, count: ptsCount }: LogEntry): Api.TypeUpdates {
  const base = {
    id: stored.id,
    out: isMarkedSent(stored, viewer) || undefined,
    silent: stored.silent,
    message: stored.text,
    pts,
    ptsCount,
    date: stored.date,
    fwdFrom: stored.forward && tlForward(stored.forward),
    entities: tlEntities(stored.entities),
    replyTo: tlReply(stored),
  };
  if (stored.peer > 0) return new Api.UpdateShortMessage(present({ ...base, userId: long(stored.peer) }));
  return new Api.UpdateShortChatMessage(present({ ...base, fromId: long(stored.from), chatId: long(-stored.peer) }));
}
