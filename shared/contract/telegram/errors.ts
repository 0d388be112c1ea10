import { ApiError } from "../api-error.js";
import { storyPrivacies, storyTypes } from "./status.js";

/** One function per sentence of variant B, in the order of its "Errors" tables. */

// 400
export const invalidHeader = (): ApiError => new ApiError(400, "invalid header");
export const invalidChat = (): ApiError => new ApiError(400, "invalid chat");
export const chatNotFound = (cause?: unknown): ApiError => new ApiError(400, "chat not found", { cause });
export const channelNotFound = (cause?: unknown): ApiError => new ApiError(400, "channel not found", { cause });
export const groupNotFound = (cause?: unknown): ApiError => new ApiError(400, "group not found", { cause });
export const passwordNotRequired = (): ApiError => new ApiError(400, "password is not required");
export const invalidPassword = (): ApiError => new ApiError(400, "invalid password");
export const unknownType = (): ApiError => new ApiError(400, `type must be one of the following values: ${storyTypes.join(", ")}`);
export const unknownPrivacy = (): ApiError => new ApiError(400, `privacy must be one of the following values: ${storyPrivacies.join(", ")}`);
export const invalidPlatformId = (): ApiError => new ApiError(400, "platformId must be a database id");
/** Sentences of the validator, joined by a newline as in both documents. */
export const invalidInput = (sentences: readonly string[]): ApiError => new ApiError(400, sentences.join("\n"));

// 404
export const sessionNotFound = (): ApiError => new ApiError(404, "session not found");
export const mediaNotFound = (cause?: unknown): ApiError => new ApiError(404, "media not found", { cause });

// 416
export const rangeNotSatisfiable = (): ApiError => new ApiError(416, "range not satisfiable");

// 500
export const sessionNotConnected = (cause?: unknown): ApiError => new ApiError(500, "session not connected", { cause });
/** Stored, but not yet active on the server. */
export const sessionNotActive = (): ApiError => new ApiError(500, "session not found");
export const fileFromUrl = (detail: string, cause?: unknown): ApiError => new ApiError(500, `error parser file from url ${detail}`, { cause });
export const sendTimeout = (): ApiError => new ApiError(500, "send timeout after 240s");
export const compressImage = (detail: string, cause?: unknown): ApiError => new ApiError(500, `error compress image: ${detail}`, { cause });
/** An error of the platform as is: `<code>: <ERROR_NAME> (caused by <request>)`. */
export const platformError = (text: string, cause?: unknown): ApiError => new ApiError(500, text, { cause });
export const internal = (cause?: unknown): ApiError => new ApiError(500, "internal server error", { cause });

// 503, media endpoint only
export const askedToWait = (seconds: number): ApiError =>
  new ApiError(503, `telegram asked to wait ${seconds}s`, { retryAfterSeconds: seconds });
export const mediaTimeout = (): ApiError => new ApiError(503, "telegram did not answer the media request in time", { retryAfterSeconds: 5 });

// Ours: the documents do not show rate limits (reliability sheet 2.11).
export const serverBusy = (cause?: unknown): ApiError => new ApiError(503, "server busy", { retryAfterSeconds: 1, cause });
