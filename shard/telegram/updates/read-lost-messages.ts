import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import { dialogFolders, type DialogPage, dialogPages, dialogsOf, inputPeerOf } from "../chats/dialogs.js";
import { isEndOfHistory } from "../chats/read-history.js";
import type { Client } from "../client.js";
import { markOfPeer } from "../convert.js";
import type { UpdatePosition } from "./update-position.js";

export interface LostMessages {
  /** Oldest first. */
  readonly messages: readonly Api.Message[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** False when some messages were left out. */
  readonly complete: boolean;
}

/**
 * Reads messages after a position whose difference the platform no longer has, directly from private chats and, with `groups`, from basic
 * groups. Reads at most `messagesMax`. Rejects when a call does.
 */
export async function readLostMessages(client: Client, from: UpdatePosition, groups: boolean, signal: Ending): Promise<LostMessages> {
  const messages = new Map<number, Api.Message>();
  const users: Api.TypeUser[] = [];
  const chats: Api.TypeChat[] = [];
  for (const folder of dialogFolders) {
    for await (const page of dialogPages(client, folder, signal)) {
      const tops = new Map(page.messages.flatMap((message) => (message instanceof Api.Message ? [[message.id, message] as const] : [])));
      if (groups) chats.push(...page.chats);
      for (const { chat, inputPeer } of changedChats(page, tops, from, groups)) {
        const response = await readHistory(client, inputPeer, from, messagesMax - messages.size, signal);
        for (const message of response.messages) if (markOfPeer(message.peerId) === chat) messages.set(message.id, message);
        users.push(...response.users);
        if (messages.size >= messagesMax) return { messages: inOrder(messages), users, chats, complete: false };
      }
      if (isBehind(page, tops, from)) break;
    }
  }
  return { messages: inOrder(messages), users, chats, complete: true };
}

const messagesMax = 1_000;
const pageSize = 100;

function isLater(message: { id: number; date: number }, from: Pick<UpdatePosition, "newest" | "date">): boolean {
  // Without a message since the login, only the time of the login is known.
  return from.newest > 0 ? message.id > from.newest : message.date >= from.date;
}

function changedChats(
  page: DialogPage,
  tops: ReadonlyMap<number, Api.Message>,
  from: UpdatePosition,
  groups: boolean,
): { chat: string; inputPeer: Api.TypeInputPeer }[] {
  return dialogsOf(page).flatMap(({ peer, topMessage }) => {
    if (!(peer instanceof Api.PeerUser || (groups && peer instanceof Api.PeerChat))) return [];
    const top = tops.get(topMessage);
    const inputPeer = inputPeerOf(peer, page);
    // The page may lack the chat's newest message. Then the chat is read as well.
    return inputPeer !== undefined && (top === undefined || isLater(top, from)) ? [{ chat: markOfPeer(peer), inputPeer }] : [];
  });
}

/** A folder is sorted by newest message, so the first private chat without later messages ends it. Pinned chats come first regardless. */
function isBehind(page: DialogPage, tops: ReadonlyMap<number, Api.Message>, from: UpdatePosition): boolean {
  return dialogsOf(page).some((dialog) => {
    const top = tops.get(dialog.topMessage);
    return dialog.pinned !== true && dialog.peer instanceof Api.PeerUser && top?.peerId instanceof Api.PeerUser && !isLater(top, from);
  });
}

/** Returns up to `max` messages of a chat after a position, newest first. Rejects when a call does. */
export async function readHistory(
  client: Client,
  peer: Api.TypeInputPeer,
  from: Pick<UpdatePosition, "newest" | "date">,
  max: number,
  signal: Ending,
): Promise<{ messages: Api.Message[]; users: Api.TypeUser[] }> {
  const messages: Api.Message[] = [];
  const users: Api.TypeUser[] = [];
  for (let offsetId = 0; messages.length < max; ) {
    const request = new Api.messages.GetHistory({
      peer,
      offsetId,
      offsetDate: 0,
      addOffset: 0,
      limit: pageSize,
      maxId: 0,
      // Not `from.newest`: a message before the position shows where to stop, which the length of a page does not.
      minId: 0,
      hash: bigInt.zero,
    });
    const response = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
    if (response instanceof Api.messages.MessagesNotModified) break;
    users.push(...response.users);
    const page = response.messages.filter((message): message is Api.Message => message instanceof Api.Message);
    messages.push(...page.filter((message) => isLater(message, from)));
    const dated = response.messages.filter((message) => !(message instanceof Api.MessageEmpty));
    if (isEndOfHistory(response) || dated.some((message) => !isLater(message, from))) break;
    offsetId = response.messages.at(-1)?.id ?? 0;
  }
  return { messages, users };
}

function inOrder(messages: ReadonlyMap<number, Api.Message>): Api.Message[] {
  return [...messages.values()].sort((a, b) => a.id - b.id);
}
