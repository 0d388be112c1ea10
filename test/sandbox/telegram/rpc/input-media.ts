import { createHash, randomInt } from "node:crypto";
import { Api } from "telegram";
import sharp from "sharp";
import type { ReceivedFile } from "../../control/received.js";
import { scaleToJpeg } from "../../files/pictures.js";
import { RpcFault } from "../rpc.js";
import type { AcceptedMedia } from "./accepted-media.js";
import { checkFields } from "./check-fields.js";
import { readPoll } from "./input-poll.js";
import { livePlace } from "./live-places.js";
import type { Account } from "../world/account.js";
import { unixNow } from "../world/ids.js";
import type { Content, MediaItem, MediaKind, PhotoVariant } from "../world/media-item.js";
import type { UploadedFile } from "../world/uploads.js";
import type { World } from "../world/world.js";

const maxPhotoBytes = 10 * 1024 * 1024;
const maxPhotoSides = 10_000;
const maxPhotoRatio = 20;
const maxPhotoPixels = 100_000_000;

/** Highest value of each kind of dice. */
const dice: Readonly<Record<string, number>> = { "🎲": 6, "🎯": 6, "🎳": 6, "🏀": 5, "⚽": 5, "⚽️": 5, "🎰": 64 };
const shownFields = ["spoiler", "ttlSeconds"];

export async function acceptMedia(world: World, account: Account, media: Api.TypeInputMedia): Promise<AcceptedMedia> {
  const accepted = await mediaOf(world, account, media);
  if (accepted.attachment.kind !== "media" || !("spoiler" in media || "ttlSeconds" in media)) return accepted;
  const ttlSeconds = media.ttlSeconds ?? 0;
  if (ttlSeconds < 0 || (ttlSeconds > 60 && ttlSeconds !== 0x7fffffff)) throw new RpcFault(400, "TTL_MEDIA_INVALID");
  const attachment = {
    ...accepted.attachment,
    ...(media.spoiler === true && { spoiler: true }),
    ...(ttlSeconds > 0 && { ttlSeconds }),
  };
  return { ...accepted, attachment, ...(ttlSeconds > 0 && { unread: true }) };
}

async function mediaOf(world: World, account: Account, media: Api.TypeInputMedia): Promise<AcceptedMedia> {
  if (media instanceof Api.InputMediaUploadedPhoto) checkFields(media, ["file", ...shownFields]);
  if (media instanceof Api.InputMediaUploadedDocument)
    checkFields(media, ["file", "thumb", "mimeType", "attributes", "nosoundVideo", "forceFile", ...shownFields]);
  if (media instanceof Api.InputMediaPhoto || media instanceof Api.InputMediaDocument) checkFields(media, ["id", ...shownFields]);
  if (media instanceof Api.InputMediaGeoLive) return livePlace(media);
  if (media instanceof Api.InputMediaDice) {
    const highest = dice[media.emoticon];
    if (highest === undefined) throw new RpcFault(400, "EMOTICON_INVALID");
    return { kind: "dice", attachment: { kind: "dice", emoticon: media.emoticon, value: randomInt(1, highest + 1) } };
  }
  if (media instanceof Api.InputMediaUploadedPhoto) return await uploadedPhoto(world, account, takeUpload(world, account, media.file));
  if (media instanceof Api.InputMediaUploadedDocument) return await uploadedDocument(world, account, media);
  if (media instanceof Api.InputMediaPhoto || media instanceof Api.InputMediaDocument) return known(world, account, media);
  if (media instanceof Api.InputMediaGeoPoint || media instanceof Api.InputMediaVenue) {
    if (!(media.geoPoint instanceof Api.InputGeoPoint)) throw new RpcFault(400, "MEDIA_EMPTY");
    const { lat, long } = media.geoPoint;
    if (Math.abs(lat) > 90 || Math.abs(long) > 180) throw new RpcFault(400, "GEO_POINT_INVALID");
    const venue = media instanceof Api.InputMediaVenue ? { name: media.title, address: media.address } : undefined;
    return {
      kind: "location",
      attachment: { kind: "geo", lat, long, ...(venue && { venue }) },
      location: { latitude: lat, longitude: long, ...venue },
    };
  }
  if (media instanceof Api.InputMediaContact) {
    const contact = { phone: media.phoneNumber, firstName: media.firstName, lastName: media.lastName, vcard: media.vcard };
    if (contact.phone === "") throw new RpcFault(400, "CONTACT_MISSING");
    return { kind: "contact", attachment: { kind: "contact", ...contact }, contact };
  }
  if (media instanceof Api.InputMediaPoll) {
    const { id: pollId, question, answers, multiple } = world.polls.add(readPoll(media));
    const poll = { question, options: answers.map(({ text }) => text), multiple };
    return { kind: "poll", attachment: { kind: "poll", pollId }, poll };
  }
  if (media instanceof Api.InputMediaPhotoExternal || media instanceof Api.InputMediaDocumentExternal)
    throw new RpcFault(400, "WEBPAGE_CURL_FAILED");
  throw new RpcFault(400, "MEDIA_EMPTY");
}

