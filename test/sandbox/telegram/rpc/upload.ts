import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import { unmark } from "../world/ids.js";
import type { Content, MediaItem } from "../world/media-item.js";
import type { World } from "../world/world.js";
import { checkReference } from "./input-media.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { resolvePeer } from "./peers.js";
import { ServedParts } from "./served-parts.js";

const boundary = 1_048_576;

export function uploadMethods({ world }: Platform): Methods {
  const parts = new ServedParts();
  return {
    "upload.SaveFilePart": {
      handle: (request: Api.upload.SaveFilePart, context) => {
        world.uploads.savePart(callerOf(world, context).account, request.fileId.toString(), request.filePart, request.bytes, undefined);
        return true;
      },
    },
    "upload.SaveBigFilePart": {
      handle: (request: Api.upload.SaveBigFilePart, context) => {
        world.uploads.savePart(
          callerOf(world, context).account,
          request.fileId.toString(),
          request.filePart,
          request.bytes,
          request.fileTotalParts,
        );
        return true;
      },
    },
    "upload.GetFile": {
      handle: async (request: Api.upload.GetFile, context) => {
        const account = callerOf(world, context);
        const offset = request.offset.toJSNumber();
        checkRange(offset, request.limit, request.precise === true);
        const { content, mimetype, date } = await locate(world, account, request.location, context.dcId);
        const answer = parts.read(content, offset, request.limit, { type: fileType(mimetype), mtime: date });
        if (answer === undefined) throw new RpcFault(400, "FILE_ID_INVALID");
        return answer;
      },
    },
  };
}

/** Offset and limit are multiples of 4 KB (1 KB when precise), the limit divides 1 MB, and the part lies within one megabyte. */
function checkRange(offset: number, limit: number, precise: boolean): void {
  const unit = precise ? 1_024 : 4_096;
  if (limit <= 0 || limit % unit !== 0 || limit > boundary || (!precise && boundary % limit !== 0))
    throw new RpcFault(400, "LIMIT_INVALID");
  if (offset < 0 || offset % unit !== 0) throw new RpcFault(400, "OFFSET_INVALID");
  if (Math.floor(offset / boundary) !== Math.floor((offset + limit - 1) / boundary)) throw new RpcFault(400, "LIMIT_INVALID");
}

interface Located {
  readonly content: Content;
  readonly mimetype: string;
  readonly date: number;
}

async function locate(world: World, account: Account, location: Api.TypeInputFileLocation, dcId: number): Promise<Located> {
  if (location instanceof Api.InputPeerPhotoFileLocation) return await profilePhoto(world, account, location, dcId);
  const isPhoto = location instanceof Api.InputPhotoFileLocation;
  const ownerId = isPhoto ? world.profilePhotos.ownerOf(location.id.toJSNumber()) : undefined;
  if (isPhoto && ownerId !== undefined) return await profileOf(world, account, location, ownerId, dcId);
  if (!isPhoto && !(location instanceof Api.InputDocumentFileLocation)) throw new RpcFault(400, "LOCATION_INVALID");
  const item = world.media.get(location.id.toJSNumber());
  if (item === undefined || (item.kind === "photo") !== isPhoto) throw new RpcFault(400, "FILE_ID_INVALID");
  checkDc(item.dcId, dcId);
  if (world.secrets.accessHash(account.account, isPhoto ? "photo" : "document", item.id) !== location.accessHash.toString())
    throw new RpcFault(400, "LOCATION_INVALID");
  checkReference(world, account, item.id, location.fileReference);
  return { ...sized(item, location.thumbSize), date: item.date };
}

function sized(item: MediaItem, size: string): Omit<Located, "date"> {
  if (size === "" && item.kind !== "photo") return { content: item.content, mimetype: item.mimetype };
  const variant = item.variants.find(({ type }) => type === size);
  if (variant === undefined) throw new RpcFault(400, "LOCATION_INVALID");
  return { content: variant.content, mimetype: "image/jpeg" };
}

async function profilePhoto(
  world: World,
  account: Account,
  { peer, photoId, big }: Api.InputPeerPhotoFileLocation,
  dcId: number,
): Promise<Located> {
  const marked = resolvePeer(world, account, peer);
  const { kind, id } = unmark(marked);
  const owner = kind === "user" ? world.accounts.person(id) : kind === "chat" ? world.chats.group(id) : world.chats.channel(id);
  const current = owner && world.profilePhotos.idOf(owner);
  if (current === undefined || photoId.toJSNumber() !== current) throw new RpcFault(400, "PHOTO_ID_INVALID");
  checkDc(world.profilePhotos.dcOf(id), dcId);
  return {
    content: { kind: "bytes", bytes: await world.media.profilePhoto(current, big === true) },
    mimetype: "image/jpeg",
    date: world.startedAt,
  };
}

/** Returns a profile photo by its id, as in photos.getUserPhotos. */
async function profileOf(
  world: World,
  account: Account,
  location: Api.InputPhotoFileLocation,
  ownerId: number,
  dcId: number,
): Promise<Located> {
  const owner = world.accounts.person(ownerId);
  const photoId = owner && world.profilePhotos.idOf(owner);
  if (photoId === undefined || photoId !== location.id.toJSNumber()) throw new RpcFault(400, "LOCATION_INVALID");
  const isRight = world.secrets.accessHash(account.account, "photo", photoId) === location.accessHash.toString();
  if (!isRight || !["a", "c"].includes(location.thumbSize)) throw new RpcFault(400, "LOCATION_INVALID");
  checkDc(world.profilePhotos.dcOf(ownerId), dcId);
  checkReference(world, account, photoId, location.fileReference);
  return {
    content: { kind: "bytes", bytes: await world.media.profilePhoto(photoId, location.thumbSize === "c") },
    mimetype: "image/jpeg",
    date: world.startedAt,
  };
}

function checkDc(home: number, here: number): void {
  if (home !== here) throw new RpcFault(303, `FILE_MIGRATE_${home}`);
}

function fileType(mimetype: string): Api.storage.TypeFileType {
  switch (mimetype) {
    case "image/jpeg":
      return new Api.storage.FileJpeg();
    case "image/png":
      return new Api.storage.FilePng();
    case "image/webp":
      return new Api.storage.FileWebp();
    case "video/mp4":
      return new Api.storage.FileMp4();
    case "application/pdf":
      return new Api.storage.FilePdf();
    default:
      return new Api.storage.FileUnknown();
  }
}
