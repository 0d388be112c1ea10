import { ApiError } from "../api-error.js";

export * from "../errors.js";

/** One function for each error that only variant B has, in the order of its "Errors" tables. */

// 400
export const invalidRecipient = (): ApiError => new ApiError(400, "invalid phone, username, user, group or channel");
export const invalidTypingRecipient = (): ApiError => new ApiError(400, "invalid phone, username, user or group");
/** Not in the document, like the calls themselves. */
export const invalidPerson = (): ApiError => new ApiError(400, "invalid phone, username or user");
/** For a phone number with fewer than 8 digits after `tidyPhone`. */
export const invalidReceiver = (): ApiError => new ApiError(400, "invalid receiver");
export const invalidChat = (): ApiError => new ApiError(400, "invalid chat");
export const chatNotFound = (cause?: unknown): ApiError => new ApiError(400, "chat not found", { cause });
export const phoneNotFound = (): ApiError => new ApiError(400, "phone is not on telegram or hidden by its privacy settings");
export const channelNotFound = (cause?: unknown): ApiError => new ApiError(400, "channel not found", { cause });
/** Not in the document: the current id of an upgraded group. */
export const groupNotFound = (cause?: unknown, upgradedTo?: string): ApiError =>
  new ApiError(400, upgradedTo === undefined ? "group not found" : `group not found, it was upgraded to ${upgradedTo}`, { cause });
/** Not in the document; the same as for chats. */
export const messageNotFound = (cause?: unknown): ApiError => new ApiError(400, "message not found", { cause });
/** Not in the document, like the calls that change groups. */
export const needsSupergroup = (): ApiError => new ApiError(400, "settings.approval needs a supergroup");
export const passwordNotRequired = (): ApiError => new ApiError(400, "password is not required");
export const invalidPassword = (): ApiError => new ApiError(400, "invalid password");
/** Not in the document: a text story is drawn as a picture, and no installed font has these characters. */
export const undrawable = (characters: readonly string[]): ApiError =>
  new ApiError(400, `text has characters that cannot be drawn: ${listed(characters)}`);

// 409
/** Not in the document: the shards have no Telegram application, so no login can begin. */
export const platformIsOff = (): ApiError => new ApiError(409, "telegram is off: the gateway has no telegram application");

// 500
/** An error of the platform, unchanged: `<code>: <ERROR_NAME> (caused by <request>)`. */
export const platformError = (text: string, cause?: unknown): ApiError => new ApiError(500, text, { cause });
/** Not in the document, but in the platform's format: the session has used up its password tries of this hour. */
export const passwordWait = (seconds: number): ApiError => new ApiError(500, `A wait of ${seconds} seconds is required`);

// 503, media endpoint only
export const askedToWait = (seconds: number): ApiError =>
  new ApiError(503, `telegram asked to wait ${seconds}s`, { retryAfterSeconds: seconds });
export const mediaTimeout = (): ApiError =>
  new ApiError(503, "telegram did not answer the media request in time", { retryAfterSeconds: 5 });

const listedMax = 10;

/** Returns each character with its code point, because the reader's fonts may not show it either. */
function listed(characters: readonly string[]): string {
  const names = characters
    .slice(0, listedMax)
    .map((character) => `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`);
  return [...names, ...(characters.length > listedMax ? [`and ${characters.length - listedMax} more`] : [])].join(", ");
}
