import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import type { CommandCall } from "../../session/command.js";
import type { ChatMessagePage, ChatMessageQuery } from "../../../shared/contract/telegram/chat.js";
import { chatNotFound } from "../../../shared/contract/telegram/errors.js";
import { unseenNames } from "../chats/chat-directory.js";
import { ChatPeople } from "../chats/chat-people.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import { readHistory } from "../chats/read-history.js";
import type { Client } from "../client.js";
import type { TelegramConnector } from "../connector.js";
import { errorName } from "../errors.js";
import { type Peer, toInputPeer } from "../peers.js";

/** GET /chat/message: the messages of a person, group or channel, newest first, as the platform keeps them. */
export async function listChatMessages(
  connector: TelegramConnector,
  { chat: reference, limit, before }: ChatMessageQuery,
  { signal }: CommandCall,
): Promise<ChatMessagePage> {
  const client = connector.connected();
  const isPerson = reference.kind === "id" && splitMarkedId(reference.id).kind === "user";
  const peer =
    (await connector.chats.find(client, reference, signal)) ??
    (isPerson ? await connector.chats.contact(client, reference.id, { signal }) : undefined);
  if (peer === undefined) throw chatNotFound();
  try {
    const { messages, users, chats, hasMore } = await readHistory(client, toInputPeer(peer), { limit, before }, signal);
    if (messages.length === 0) return { docs: [], next: "" };
    const people = new ChatPeople(connector, { users: [...users, ...(await usersOf(client, peer, users, signal))], chats });
    const chat = people.find(peer.id);
    if (chat === undefined) throw chatNotFound();
    const docs = messages.map((message) => people.record(message, chat));
    return { docs, next: hasMore ? (docs.at(-1)?.id ?? "") : "" };
  } catch (error) {
    throw unseenNames.has(errorName(error) ?? "") ? chatNotFound(error) : error;
  }
}

/** Reads the other person if the messages came without them. */
async function usersOf(client: Client, peer: Peer, users: readonly Api.TypeUser[], signal: Ending): Promise<Api.TypeUser[]> {
  const { kind, bareId } = splitMarkedId(peer.id);
  if (kind !== "user" || users.some(({ id }) => id.toString() === bareId)) return [];
  const id = new Api.InputUser({ userId: bigInt(bareId), accessHash: bigInt(peer.accessHash) });
  return await client.invoke(new Api.users.GetUsers({ id: [id] }), { signal });
}
