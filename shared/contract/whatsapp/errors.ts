import { ApiError } from "../api-error.js";

/** Sentences of variant A that variant B does not have, or has with another status; the others stand in `telegram/errors.ts`. */
export const invalidRecipient = (): ApiError => new ApiError(400, "invalid phone, group or newsletter");
export const invalidTypingRecipient = (): ApiError => new ApiError(400, "invalid phone or group");
export const channelNotFound = (cause?: unknown): ApiError => new ApiError(500, "channel not found", { cause });
export const contactsNotSynced = (): ApiError =>
  new ApiError(500, 'contacts not synced, reconnect the session or set status privacy to "only share with"');
export const noStatusContacts = (): ApiError => new ApiError(500, 'status privacy "only share with" has no contacts');
