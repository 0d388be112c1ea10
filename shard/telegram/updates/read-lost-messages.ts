import { Api } from "telegram";
import bigInt from "big-integer";
import { listTimeoutMs } from "../../../shared/limits.js";
import { dialogFolders, type DialogPage, dialogPages, dialogsOf, inputPeerOf } from "../chats/dialogs.js";
import type { Client } from "../client.js";
import type { UpdatePosition } from "./update-position.js";

export interface LostMessages {
  /** Of private chats, oldest first. */
  readonly messages: readonly Api.Message[];
  readonly users: readonly Api.TypeUser[];
  /** False when there was more than is read. */
  readonly complete: boolean;
}

/**
 * The messages of private chats that came after a position of which the platform no longer knows the difference, from the chats themselves: the
 * documentation of `differenceTooLong` says no more than to go on from the new count.
 * Bounded by `messagesMax`. Rejects with whatever a call rejects with.
 */
export async function readLostMessages(client: Client, from: UpdatePosition, signal: AbortSignal): Promise<LostMessages> {
  const messages = new Map<number, Api.Message>();
  const users: Api.TypeUser[] = [];
  for (const folder of dialogFolders) {
    for await (const page of dialogPages(client, folder, signal)) {
      const tops = new Map(page.messages.flatMap((message) => (message instanceof Api.Message ? [[message.id, message] as const] : [])));
      for (const { peer, userPeer } of changedChats(page, tops, from)) {
        const answer = await readHistory(client, userPeer, from, messagesMax - messages.size, signal);
        for (const message of answer.messages)
          if (message.peerId instanceof Api.PeerUser && message.peerId.userId.equals(peer.userId)) messages.set(message.id, message);
        users.push(...answer.users);
        if (messages.size >= messagesMax) return { messages: inOrder(messages), users, complete: false };
      }
      if (isBehind(page, tops, from)) break;
    }
  }
  return { messages: inOrder(messages), users, complete: true };
}

const messagesMax = 1_000;
const pageSize = 100;

function isLater(message: { id: number; date: number }, from: UpdatePosition): boolean {
  // Without any message seen since the login there is only the time of the login.
  return from.newest > 0 ? message.id > from.newest : message.date >= from.date;
}

function changedChats(
  page: DialogPage,
  tops: ReadonlyMap<number, Api.Message>,
  from: UpdatePosition,
): { peer: Api.PeerUser; userPeer: Api.TypeInputPeer }[] {
  return dialogsOf(page).flatMap(({ peer, topMessage }) => {
    const top = tops.get(topMessage);
    const userPeer = peer instanceof Api.PeerUser ? inputPeerOf(peer, page) : undefined;
    // The newest message of the chat may not have come with the page: ask then.
    return peer instanceof Api.PeerUser && userPeer !== undefined && (top === undefined || isLater(top, from)) ? [{ peer, userPeer }] : [];
  });
}

/** A folder is in the order of the newest messages, so a private chat without later ones ends it. Pinned ones stand in front whatever they hold. */
function isBehind(page: DialogPage, tops: ReadonlyMap<number, Api.Message>, from: UpdatePosition): boolean {
  return dialogsOf(page).some((dialog) => {
    const top = tops.get(dialog.topMessage);
    return dialog.pinned !== true && dialog.peer instanceof Api.PeerUser && top?.peerId instanceof Api.PeerUser && !isLater(top, from);
  });
}

async function readHistory(
  client: Client,
  peer: Api.TypeInputPeer,
  from: UpdatePosition,
  max: number,
  signal: AbortSignal,
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
      minId: from.newest,
      hash: bigInt.zero,
    });
    const answer = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
    if (answer instanceof Api.messages.MessagesNotModified) break;
    users.push(...answer.users);
    const page = answer.messages.filter((message): message is Api.Message => message instanceof Api.Message);
    messages.push(...page.filter((message) => isLater(message, from)));
    const oldest = answer.messages.at(-1);
    if (answer.messages.length < pageSize || oldest === undefined || (page.length > 0 && !page.some((message) => isLater(message, from))))
      break;
    offsetId = oldest.id;
  }
  return { messages, users };
}

function inOrder(messages: ReadonlyMap<number, Api.Message>): Api.Message[] {
  return [...messages.values()].sort((a, b) => a.id - b.id);
}
