import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";

/**
 * Returns every group and channel in the account's list of chats and its archive, in the list's order, each once. GramJS's
 * `client.getDialogs` throws on a chat without messages and takes supergroups for channels.
 */
export async function listDialogChats(client: Client, signal: Ending): Promise<Api.TypeChat[]> {
  const chats = new Map<string, Api.TypeChat>();
  for (const folder of dialogFolders) {
    for await (const page of dialogPages(client, folder, signal)) {
      const byKey = new Map(page.chats.map((chat) => [chatKey(chat), chat]));
      for (const dialog of dialogsOf(page)) {
        const chat = byKey.get(peerKey(dialog.peer));
        if (chat !== undefined) chats.set(chatKey(chat), chat);
      }
    }
  }
  return [...chats.values()];
}

export type DialogPage = Api.messages.Dialogs | Api.messages.DialogsSlice;

/** Returns the chats of a page. The other entries stand for a folder of chats, or for a community. */
export function dialogsOf({ dialogs }: DialogPage): Api.Dialog[] {
  return dialogs.filter((dialog) => dialog instanceof Api.Dialog);
}

/** The account's list of chats, and its archive. */
export const dialogFolders = [0, 1] as const;

const pageSize = 100;
/** 20,000 chats; an account may be in far fewer. */
const pagesMax = 200;

/** Yields one folder page by page: pinned chats first, then the newest first. */
export async function* dialogPages(
  client: Client,
  folderId: (typeof dialogFolders)[number],
  signal: Ending,
): AsyncGenerator<DialogPage, void, undefined> {
  let offset: Offset = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
  const seen = new Set<string>();
  for (let page = 0; page < pagesMax; page++) {
    const response = await client.invoke(new Api.messages.GetDialogs({ ...offset, folderId, limit: pageSize, hash: bigInt.zero }), {
      signal,
      deadlineMs: listTimeoutMs,
    });
    if (response instanceof Api.messages.DialogsNotModified) return;
    const countBefore = seen.size;
    for (const dialog of dialogsOf(response)) seen.add(peerKey(dialog.peer));
    yield response;
    const next = nextOffset(response);
    // A page without new chats would come again for ever.
    if (response instanceof Api.messages.Dialogs || next === undefined || seen.size === countBefore) return;
    offset = next;
  }
}

interface Offset {
  readonly offsetDate: number;
  readonly offsetId: number;
  readonly offsetPeer: Api.TypeInputPeer;
}

/** Returns the last chat of the page whose newest message came with it. A chat without messages has no place in the order. */
function nextOffset(page: DialogPage): Offset | undefined {
  for (const dialog of dialogsOf(page).reverse()) {
    const key = peerKey(dialog.peer);
    const message = page.messages.find(
      (one) => one.id === dialog.topMessage && !(one instanceof Api.MessageEmpty) && peerKey(one.peerId) === key,
    );
    const offsetPeer = inputPeerOf(dialog.peer, page);
    if (message !== undefined && !(message instanceof Api.MessageEmpty) && offsetPeer !== undefined)
      return { offsetDate: message.date, offsetId: message.id, offsetPeer };
  }
  return undefined;
}

/** Returns the peer in the form that calls need; `undefined` when the page lacks it. */
export function inputPeerOf(peer: Api.TypePeer, { users, chats }: DialogPage): Api.TypeInputPeer | undefined {
  if (peer instanceof Api.PeerChat) return new Api.InputPeerChat({ chatId: peer.chatId });
  if (peer instanceof Api.PeerUser) {
    const user = users.find((one): one is Api.User => one instanceof Api.User && one.id.equals(peer.userId));
    return user?.accessHash ? new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash }) : undefined;
  }
  const channel = chats.find((one): one is Api.Channel => one instanceof Api.Channel && one.id.equals(peer.channelId));
  return channel?.accessHash ? new Api.InputPeerChannel({ channelId: channel.id, accessHash: channel.accessHash }) : undefined;
}

function peerKey(peer: Api.TypePeer): string {
  if (peer instanceof Api.PeerUser) return `user ${peer.userId.toString()}`;
  return peer instanceof Api.PeerChat ? `chat ${peer.chatId.toString()}` : `channel ${peer.channelId.toString()}`;
}

function chatKey(chat: Api.TypeChat): string {
  const channel = chat instanceof Api.Channel || chat instanceof Api.ChannelForbidden;
  return `${channel ? "channel" : "chat"} ${chat.id.toString()}`;
}