interface Upload extends UploadedFile {
  readonly name: string;
  readonly parts: number;
}

function takeUpload(world: World, account: Account, file: Api.TypeInputFile): Upload {
  if (!(file instanceof Api.InputFile || file instanceof Api.InputFileBig)) throw new RpcFault(400, "FILE_ID_INVALID");
  return { ...world.uploads.take(account.account, file.id.toString(), file.parts), name: file.name, parts: file.parts };
}

async function uploadedPhoto(world: World, account: Account, upload: Upload): Promise<AcceptedMedia> {
  const { bytes } = upload;
  if (bytes === undefined || upload.size > maxPhotoBytes) throw new RpcFault(400, "PHOTO_SAVE_FILE_INVALID");
  const picture = await decode(bytes);
  if (picture === undefined) {
    report(world, account, upload, { sha256: upload.sha256, size: upload.size, mimetype: sniff(bytes) });
    throw new RpcFault(400, "IMAGE_PROCESS_FAILED");
  }
  const { width, height, small } = picture;
  if (width + height > maxPhotoSides || Math.max(width / height, height / width) > maxPhotoRatio)
    throw new RpcFault(400, "PHOTO_INVALID_DIMENSIONS");
  const file: ReceivedFile = { sha256: upload.sha256, size: upload.size, mimetype: picture.mimetype, width, height };
  report(world, account, upload, file);
  const large = picture.mimetype === "image/jpeg" ? { bytes, width, height } : await scaleToJpeg(bytes, 2_560);
  const variants: PhotoVariant[] = [
    { type: "m", width: small.width, height: small.height, content: { kind: "bytes", bytes: small.bytes } },
    {
      type: Math.max(width, height) > 1_280 ? "w" : Math.max(width, height) > 800 ? "y" : "x",
      width: large.width,
      height: large.height,
      content: { kind: "bytes", bytes: large.bytes },
    },
  ];
  const item = world.media.add({
    kind: "photo",
    dcId: account.dcId,
    date: unixNow(),
    mimetype: "image/jpeg",
    content: { kind: "bytes", bytes: large.bytes },
    variants,
    width,
    height,
    duration: 0,
    fileName: undefined,
  });
  return { kind: "image", attachment: { kind: "media", mediaId: item.id }, file };
}

async function uploadedDocument(world: World, account: Account, media: Api.InputMediaUploadedDocument): Promise<AcceptedMedia> {
  const upload = takeUpload(world, account, media.file);
  const thumb = media.thumb ? takeUpload(world, account, media.thumb) : undefined;
  const kind = media.forceFile ? "document" : kindOf(media.attributes);
  const video = media.attributes.find((attribute) => attribute instanceof Api.DocumentAttributeVideo);
  const audio = media.attributes.find((attribute) => attribute instanceof Api.DocumentAttributeAudio);
  const named = media.attributes.find((attribute) => attribute instanceof Api.DocumentAttributeFilename);
  const picture = upload.bytes !== undefined && media.mimeType.startsWith("image/") ? await decode(upload.bytes) : undefined;
  const thumbnail = thumb?.bytes === undefined ? undefined : { upload: thumb, bytes: thumb.bytes, picture: await decode(thumb.bytes) };
  const animated = kind === "video" && isAnimation(media, upload.bytes);
  const duration = video?.duration ?? audio?.duration ?? 0;
  const width = picture?.width ?? video?.w ?? 0;
  const height = picture?.height ?? video?.h ?? 0;
  const file: ReceivedFile = {
    sha256: upload.sha256,
    size: upload.size,
    mimetype: media.mimeType,
    ...(width > 0 && { width, height }),
    ...(named !== undefined && { fileName: named.fileName }),
    ...(duration > 0 && { duration }),
    ...(audio?.voice === true && { voice: true }),
    ...(thumbnail && {
      thumbnail: {
        sha256: thumbnail.upload.sha256,
        size: thumbnail.upload.size,
        mimetype: sniff(thumbnail.bytes),
        ...(thumbnail.picture && { width: thumbnail.picture.width, height: thumbnail.picture.height }),
      },
    }),
  };
  report(world, account, upload, file);
  if (thumb !== undefined && file.thumbnail !== undefined) report(world, account, thumb, file.thumbnail);
  const content: Content = upload.bytes === undefined ? { kind: "dropped", size: upload.size } : { kind: "bytes", bytes: upload.bytes };
  const variants: PhotoVariant[] =
    thumbnail?.picture === undefined
      ? []
      : [
          {
            type: "m",
            width: thumbnail.picture.width,
            height: thumbnail.picture.height,
            content: { kind: "bytes", bytes: thumbnail.bytes },
          },
        ];
  const item = world.media.add({
    kind,
    dcId: account.dcId,
    date: unixNow(),
    mimetype: media.mimeType,
    content,
    variants,
    width,
    height,
    duration,
    fileName: named?.fileName,
    ...(audio?.voice === true && { voice: true }),
    ...(audio?.waveform && { waveform: Buffer.from(audio.waveform).toString("base64") }),
    ...(audio?.title && { title: audio.title }),
    ...(audio?.performer && { performer: audio.performer }),
    ...(video?.roundMessage === true && { round: true }),
    ...(animated && { animated }),
  });
  return {
    kind: kind === "photo" ? "document" : animated ? "animation" : kind,
    attachment: { kind: "media", mediaId: item.id },
    file,
    unread: item.voice === true || item.round === true,
  };
}

