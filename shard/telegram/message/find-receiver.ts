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
 * Whom a message goes to. Throws `chat not found` when nobody has the name or the account does not know the id; `group not found` or `channel not
 * found` for what is none, or is not joined; `phone is not on telegram ...`; `invalid chat` when the platform refuses the name.
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

/** Returns what the platform's refusal of a call on a receiver means to the caller, and anything else as it is. */
export async function receiverError(
  connector: TelegramConnector,
  client: Client,
  { to, peer, signal }: { readonly to: Recipient; readonly peer: Peer; readonly signal: AbortSignal },
  error: unknown,
): Promise<unknown> {
  if (!unseenNames.has(errorName(error) ?? "")) return error;
  connector.chats.left(peer.id);
  // The group may have been upgraded since it was last looked at.
  if (to.kind === "group") return missingGroup(await connector.chats.read(client, peer, signal), error);
  return to.kind === "channel" ? channelNotFound(error) : chatNotFound(error);
}

async function requireJoined(
  connector: TelegramConnector,
  client: Client,
  peer: Peer,
  kind: JoinedKind,
  signal: AbortSignal,
): Promise<void> {
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
