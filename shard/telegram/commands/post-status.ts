import { Api } from "telegram";
import type { BigInteger } from "big-integer";
import type { CommandCall } from "../../session/command.js";
import { compressImage, internal, sendTimeout, sessionNotConnected, undrawable } from "../../../shared/contract/telegram/errors.js";
import type { StatusInput, StatusOutput, StoryPrivacy, StoryVideo } from "../../../shared/contract/telegram/status.js";
import { sendTimeoutMs, storyCanvas } from "../../../shared/limits.js";
import { notifyWhenSlow } from "../../flow/notify-when-slow.js";
import { checkFile } from "../../files/download/check-file.js";
import { ImageError } from "../../files/media/image-error.js";
import { errorName } from "../errors.js";
import { isPartMissing } from "../media/upload.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import type { DownloadedFile } from "../../files/media/ports.js";
import type { TelegramConnector } from "../connector.js";
import {
  renderRequestOf,
  drawn,
  fetched,
  requirePhotoShape,
  thumbnailSide,
  type Transfer,
  uploaded,
  uploadedVideo,
} from "../media/transfer.js";
import { randomIdOf } from "../message/random-id.js";

/**
 * POST /status: posts a story. Never repeats a request without a reply, because the story may be posted. Repeats a request that failed
 * with a fault of the platform, or for a missing file part, under the same random id.
 */
export async function postStatus(
  connector: TelegramConnector,
  input: StatusInput,
  { id, signal, yieldLane }: CommandCall,
): Promise<StatusOutput> {
  const client = connector.connected();
  const deadlineAt = performance.now() + sendTimeoutMs;
  const call: Transfer = { connector, client, signal, leftMs: () => Math.max(1, deadlineAt - performance.now()) };
  const randomId = randomIdOf(connector.id, id);
  for (let attempt = 1; ; attempt++) {
    const media = await notifyWhenSlow(buildMedia(call, input), yieldLane, connector.services.timing.composeMs);
    const request = new Api.stories.SendStory({
      peer: new Api.InputPeerSelf(),
      media,
      // The text of a text story is in its picture.
      ...(input.type !== "text" && input.text !== "" ? { caption: input.text } : {}),
      privacyRules: [privacyRule(input.privacy)],
      randomId,
      period: storyPeriodSeconds,
    });
    try {
      return { statusId: storyIdOf(await send(call, request), randomId) };
    } catch (error) {
      // The platform recognized a repeat: the story is posted, but its id is not in the reply.
      if (errorName(error) === "RANDOM_ID_DUPLICATE") return { statusId: "" };
      if (!isPartMissing(error) || attempt === uploadsMax) throw error;
    }
  }
}

const uploadsMax = 3;

/** 6, 12 and 48 hours are only for paying accounts. */
const storyPeriodSeconds = 86_400;

async function send({ client, signal, leftMs }: Transfer, request: Api.stories.SendStory): Promise<Api.TypeUpdates> {
  // Nothing was sent yet, so the caller may retry.
  if (!client.alive) throw sessionNotConnected();
  try {
    return await client.invoke(request, { signal, deadlineMs: leftMs() });
  } catch (error) {
    if (error instanceof CallTimeout) throw sendTimeout();
    // The story may have been posted: "not connected" would invite the caller to post it again.
    if (error instanceof ConnectionLost) throw internal(error);
    throw error;
  }
}

async function buildMedia(transfer: Transfer, input: StatusInput): Promise<Api.TypeInputMedia> {
  const { images } = transfer.connector.services;
  const request = renderRequestOf(transfer);
  switch (input.type) {
    case "text": {
      const missing = images.undrawable(input.text);
      if (missing.length > 0) throw undrawable(missing);
      return photo(transfer, await drawn(images.textCard(input.text, request)));
    }
    case "image":
      return fetched(transfer, input.image.url, "image", async (file) => {
        const { found } = await checkFile("image", input.image, file, compressImage);
        const { bytes, original } = await drawn(images.scaleImage(file.path, request), found);
        requirePhotoShape(original);
        return photo(transfer, bytes);
      });
    case "video":
      return fetched(transfer, input.video.url, "media", (file) => video(transfer, input.video, file));
    default:
      return input satisfies never;
  }
}

async function photo(transfer: Transfer, jpeg: Buffer): Promise<Api.InputMediaUploadedPhoto> {
  return new Api.InputMediaUploadedPhoto({ file: await uploaded(transfer, jpeg, "story.jpg") });
}

/** Posts the video unchanged. The platform requires a picture and the size beside it. */
async function video(transfer: Transfer, story: StoryVideo, file: DownloadedFile): Promise<Api.InputMediaUploadedDocument> {
  const { images, videos } = transfer.connector.services;
  const request = renderRequestOf(transfer);
  const { mimetype, found } = await checkFile("video", story, file, compressImage);
  const given = story.thumbnail
    ? await fetched(
        transfer,
        story.thumbnail,
        "thumbnail",
        async (picture) => (await drawn(images.thumbnail(picture.path, thumbnailSide, request))).bytes,
      )
    : undefined;
  const frame = await videos.read(file.path, request).catch((error: unknown) => {
    // With the caller's thumbnail the story needs nothing from the video, provided that it is a video.
    if (given !== undefined && error instanceof ImageError && error.detail !== "unsupported video format")
      return { jpeg: given, ...storyCanvas };
    throw error instanceof ImageError ? compressImage(error.sentence(found), error) : error;
  });
  return uploadedVideo(transfer, { ...story, mimetype }, file, given ?? frame.jpeg, frame);
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

/** Returns an empty id when the platform does not name the posted story. */
function storyIdOf(response: Api.TypeUpdates, randomId: BigInteger): string {
  const updates =
    response instanceof Api.Updates || response instanceof Api.UpdatesCombined
      ? response.updates
      : response instanceof Api.UpdateShort
        ? [response.update]
        : [];
  const own = updates.find(
    (update): update is Api.UpdateStoryID => update instanceof Api.UpdateStoryID && update.randomId?.equals(randomId) === true,
  );
  if (own !== undefined) return String(own.id);
  const story = updates.find((update): update is Api.UpdateStory => update instanceof Api.UpdateStory);
  return story === undefined ? "" : String(story.story.id);
}
