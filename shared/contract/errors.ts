import { ApiError } from "./api-error.js";
import { idempotencyKeyMaxBytes } from "../limits.js";
import { membersPerCallMax } from "./group-change.js";
import { mustBeOneOf, shouldNotBeEmpty } from "./rules.js";

/**
 * One function for each error that both documents share, or that this gateway adds on both platforms. Each platform's `errors.ts` exports
 * them as well.
 */

// 400
export const invalidHeader = (): ApiError => new ApiError(400, "invalid header");
/** `types` are in the document's order. */
export const unknownType = (types: readonly string[]): ApiError => new ApiError(400, mustBeOneOf("type", types));
export const textIsEmpty = (): ApiError => new ApiError(400, shouldNotBeEmpty("text"));
export const invalidContactPhone = (): ApiError => new ApiError(400, "contact.phone must be a number in international format");
export const oneOfUrlAndToken = (): ApiError =>
  new ApiError(400, "url and token must be both filled, or both empty to turn the webhook off");
export const invalidWebhookUrl = (): ApiError => new ApiError(400, "url must be an http or https url");
/** Not in the documents: the token cannot be sent as a header. */
export const invalidWebhookToken = (): ApiError => new ApiError(400, "token must be printable ascii without spaces around it");
/** Not in the documents, like the field itself. */
export const invalidEvents = (types: readonly string[]): ApiError => new ApiError(400, mustBeOneOf("each value in events", types));
/** Not in the documents. Covers metadata, link-local and reserved addresses, and this deployment's own servers. */
export const invalidPlatformId = (): ApiError => new ApiError(400, "platformId must be a database id");
export const refusedWebhookUrl = (): ApiError => new ApiError(400, "url must not point to an address that webhooks cannot use");

/** Not in the documents, like the fields and calls themselves. */
export const invalidMention = (): ApiError => new ApiError(400, "each value in mentions must be a user");
export const tooManyMentions = (): ApiError => new ApiError(400, "mentions must have at most 1024 elements");
export const notVoice = (): ApiError => new ApiError(400, "audio must be an ogg file with opus");
export const invalidOptionCount = (): ApiError => new ApiError(400, "options must have 2 to 12 elements");
export const invalidOption = (): ApiError => new ApiError(400, "each value in options must be a different text of 1 to 100 characters");
export const invalidMultiple = (): ApiError => new ApiError(400, "multiple must be true or false");
export const invalidItemCount = (): ApiError => new ApiError(400, "items must have 2 to 10 elements");
export const invalidItem = (): ApiError => new ApiError(400, "each value in items must have either image or video");
/** The request changes nothing. `fields` are in the order of the form. */
export const nothingToChange = (fields: readonly string[]): ApiError => new ApiError(400, shouldNotBeEmpty(`one of ${fields.join(", ")}`));
export const invalidPictureUrl = (): ApiError => new ApiError(400, "picture must be an http or https url");
export const invalidMemberCount = (): ApiError => new ApiError(400, `members must have 1 to ${membersPerCallMax} elements`);
export const invalidInviteLink = (): ApiError => new ApiError(400, "link must be an invite link or its code");
export const invalidReply = (): ApiError => new ApiError(400, "replyTo must be the id or the ref of a message");
export const invalidRef = (): ApiError => new ApiError(400, "ref is not valid");
export const invalidPhoneCount = (): ApiError => new ApiError(400, "phone must be 1 to 50 numbers");
export const invalidAfter = (): ApiError => new ApiError(400, "after is not valid");

/** Not in the documents, like the header itself. */
export const invalidIdempotencyKey = (): ApiError =>
  new ApiError(400, `idempotency-key must be 1 to ${idempotencyKeyMaxBytes} printable ascii characters`);
export const repeatedIdempotencyKey = (): ApiError => new ApiError(400, "idempotency-key must be given only once");

// 404
export const sessionNotFound = (): ApiError => new ApiError(404, "session not found");
export const mediaNotFound = (cause?: unknown): ApiError => new ApiError(404, "media not found", { cause });

// Only in the operators' API.
export const memberNotFound = (): ApiError => new ApiError(404, "member not found");
export const slotNotFound = (): ApiError => new ApiError(404, "slot not found");
export const memberIsNoShard = (): ApiError => new ApiError(400, "member must be a shard");
export const lastActiveMember = (): ApiError => new ApiError(409, "member is the last active shard and cannot be drained");
export const memberTakesNoSlots = (): ApiError => new ApiError(409, "member is drained or offline");
/** `members` are the processes that could not decrypt with the key. */
export const keyIsMissing = (key: string, members: readonly string[]): ApiError =>
  new ApiError(409, `key ${key} is missing in CRED_KEYS of ${members.join(", ")}`);
export const sessionNotDeleted = (): ApiError => new ApiError(409, "session is not deleted");
export const webhookIsFull = (): ApiError => new ApiError(409, "too many events wait for the webhook");
export const webhookIsOff = (): ApiError => new ApiError(409, "webhook is off");

// 416
export const rangeNotSatisfiable = (): ApiError => new ApiError(416, "range not satisfiable");

// 422
export const idempotencyKeyReused = (): ApiError => new ApiError(422, "idempotency key was used for another request");

// 500
export const sessionNotConnected = (cause?: unknown): ApiError => new ApiError(500, "session not connected", { cause });
/** The session is stored, but not active on its server yet. */
export const sessionNotActive = (): ApiError => new ApiError(500, "session not found");
export const fileFromUrl = (detail: string, cause?: unknown): ApiError =>
  new ApiError(500, `error parser file from url ${detail}`, { cause });
export const sendTimeout = (): ApiError => new ApiError(500, "send timeout after 240s");
export const compressImage = (detail: string, cause?: unknown): ApiError => new ApiError(500, `error compress image: ${detail}`, { cause });
export const internal = (cause?: unknown): ApiError => new ApiError(500, "internal server error", { cause });
/** For a command that may have taken effect and must not run twice. */
export const outcomeUnknown = (): ApiError => internal(new Error("outcome unknown"));

// Not in the documents, which have no rate limits.
export const tooManyRequests = (waitMs = 1_000): ApiError =>
  new ApiError(429, "too many requests", { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
/** The platform restricted the account. `waitMs`: milliseconds until that ends, as far as it is known. */
export const accountRestricted = (waitMs: number): ApiError =>
  new ApiError(429, "account is restricted: only people who have written to it can get messages", {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
/** `waitMs`: milliseconds until the oldest key expires. */
export const tooManyIdempotencyKeys = (waitMs: number): ApiError =>
  new ApiError(429, "too many idempotency keys", { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
export const serverBusy = (cause?: unknown): ApiError => new ApiError(503, "server busy", { retryAfterSeconds: 1, cause });
/** Redis does not respond, or has lost data. The command has not run. */
export const storageUnavailable = (cause?: unknown): ApiError => new ApiError(503, "storage unavailable", { retryAfterSeconds: 1, cause });
