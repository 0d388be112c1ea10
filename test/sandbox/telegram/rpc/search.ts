import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { Cast } from "../tl/cast.js";
import { tlPeer } from "../tl/message.js";
import type { Account } from "../world/account.js";
import { markChannel, unmark, type MarkedId } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { foundMessages, pageOf } from "./history.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { boxOf, channelOf } from "./send-message.js";

const maxFound = 100;

export function searchMethods({ world }: Platform): Methods {
  return {
    "messages.Search": {
      handle: (request: Api.messages.Search, context) => {
        const account = callerOf(world, context);
        // Without a peer: all private chats and basic groups, which share one id sequence.
        const peer = request.peer instanceof Api.InputPeerEmpty ? undefined : resolvePeer(world, account, request.peer);
        const from = request.fromId ? resolvePeer(world, account, request.fromId) : undefined;
        if (request.q.trim() === "" && request.filter instanceof Api.InputMessagesFilterEmpty && from === undefined)
          throw new RpcFault(400, "SEARCH_QUERY_EMPTY");
        const channel = peer === undefined ? undefined : channelOf(world, peer);
        const box = peer === undefined ? account.box : boxOf(world, account, peer);
        const all = peer === undefined ? [...box.messages.keys()].sort((a, b) => a - b) : box.idsOf(peer);
        const ids = all.filter((id) => {
          const message = box.messages.get(id);
          return message !== undefined && matches(world, message, request, from);
        });
        return foundMessages(world, account, pageOf(box, ids, { ...request, offsetDate: 0 }), { channel, total: ids.length });
      },
    },
    "contacts.Search": {
      handle: (request: Api.contacts.Search, context) => {
        const account = callerOf(world, context);
        const query = request.q.trim().replace(/^@/, "");
        if (query === "") throw new RpcFault(400, "SEARCH_QUERY_EMPTY");
        const limit = Math.min(Math.max(request.limit, 0), maxFound);
        const own = ownPeers(world, account)
          .filter((peer) => isNamed(world, peer, query))
          .slice(0, limit);
        const others = publicPeers(world, query)
          .filter((peer) => !own.includes(peer) && peer !== account.userId)
          .slice(0, limit);
        const cast = [...own, ...others].reduce((all, peer) => all.peer(peer), new Cast(world, account));
        return new Api.contacts.Found({ myResults: own.map(tlPeer), results: others.map(tlPeer), chats: cast.chats, users: cast.users });
      },
    },
  };
}

function matches(
  world: World,
  message: StoredMessage,
  { q, filter, minDate, maxDate }: Api.messages.Search,
  from: MarkedId | undefined,
): boolean {
  if (message.action !== undefined || (from !== undefined && message.from !== from)) return false;
  if ((minDate > 0 && message.date < minDate) || (maxDate > 0 && message.date > maxDate)) return false;
  return startsWords(message.text, q) && passes(world, message, filter);
}

/** Returns whether each word of the query starts a word of the text. */
function startsWords(text: string, query: string): boolean {
  const words = wordsOf(text);
  return wordsOf(query).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{Emoji_Presentation}]+/u)
    .filter((word) => word !== "");
}

/** Filters for unsupported kinds, such as calls and pinned messages, match nothing. */
function passes(world: World, { text, attachment }: StoredMessage, filter: Api.TypeMessagesFilter): boolean {
  const item = attachment?.kind === "media" ? world.media.get(attachment.mediaId) : undefined;
  if (filter instanceof Api.InputMessagesFilterEmpty) return true;
  if (filter instanceof Api.InputMessagesFilterPhotos) return item?.kind === "photo";
  if (filter instanceof Api.InputMessagesFilterVideo) return item?.kind === "video";
  if (filter instanceof Api.InputMessagesFilterPhotoVideo) return item?.kind === "photo" || item?.kind === "video";
  if (filter instanceof Api.InputMessagesFilterDocument) return item?.kind === "document";
  if (filter instanceof Api.InputMessagesFilterMusic) return item?.kind === "audio" && item.voice !== true;
  if (filter instanceof Api.InputMessagesFilterVoice) return item?.kind === "audio" && item.voice === true;
  if (filter instanceof Api.InputMessagesFilterGeo) return attachment?.kind === "geo";
  if (filter instanceof Api.InputMessagesFilterContacts) return attachment?.kind === "contact";
  if (filter instanceof Api.InputMessagesFilterUrl) return /https?:\/\/\S/.test(text);
  return false;
}

/** Returns contacts and the peers in the dialog list. */
function ownPeers(world: World, account: Account): MarkedId[] {
  const joined = [...account.chats].filter((peer) => channelOf(world, peer)?.joined.has(account.userId) ?? true);
  return [...new Set([...account.contacts, ...account.box.peers(), ...joined])];
}

function isNamed(world: World, peer: MarkedId, query: string): boolean {
  const { kind, id } = unmark(peer);
  const person = kind === "user" ? world.accounts.person(id) : undefined;
  const chat = kind === "chat" ? world.chats.group(id) : world.chats.channel(id);
  const username = person === undefined ? channelOf(world, peer)?.username : person.username;
  const name = person === undefined ? (kind === "user" ? "" : (chat?.title ?? "")) : `${person.firstName} ${person.lastName}`;
  return startsWords(name, query) || username?.toLowerCase().startsWith(query.toLowerCase()) === true;
}

/** Returns accounts and channels of the whole platform whose public name starts with the query. */
function publicPeers(world: World, query: string): MarkedId[] {
  const wanted = query.toLowerCase();
  const starts = (username: string | undefined): boolean => username?.toLowerCase().startsWith(wanted) === true;
  const people = [...world.accounts.all()].flatMap(({ person }) => (starts(person.username) ? [person.id] : []));
  const channels = [...world.chats.allChannels()].flatMap(({ id, username }) => (starts(username) ? [markChannel(id)] : []));
  const exact = world.accounts.personByUsername(wanted)?.id;
  return [...new Set([...(exact === undefined ? [] : [exact]), ...people, ...channels])];
}
