import { Api } from "telegram";
import { Cast } from "../tl/cast.js";
import { tlDraft } from "../tl/draft.js";
import { tlMessage, tlPeer } from "../tl/message.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { unmark, type MarkedId } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { RpcFault } from "../rpc.js";
import { present } from "../tl/present.js";

interface Row {
  readonly peer: MarkedId;
  readonly top: StoredMessage | undefined;
  readonly channel: Channel | undefined;
  readonly date: number;
}

type Described = Pick<Api.messages.Dialogs, "dialogs" | "messages" | "chats" | "users">;

const maxPage = 100;

export function dialogMethods({ world }: Platform): Methods {
  return {
    "messages.GetDialogs": { handle: (request: Api.messages.GetDialogs, context) => getDialogs(world, callerOf(world, context), request) },
  };
}

/** Returns these chats with their newest messages and every peer that they mention. */
export function dialogsOf(world: World, account: Account, peers: readonly MarkedId[]): Described {
  return describe(
    world,
    account,
    peers.map((peer) => rowOf(world, account, peer)),
  );
}

export function dialogOf(world: World, account: Account, peer: MarkedId): Api.Dialog {
  return tlDialog(account, rowOf(world, account, peer));
}

/** Returns all dialogs without a folder, those outside the archive for folder 0, and the archive for folder 1. */
function getDialogs(
  world: World,
  account: Account,
  { folderId, offsetPeer, offsetDate, offsetId, limit, excludePinned }: Api.messages.GetDialogs,
): Api.messages.TypeDialogs {
  if (limit < 0) throw new RpcFault(400, "LIMIT_INVALID");
  const folder = folderId ?? undefined;
  const inFolder = rowsOf(world, account).filter(({ peer }) => folder === undefined || account.archived.has(peer) === (folder === 1));
  const unpinned = inFolder.filter(({ peer }) => !account.pinned.has(peer));
  // Pinned chats come before all others, whatever their dates are.
  const all = excludePinned === true ? unpinned : [...inFolder.filter(({ peer }) => account.pinned.has(peer)), ...unpinned];
  const start = startAfter(world, account, all, { offsetPeer, offsetDate, offsetId });
  const page = all.slice(start, start + Math.min(limit || maxPage, maxPage));
  const body = describe(world, account, page);
  return start === 0 && page.length === all.length
    ? new Api.messages.Dialogs(body)
    : new Api.messages.DialogsSlice({ ...body, count: all.length });
}

function describe(world: World, account: Account, rows: readonly Row[]): Described {
  const cast = new Cast(world, account);
  const messages = rows.flatMap(({ peer, top, channel }) => {
    cast.peer(peer);
    if (top === undefined) return [];
    cast.message(top);
    return [tlMessage(world, account, top, channel)];
  });
  return { dialogs: rows.map((row) => tlDialog(account, row)), messages, chats: cast.chats, users: cast.users };
}

/** Sorts newest first, with chats without messages at the end. */
function rowsOf(world: World, account: Account): Row[] {
  const peers = new Set(account.chats);
  for (const peer of account.box.peers()) if (account.box.idsOf(peer).length > 0) peers.add(peer);
  return [...peers]
    .map((peer) => rowOf(world, account, peer))
    .sort((a, b) => b.date - a.date || (b.top?.id ?? 0) - (a.top?.id ?? 0) || a.peer - b.peer);
}

function rowOf(world: World, account: Account, peer: MarkedId): Row {
  const { kind, id } = unmark(peer);
  const channel = kind === "channel" ? world.chats.channel(id) : undefined;
  // A former or banned member sees the dialog without its messages.
  const isShut = channel !== undefined && !channel.joined.has(account.userId);
  const top = isShut ? undefined : (channel?.history() ?? account.box).topOf(peer);
  return { peer, top, channel, date: top?.date ?? 0 };
}

function startAfter(
  world: World,
  account: Account,
  rows: readonly Row[],
  { offsetPeer, offsetDate, offsetId }: Pick<Api.messages.GetDialogs, "offsetPeer" | "offsetDate" | "offsetId">,
): number {
  if (offsetPeer instanceof Api.InputPeerEmpty && offsetDate === 0 && offsetId === 0) return 0;
  if (!(offsetPeer instanceof Api.InputPeerEmpty)) {
    const peer = offsetPeerOf(world, account, offsetPeer);
    const at = rows.findIndex((row) => row.peer === peer);
    // A chat with a newer message is no longer at the place that the caller names.
    if (at >= 0 && (offsetDate === 0 || rows[at]?.date === offsetDate)) return at + 1;
  }
  if (offsetDate === 0) return 0;
  const at = rows.findIndex(({ date }) => date < offsetDate);
  return at < 0 ? rows.length : at;
}

/** A page may end at a chat that the account cannot access. The offset is still valid. */
function offsetPeerOf(world: World, account: Account, input: unknown): MarkedId {
  if (input instanceof Api.InputPeerChannel) return -1_000_000_000_000 - input.channelId.toJSNumber();
  if (input instanceof Api.InputPeerChat) return -input.chatId.toJSNumber();
  return resolvePeer(world, account, input);
}

function tlDialog(account: Account, { peer, top, channel }: Row): Api.Dialog {
  const draft = account.drafts.get(peer);
  const box = channel?.box ?? account.box;
  const own = channel === undefined;
  return new Api.Dialog(
    present({
      peer: tlPeer(peer),
      topMessage: top?.id ?? 0,
      readInboxMaxId: own ? (box.readInbox.get(peer) ?? 0) : (top?.id ?? 0),
      readOutboxMaxId: own ? (box.readOutbox.get(peer) ?? 0) : (top?.id ?? 0),
      unreadCount: own ? box.unreadOf(peer) : 0,
      unreadMentionsCount: 0,
      unreadReactionsCount: 0,
      notifySettings: new Api.PeerNotifySettings({}),
      pts: channel?.box.pts,
      draft: draft && tlDraft(draft),
      folderId: account.archived.has(peer) ? 1 : undefined,
      pinned: account.pinned.has(peer) ? true : undefined,
    }),
  );
}
