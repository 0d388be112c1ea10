import { Api } from "telegram";
import { type BigInteger } from "big-integer";
import { type CommandCall } from "../../../shared/contract/commands.js";
import { compressImage, fileFromUrl, internal, sendTimeout, sessionNotConnected } from "../../../shared/contract/telegram/errors.js";
import { type StatusInput, type StatusOutput, type StoryPrivacy, type StoryVideo } from "../../../shared/contract/telegram/status.js";
import { sendTimeoutMs, storyCanvas } from "../../../shared/limits.js";
import { DownloadError } from "../../download/download-error.js";
import { ImageError } from "../../image/image-error.js";
import { type Client } from "../client.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import { type DownloadedFile } from "../ports.js";
import { type TelegramSession } from "../session.js";
import { bytesSource, uploadFile } from "../media/upload.js";
import { randomIdOf } from "../message/random-id.js";

/**
 * POST /status: posts a story. The platform does not recognise a story that is sent twice, so its request goes out once and is never repeated;
 * the id is found by the random id that derives from the command.
 */
export async function postStatus(session: TelegramSession, input: StatusInput, { id, signal }: CommandCall): Promise<StatusOutput> {
  const client = session.connected();
  const deadlineAt = performance.now() + sendTimeoutMs;
  const call: StoryCall = { session, client, signal, leftMs: () => Math.max(1, deadlineAt - performance.now()) };
  const media = await buildMedia(call, input).catch((error: unknown) => {
    // Its deadline is that of the whole command.
    throw error instanceof CallTimeout ? sendTimeout() : error;
  });
  const randomId = randomIdOf(session.id, id);
  const request = new Api.stories.SendStory({
    peer: new Api.InputPeerSelf(),
    media,
    // The text of a text story is in its picture.
    ...(input.type !== "text" && input.text !== "" ? { caption: input.text } : {}),
    privacyRules: [privacyRule(input.privacy)],
    randomId,
    period: storyPeriodSeconds,
  });
  return { statusId: storyIdOf(await send(call, request), randomId) };
}

interface StoryCall {
  readonly session: TelegramSession;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
}

/** 6, 12 and 48 hours are for paying accounts. */
const storyPeriodSeconds = 86_400;
const imageMaxBytes = 20 * 1024 * 1024;
const thumbnailMaxBytes = 5 * 1024 * 1024;
const videoMaxBytes = 100 * 1024 * 1024;
const thumbnailSide = 320;

async function send({ client, signal, leftMs }: StoryCall, request: Api.stories.SendStory): Promise<Api.TypeUpdates> {
  // Nothing was sent yet, so the caller may try again.
  if (!client.alive) throw sessionNotConnected();
  try {
    return await client.invoke(request, { signal, deadlineMs: leftMs(), repeatable: false });
  } catch (error) {
    if (error instanceof CallTimeout) throw sendTimeout();
    // It may have been posted: "not connected" would invite the caller to post it again.
    if (error instanceof ConnectionLost) throw internal(error);
    throw error;
  }
}

async function buildMedia(call: StoryCall, input: StatusInput): Promise<Api.TypeInputMedia> {
  const { images } = call.session.services;
  switch (input.type) {
    case "text":
      return photo(call, await drawn(images.textCard(input.text, call.signal)));
    case "image":
      return fetched(call, input.image.url, imageMaxBytes, async (file) => photo(call, (await drawn(images.scaleImage(file.path, call.signal))).bytes));
    case "video":
      return fetched(call, input.video.url, videoMaxBytes, (file) => video(call, input.video, file));
    default:
      return input satisfies never;
  }
}

async function photo(call: StoryCall, jpeg: Buffer): Promise<Api.InputMediaUploadedPhoto> {
  return new Api.InputMediaUploadedPhoto({ file: await uploadFile(call.client, bytesSource(jpeg), "story.jpg", call.signal, call.leftMs()) });
}

/** Posted as is; the platform wants a picture and the size beside it. */
async function video(call: StoryCall, { url, mimetype, duration, thumbnail = "" }: StoryVideo, file: DownloadedFile): Promise<Api.InputMediaUploadedDocument> {
  const { images, videos } = call.session.services;
  const given =
    thumbnail === "" ? undefined : await fetched(call, thumbnail, thumbnailMaxBytes, async (picture) => (await drawn(images.thumbnail(picture.path, thumbnailSide, call.signal))).bytes);
  const frame = await videos.read(file.path, call.signal).catch((error: unknown) => {
    // With a thumbnail of its own the story needs nothing from inside the video.
    if (given !== undefined && error instanceof ImageError) return { jpeg: given, ...storyCanvas };
    throw error instanceof ImageError ? compressImage(error.detail, error) : error;
  });
  const thumb = await uploadFile(call.client, bytesSource(given ?? frame.jpeg), "thumbnail.jpg", call.signal, call.leftMs());
  const uploaded = await uploadFile(call.client, file, fileName(url), call.signal, call.leftMs());
  return new Api.InputMediaUploadedDocument({
    file: uploaded,
    thumb,
    mimeType: mimetype,
    attributes: [new Api.DocumentAttributeVideo({ duration, w: frame.width, h: frame.height, supportsStreaming: true }), new Api.DocumentAttributeFilename({ fileName: fileName(url) })],
  });
}

/** Runs with a downloaded file and removes the file in any case. */
async function fetched<T>({ session, signal }: StoryCall, url: string, maxBytes: number, use: (file: DownloadedFile) => Promise<T>): Promise<T> {
  const file = await session.services.downloads.download(url, { key: session.id, maxBytes, signal }).catch((error: unknown) => {
    throw error instanceof DownloadError ? fileFromUrl(error.detail, error) : error;
  });
  try {
    return await use(file);
  } finally {
    await file.dispose();
  }
}

function drawn<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ImageError ? compressImage(error.detail, error) : error;
  });
}

/** Last part of the path, in letters that any system accepts. */
function fileName(url: string): string {
  const last = new URL(url).pathname.split("/").pop() ?? "";
  return last.replace(/[^\w.-]/g, "_").slice(-64) || "video.mp4";
}

function privacyRule(privacy: StoryPrivacy): Api.TypeInputPrivacyRule {
  switch (privacy) {
    case "contacts":
      return new Api.InputPrivacyValueAllowContacts();
    case "everyone":
      return new Api.InputPrivacyValueAllowAll();
    case "close_friends":
      return new Api.InputPrivacyValueAllowCloseFriends();
    default:
      return privacy satisfies never;
  }
}

/** Empty when the platform does not name it although the story was posted. */
function storyIdOf(answer: Api.TypeUpdates, randomId: BigInteger): string {
  const updates = answer instanceof Api.Updates || answer instanceof Api.UpdatesCombined ? answer.updates : answer instanceof Api.UpdateShort ? [answer.update] : [];
  const own = updates.find((update): update is Api.UpdateStoryID => update instanceof Api.UpdateStoryID && update.randomId?.equals(randomId) === true);
  if (own !== undefined) return String(own.id);
  const story = updates.find((update): update is Api.UpdateStory => update instanceof Api.UpdateStory);
  return story === undefined ? "" : String(story.story.id);
}
