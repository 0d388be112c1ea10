import { randomBytes } from "node:crypto";
import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { tlEntities } from "../tl/entities.js";
import type { Account } from "../world/account.js";
import { markChannel } from "../world/ids.js";
import type { Attachment, Forward, StoredMessage } from "../world/message-box.js";
import type { World } from "../world/world.js";
import type { AcceptedMedia } from "./accepted-media.js";
import { acceptMedia } from "./input-media.js";
import { checkFields } from "./check-fields.js";
import { checkSchedule } from "./check-schedule.js";
import { checkText } from "./check-text.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { once } from "./once.js";
import { resolvePeer } from "./peers.js";
import { boxOf, channelOf, newMessage, sendFields, sendMessage, sentUpdates, type NewMessage } from "./send-message.js";
import { checkMayWrite } from "./write-permission.js";
import type { AuthKey } from "../rpc.js";
import { present } from "../tl/present.js";

/** `forwarded_count_max` of help.getConfig. */
const maxForwards = 100;
const maxAlbum = 10;
const forwardFields = [
  ...["silent", "background", "dropAuthor", "dropMediaCaptions", "noforwards", "fromPeer", "toPeer", "id", "randomId", "scheduleDate"],
];

/** Methods that send several messages at once: forwards and albums. */
export function manyMessageMethods(platform: Platform): Methods {
  const { world } = platform;
  return {
    "messages.ForwardMessages": {
      handle: async (request: Api.messages.ForwardMessages, context) => {
        const account = callerOf(world, context);
        const from = resolvePeer(world, account, request.fromPeer);
        const to = resolvePeer(world, account, request.toPeer);
        checkSchedule(request.scheduleDate);
        checkFields(request, forwardFields);
        if (request.id.length === 0) throw new RpcFault(400, "MESSAGE_IDS_EMPTY");
        if (request.id.length > maxForwards) throw new RpcFault(400, "LIMIT_INVALID");
        if (request.randomId.length !== request.id.length) throw new RpcFault(400, "RANDOM_ID_INVALID");
        const { messages } = boxOf(world, account, from);
        const albums = new Map<string, string>();
        const wanted = request.id.flatMap((id, index): NewMessage[] => {
          const source = messages.get(id);
          const randomId = request.randomId[index];
          if (source === undefined || source.peer !== from || source.action !== undefined || randomId === undefined) return [];
          return [forwarded(world, source, randomId, request, albums)];
        });
        if (request.id.some((id) => messages.get(id)?.noforwards === true)) throw new RpcFault(400, "CHAT_FORWARDS_RESTRICTED");
        if (wanted.length === 0) throw new RpcFault(400, "MESSAGE_ID_INVALID");
        return await sendMany(platform, account, to, wanted, context.key);
      },
    },
    "messages.SendMultiMedia": {
      handle: async (request: Api.messages.SendMultiMedia, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const { multiMedia, replyTo, silent, noforwards, invertMedia } = request;
        checkSchedule(request.scheduleDate);
        checkFields(request, [...sendFields, "multiMedia"]);
        if (multiMedia.length === 0) throw new RpcFault(400, "MEDIA_EMPTY");
        if (multiMedia.length > maxAlbum) throw new RpcFault(400, "MULTI_MEDIA_TOO_LONG");
        for (const { message, entities } of multiMedia) checkText(message, entities, "caption");
        const media: AcceptedMedia[] = [];
        for (const { media: input } of multiMedia) media.push(await acceptPart(world, account, input));
        if (new Set(media.map(({ kind }) => shelfOf(kind))).size > 1) throw new RpcFault(400, "MEDIA_INVALID");
        const groupedId = multiMedia.length > 1 ? newGroupedId() : undefined;
        const wanted = multiMedia.map(({ message, entities, randomId }, index) => ({
          ...newMessage(present({ message, entities, replyTo, randomId, silent, noforwards, invertMedia })),
          media: media[index],
          groupedId,
        }));
        return await sendMany(platform, account, peer, wanted, context.key);
      },
    },
  };
}

/** Checks permission once and returns one result for all messages. A used random id stops the call before the first message. */
async function sendMany(
  platform: Platform,
  account: Account,
  peer: number,
  wanted: readonly NewMessage[],
  key: AuthKey,
): Promise<Api.Updates> {
  const { world } = platform;
  if (wanted.some(({ randomId }) => world.randomIds.has(account.account, String(randomId)))) throw new RpcFault(500, "RANDOM_ID_DUPLICATE");
  checkMayWrite(world, account, peer, "write");
  const sent: { message: StoredMessage; randomId: Api.long | undefined }[] = [];
  for (const one of wanted)
    sent.push({
      message: await once(world, account, String(one.randomId), () => sendMessage(platform, account, peer, one, key)),
      randomId: one.randomId,
    });
  return sentUpdates(world, account, peer, sent);
}

function forwarded(
  world: World,
  source: StoredMessage,
  randomId: Api.long,
  { dropAuthor, dropMediaCaptions, silent, noforwards }: Api.messages.ForwardMessages,
  albums: Map<string, string>,
): NewMessage {
  const isBare = dropMediaCaptions === true && source.attachment !== undefined;
  return {
    text: isBare ? "" : source.text,
    entities: isBare ? undefined : tlEntities(source.entities),
    randomId,
    silent,
    noforwards,
    media: source.attachment && { kind: kindOf(world, source.attachment), attachment: source.attachment },
    forward: dropAuthor === true ? undefined : (source.forward ?? originOf(world, source)),
    groupedId: source.groupedId === undefined ? undefined : (albums.get(source.groupedId) ?? renamed(albums, source.groupedId)),
  };
}

/** A forwarded album gets a new id. */
function renamed(albums: Map<string, string>, old: string): string {
  const groupedId = newGroupedId();
  albums.set(old, groupedId);
  return groupedId;
}

function originOf(world: World, { peer, from, date, id }: StoredMessage): Forward {
  const channel = channelOf(world, peer);
  return channel?.broadcast === true ? { from: markChannel(channel.id), date, post: id } : { from, date };
}

function kindOf(world: World, attachment: Attachment): string {
  if (attachment.kind !== "media") return attachment.kind === "geo" ? "location" : attachment.kind;
  const kind = world.media.get(attachment.mediaId)?.kind ?? "document";
  return kind === "photo" ? "image" : kind;
}

/** messages.uploadMedia must have uploaded the parts of an album before. */
async function acceptPart(world: World, account: Account, input: Api.TypeInputMedia): Promise<AcceptedMedia> {
  if (!(input instanceof Api.InputMediaPhoto || input instanceof Api.InputMediaDocument)) throw new RpcFault(400, "MEDIA_INVALID");
  const media = await acceptMedia(world, account, input);
  if (media.kind === "sticker") throw new RpcFault(400, "MEDIA_INVALID");
  return media;
}

/** Returns the group of kinds that may share an album: pictures and videos, documents, or music. */
function shelfOf(kind: string): string {
  return kind === "image" || kind === "video" ? "visual" : kind;
}

function newGroupedId(): string {
  return BigInt.asUintN(63, randomBytes(8).readBigUInt64LE(0)).toString();
}
