import { ApiError } from "../api-error.js";

export * from "../errors.js";

/** One function per sentence that only variant A has, or has with another status, in the order of its "Errors" table. */

// 400
export const invalidRecipient = (): ApiError => new ApiError(400, "invalid phone, group or newsletter");
export const invalidTypingRecipient = (): ApiError => new ApiError(400, "invalid phone or group");
/** The document asks for an address with a group domain suffix; what such an id must look like is ours. */
export const invalidGroupId = (): ApiError => new ApiError(400, "groupId must be a group id that ends in @g.us");
/** Where a pairing code is asked for. */
export const invalidPhone = (): ApiError => new ApiError(400, "invalid phone");

/** Ours: why a credential is no answer to the challenge. */
export const invalidPasskey = (sentence: string): ApiError => new ApiError(400, sentence);

// 409, ours
export const noPasskeyAsked = (): ApiError => new ApiError(409, "no passkey requested");
export const noPasskeyCode = (): ApiError => new ApiError(409, "no code to confirm");

// 500
export const channelNotFound = (cause?: unknown): ApiError => new ApiError(500, "channel not found", { cause });
/** The document does not show it; as for channels. */
export const groupNotFound = (cause?: unknown): ApiError => new ApiError(500, "group not found", { cause });
/** What the platform's refusal says, as is: `<code>: <its own word> (<what that means>)`. */
export const platformError = (text: string, cause?: unknown): ApiError => new ApiError(500, text, { cause });
/** The platform did not say why. */
export const channelsNotListed = (cause?: unknown): ApiError => new ApiError(500, "channels could not be listed", { cause });
export const contactsNotSynced = (): ApiError =>
  new ApiError(500, 'contacts not synced, reconnect the session or set status privacy to "only share with"');
export const noStatusContacts = (): ApiError => new ApiError(500, 'status privacy "only share with" has no contacts');
