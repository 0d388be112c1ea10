import { Api, utils } from "telegram";
import bigInt from "big-integer";
import { LRUCache } from "lru-cache";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Client } from "../client.js";
import { waitingOutFloods } from "../flood-wait.js";
import { ConnectionLost } from "../network/connection-error.js";

/** The small profile photo of a user or chat, as the platform announced it. */
export interface PictureSource {
  readonly peer: Api.TypeInputPeer;
  readonly photo: Api.TypeUserProfilePhoto | Api.TypeChatPhoto | undefined;
}

/** Data URIs of small profile photos by photo id. A photo never changes under its id, so one cache serves all sessions of the process. */
export type PictureCache = LRUCache<string, string>;

export function createPictureCache(): PictureCache {
  return new LRUCache({ maxSize: 64 * 1024 * 1024, sizeCalculation: (uri) => uri.length, maxEntrySize: 1024 * 1024 });
}

/**
 * Returns a data URI of the small photo, empty without one, and its blurred preview when the photo cannot be fetched. Retries until
 * `deadlineAt`, by `performance.now()`. Rejects only when the connection is lost or the signal aborts.
 */
export async function readPicture(
  client: Client,
  cache: PictureCache,
  source: PictureSource,
  signal: Ending,
  deadlineAt: number,
): Promise<string> {
  const { photo } = source;
  if (!isPhoto(photo)) return "";
  const cached = cache.get(photo.photoId.toString());
  if (cached !== undefined) return cached;
  try {
    const request = new Api.upload.GetFile({
      location: smallPhotoLocation(source.peer, photo.photoId),
      offset: bigInt.zero,
      limit: partBytes,
    });
    // At home a picture delays no call: it is about as long as a list of chats. A connection for it would take memory for half a minute.
    const download = (): Promise<Api.upload.TypeFile> =>
      photo.dcId === client.homeDcId
        ? client.invoke(request, { signal, deadlineMs: pictureMs, repeatable: false, waitOutFloods: false })
        : client.media.use(photo.dcId, signal, (sender) => sender.call(request, pictureMs, signal));
    const file = await waitingOutFloods(download, { deadlineAt, signal });
    if (!(file instanceof Api.upload.File) || file.bytes.length === 0) return previewOf(photo);
    const uri = toDataUri(file.bytes);
    cache.set(photo.photoId.toString(), uri);
    return uri;
  } catch (error) {
    if (signal.aborted || (error instanceof ConnectionLost && !client.alive)) throw error;
    return previewOf(photo);
  }
}

/** Returns the blurred preview as a data URI, without I/O; empty without a photo. */
export function previewPicture({ photo }: PictureSource): string {
  return isPhoto(photo) ? previewOf(photo) : "";
}

export function smallPhotoLocation(peer: Api.TypeInputPeer, photoId: bigInt.BigInteger): Api.InputPeerPhotoFileLocation {
  return new Api.InputPeerPhotoFileLocation({ peer, photoId, big: false });
}

/** Returns the time at which retries for the pictures of one command end: a list has previews rather than a delay. */
export function picturesDeadlineAt(): number {
  return performance.now() + retriesMs;
}

const retriesMs = 10_000;
const partBytes = 512 * 1024;
const pictureMs = 10_000;

function isPhoto(photo: PictureSource["photo"]): photo is Api.UserProfilePhoto | Api.ChatPhoto {
  return photo instanceof Api.UserProfilePhoto || photo instanceof Api.ChatPhoto;
}

function previewOf(photo: Api.UserProfilePhoto | Api.ChatPhoto): string {
  return photo.strippedThumb ? toDataUri(utils.strippedPhotoToJpg(photo.strippedThumb)) : "";
}

function toDataUri(jpeg: Buffer): string {
  return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
}
