import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";

export interface HistoryRange {
  readonly limit: number;
  /** Id of a message (exclusive); 0 begins with the newest. */
  readonly before: number;
}

/** Messages of a chat, newest first, with the people and chats that they mention. */
export interface HistoryPage {
  readonly messages: readonly Api.Message[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** False: there are no older messages. */
  readonly hasMore: boolean;
}

/**
 * Reads messages of a chat. Service notes ("changed the name") are no messages. The platform leaves out messages that it may not show, so a
 * short page is not the end, and neither is a page of notes alone.
 */
export async function readHistory(
  client: Client,
  peer: Api.TypeInputPeer,
  { limit, before }: HistoryRange,
  signal: Ending,
): Promise<HistoryPage> {
  const messages: Api.Message[] = [];
  const users: Api.TypeUser[] = [];
  const chats: Api.TypeChat[] = [];
  let isLast = false;
  for (let page = 0, offsetId = before, wanted = limit; page < pagesMax && messages.length < limit && !isLast; page++, wanted = pageSize) {
    const request = new Api.messages.GetHistory({ ...range(peer, offsetId), limit: wanted });
    const history = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
    if (history instanceof Api.messages.MessagesNotModified) break;
    messages.push(...history.messages.filter((message) => message instanceof Api.Message));
    users.push(...history.users);
    chats.push(...history.chats);
    offsetId = history.messages.at(-1)?.id ?? 0;
    isLast = isEndOfHistory(history);
  }
  return { messages: messages.slice(0, limit), users, chats, hasMore: messages.length > limit || !isLast };
}

/** Returns true if the chat has no messages after this response, in the direction in which it was read. */
export function isEndOfHistory(response: Exclude<Api.messages.TypeMessages, Api.messages.MessagesNotModified>): boolean {
  return response instanceof Api.messages.Messages || response.messages.length === 0;
}

/** At most a thousand notes in a row are skipped; after that the list is shorter than requested. */
const pageSize = 100;
const pagesMax = 11;

function range(peer: Api.TypeInputPeer, offsetId: number): Omit<ConstructorParameters<typeof Api.messages.GetHistory>[0], "limit"> {
  return { peer, offsetId, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: bigInt.zero };
}
