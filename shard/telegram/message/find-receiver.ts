import type { Ending } from "../../../shared/flow/ending.js";
import { channelNotFound, chatNotFound } from "../../../shared/contract/telegram/errors.js";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import { unseenNames, type JoinedKind } from "../chats/chat-directory.js";
import { splitMarkedId } from "../chats/chat-reference.js";
import type { Client } from "../client.js";
import { missingGroup } from "../convert.js";
import type { Lookup } from "../client-options.js";
import { errorName } from "../errors.js";
import type { Peer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";

/**
 * Returns the recipient of a message. Throws `chat not found` for a free name or unknown id, `group not found` or `channel not found` for
 * another kind or a chat that is not joined, `phone is not on telegram ...`, or `invalid chat`.
 */
export async function findReceiver(connector: TelegramConnector, client: Client, to: Recipient, lookup: Lookup): Promise<Peer> {
  const { signal } = lookup;
  if (to.kind === "phone") return connector.phones.find(client, to.digits, lookup);
  const peer = await connector.chats.find(client, to.chat, signal);
  switch (to.kind) {
    case "group":
    case "channel":
      if (peer === undefined) throw chatNotFound();
      await requireJoined(connector, client, peer, to.kind, signal);
      return peer;
    case "user":
      return person(connector, client, peer, to.chat, lookup);
    case "username":
      if (peer === undefined) throw chatNotFound();
      return peer;
    default:
      return to satisfies never;
  }
}

/** Returns the caller's error for a platform's refusal of a receiver, and any other error unchanged. */
export async function receiverError(
  connector: TelegramConnector,
  client: Client,
  { to, peer, signal }: { readonly to: Recipient; readonly peer: Peer; readonly signal: Ending },
  error: unknown,
): Promise<unknown> {
  if (!unseenNames.has(errorName(error) ?? "")) return error;
  connector.chats.left(peer.id);
  // The group may have been upgraded since it was last read.
  if (to.kind === "group") return missingGroup(await connector.chats.read(client, peer, signal), error);
  return to.kind === "channel" ? channelNotFound(error) : chatNotFound(error);
}

async function requireJoined(connector: TelegramConnector, client: Client, peer: Peer, kind: JoinedKind, signal: Ending): Promise<void> {
  const joined = await connector.chats.joinedKind(client, peer, signal);
  if (joined === "nothing") throw chatNotFound();
  if (joined === kind) return;
  if (kind === "channel") throw channelNotFound();
  throw missingGroup(await connector.chats.read(client, peer, signal));
}

async function person(
  connector: TelegramConnector,
  client: Client,
  peer: Peer | undefined,
  chat: Extract<Recipient, { kind: "user" }>["chat"],
  lookup: Lookup,
): Promise<Peer> {
  const id = chat.kind === "id" ? chat.id : undefined;
  const found =
    peer ?? (id === undefined || splitMarkedId(id).kind !== "user" ? undefined : await connector.chats.contact(client, id, lookup));
  if (found === undefined || splitMarkedId(found.id).kind !== "user") throw chatNotFound();
  return found;
}
