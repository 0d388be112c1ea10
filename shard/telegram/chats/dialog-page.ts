import { Api } from "telegram";
import bigInt from "big-integer";
import { invalidAfter } from "../../../shared/contract/telegram/errors.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";
import { markOfPeer } from "./chat-people.js";
import { dialogFolders } from "./dialogs.js";

/** A chat with its newest message. */
export interface DatedDialog {
  /** Marked id. */
  readonly id: string;
  readonly unread: number;
  readonly top: Api.Message | Api.MessageService;
}

export interface DatedDialogs {
  /** Newest first. */
  readonly dialogs: readonly DatedDialog[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** Cursor of the next page; empty on the last one. */
  readonly next: string;
}

/** A place in the list of chats: Unix seconds and id of a chat's newest message, and the chat's marked id. */
interface Place {
  readonly date: number;
  readonly messageId: number;
  readonly chat: string;
}

/**
 * Reads a page of the account's chats and its archive by their newest messages. The platform lists pinned chats before all others, so they
 * are read apart and put into their places. Throws 400 for a cursor that no page returned.
 */
export async function readDialogPage(client: Client, limit: number, after: string, signal: AbortSignal): Promise<DatedDialogs> {
  const from = after === "" ? undefined : parsePlace(after);
  const call = { signal, deadlineMs: listTimeoutMs };
  const asked = Math.min(limit + 1, platformMost);
  // Chats whose messages are of the same second as the cursor's come again, and are left out below.
  const offset = { offsetDate: from === undefined ? 0 : from.date + 1, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
  const requests = dialogFolders.flatMap((folderId) => [
    client.invoke(new Api.messages.GetPinnedDialogs({ folderId }), call),
    client.invoke(new Api.messages.GetDialogs({ ...offset, folderId, excludePinned: true, limit: asked, hash: bigInt.zero }), call),
  ]);
  const responses = (await Promise.all(requests)).filter((one) => !(one instanceof Api.messages.DialogsNotModified));
  const found = new Map(responses.flatMap((response) => datedDialogs(response)).map((dialog) => [dialog.id, dialog]));
  const later = [...found.values()]
    .filter((dialog) => from === undefined || compare(placeOf(dialog), from) > 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)));
  const dialogs = later.slice(0, limit);
  const last = dialogs.at(-1);
  const hasMore = later.length > limit || responses.some((one) => one instanceof Api.messages.DialogsSlice && one.dialogs.length >= asked);
  return {
    dialogs,
    users: responses.flatMap(({ users }) => users),
    chats: responses.flatMap(({ chats }) => chats),
    next: hasMore && last !== undefined ? placeText(placeOf(last)) : "",
  };
}

/** The platform returns no more chats at once. */
const platformMost = 100;

type Response = Exclude<Api.messages.TypeDialogs, Api.messages.DialogsNotModified> | Api.messages.PeerDialogs;

/** Returns the chats that have a message. The other entries stand for a folder of chats. */
function datedDialogs({ dialogs, messages }: Response): DatedDialog[] {
  const tops = new Map(
    messages.flatMap((message) => (message instanceof Api.MessageEmpty ? [] : [[`${markOfPeer(message.peerId)} ${message.id}`, message]])),
  );
  return dialogs.flatMap((dialog) => {
    if (!(dialog instanceof Api.Dialog)) return [];
    const id = markOfPeer(dialog.peer);
    const top = tops.get(`${id} ${dialog.topMessage}`);
    return top === undefined ? [] : [{ id, unread: dialog.unreadCount, top }];
  });
}

const placeOf = ({ id, top }: DatedDialog): Place => ({ date: top.date, messageId: top.id, chat: id });

/** Newest first. */
function compare(a: Place, b: Place): number {
  return b.date - a.date || b.messageId - a.messageId || (a.chat < b.chat ? -1 : Number(a.chat > b.chat));
}

const placeText = ({ date, messageId, chat }: Place): string => `${date}.${messageId}.${chat}`;

function parsePlace(text: string): Place {
  const [, date, messageId, chat = ""] = /^(\d{1,10})\.(\d{1,10})\.(-?\d{1,16})$/.exec(text) ?? [];
  if (date === undefined || Number(date) >= 2 ** 31 - 1) throw invalidAfter();
  return { date: Number(date), messageId: Number(messageId), chat };
}
