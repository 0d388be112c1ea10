import bigInt from "big-integer";
import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { TelegramConnector } from "../connector.js";
import { toInputPeer, type Peer } from "../peers.js";

/**
 * True when the person has written to the account, is a bot, or has the account among their contacts as the account has them: to these
 * people a limited account may write. Reads the newest messages of the chat from the platform. Called only while the account is restricted.
 */
export async function hasWritten(connector: TelegramConnector, peer: Peer, signal: Ending): Promise<boolean> {
  if (connector.writers.has(peer.id)) return true;
  const isWriter = await readWriter(connector, peer, signal);
  if (isWriter) connector.writers.set(peer.id, {});
  return isWriter;
}

async function readWriter(connector: TelegramConnector, peer: Peer, signal: Ending): Promise<boolean> {
  const { bareId } = splitMarkedId(peer.id);
  const request = new Api.messages.GetHistory({
    peer: toInputPeer(peer),
    offsetId: 0,
    offsetDate: 0,
    addOffset: 0,
    limit: messagesRead,
    maxId: 0,
    minId: 0,
    hash: bigInt.zero,
  });
  const found = await connector.connected().invoke(request, { signal });
  if (found instanceof Api.messages.MessagesNotModified) return false;
  if (found.messages.some((message) => message instanceof Api.Message && message.out !== true)) return true;
  return found.users.some(
    (user) => user instanceof Api.User && user.id.toString() === bareId && (user.mutualContact === true || user.bot === true),
  );
}

/** The most that the platform returns at once. A person who wrote only before these has left a hundred messages without a reply. */
const messagesRead = 100;