/** The platform treats a silent MP4 as an animation unless the sender declares a video (core.telegram.org/api/files, "nosound_video"). */
function isAnimation({ attributes, nosoundVideo, mimeType }: Api.InputMediaUploadedDocument, bytes: Buffer | undefined): boolean {
  if (attributes.some((attribute) => attribute instanceof Api.DocumentAttributeAnimated)) return true;
  return nosoundVideo !== true && mimeType === "video/mp4" && bytes !== undefined && !hasSoundTrack(bytes);
}

/** Searches for the handler box (`hdlr`) of an audio track. */
function hasSoundTrack(mp4: Buffer): boolean {
  for (let at = mp4.indexOf("hdlr"); at >= 0; at = mp4.indexOf("hdlr", at + 4))
    if (mp4.toString("latin1", at + 12, at + 16) === "soun") return true;
  return false;
}

/** Returns existing media of the platform by id. */
function known(world: World, account: Account, media: Api.InputMediaPhoto | Api.InputMediaDocument): AcceptedMedia {
  const input = media.id;
  if (!(input instanceof Api.InputPhoto || input instanceof Api.InputDocument)) throw new RpcFault(400, "MEDIA_EMPTY");
  const item = world.media.get(input.id.toJSNumber());
  const hash = item && world.secrets.accessHash(account.account, item.kind === "photo" ? "photo" : "document", item.id);
  if (item === undefined || hash !== input.accessHash.toString()) throw new RpcFault(400, "MEDIA_EMPTY");
  checkReference(world, account, item.id, input.fileReference);
  return {
    kind: item.kind === "photo" ? "image" : item.animated === true ? "animation" : item.kind,
    attachment: { kind: "media", mediaId: item.id },
    ...(item.content.kind === "bytes" && { file: fileOf(item, item.content.bytes) }),
    unread: item.voice === true || item.round === true,
  };
}

export function checkReference(world: World, account: Account, mediaId: number, reference: Buffer): void {
  const state = world.secrets.checkReference(account.account, mediaId, reference);
  if (state === "stale") throw new RpcFault(400, "FILE_REFERENCE_EXPIRED");
  if (state === "foreign") throw new RpcFault(400, reference.length === 0 ? "FILE_REFERENCE_EMPTY" : "FILE_REFERENCE_INVALID");
}

function fileOf(item: MediaItem, bytes: Buffer): ReceivedFile {
  return {
    sha256: createHash("sha256").update(bytes).digest("hex"),
    size: bytes.length,
    mimetype: item.mimetype,
    ...(item.width > 0 && { width: item.width, height: item.height }),
  };
}

function report(world: World, account: Account, upload: Upload, file: ReceivedFile): void {
  world.received.add({ type: "upload", account: account.account, fileId: upload.fileId, parts: upload.parts, file });
}

function kindOf(attributes: readonly Api.TypeDocumentAttribute[]): MediaKind {
  if (attributes.some((attribute) => attribute instanceof Api.DocumentAttributeVideo)) return "video";
  if (attributes.some((attribute) => attribute instanceof Api.DocumentAttributeAudio)) return "audio";
  if (attributes.some((attribute) => attribute instanceof Api.DocumentAttributeSticker)) return "sticker";
  return "document";
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly mimetype: string;
  /** Size m. Creating it also proves that the whole picture is readable. */
  readonly small: Awaited<ReturnType<typeof scaleToJpeg>>;
}

async function decode(bytes: Buffer): Promise<Picture | undefined> {
  try {
    const { width, height, format } = await sharp(bytes).metadata();
    if (width * height > maxPhotoPixels) return undefined;
    return { width, height, mimetype: `image/${format}`, small: await scaleToJpeg(bytes, 320) };
  } catch {
    return undefined; // Not a picture: the caller decides what that means.
  }
}

function sniff(bytes: Buffer): string {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return "image/png";
  if (bytes.subarray(8, 12).toString("latin1") === "WEBP") return "image/webp";
  return "application/octet-stream";
}
