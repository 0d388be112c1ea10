import { ApiError } from "../api-error.js";

export * from "../errors.js";

/** One function for each error that only variant A has, or has with another status, in the order of its "Errors" table. */

// 400
export const invalidRecipient = (): ApiError => new ApiError(400, "invalid phone, group or newsletter");
export const invalidTypingRecipient = (): ApiError => new ApiError(400, "invalid phone or group");
/** Not in the document, like the calls themselves. */
export const invalidPerson = (): ApiError => new ApiError(400, "invalid phone or user");
export const invalidChannel = (): ApiError =>
  new ApiError(400, "channel must be a channel id that ends in @newsletter, or the link of a channel");
/** The document requires a group domain suffix. The exact form of the id is this gateway's rule. */
export const invalidGroupId = (): ApiError => new ApiError(400, "groupId must be a group id that ends in @g.us");
/** Not in the document, like the calls that name a message's author. */
export const invalidAuthor = (): ApiError => new ApiError(400, "author must be the id of a person");
export const missingAuthor = (): ApiError =>
  new ApiError(400, "author should not be empty in a group, unless this session sent the message");
export const foreignMessage = (): ApiError => new ApiError(400, "only its author can delete a message of a private chat");
/** Not in the document, like the calls that change groups. */
export const invalidGroup = (): ApiError => new ApiError(400, "group must be a group id that ends in @g.us");
export const invalidEphemeral = (): ApiError =>
  new ApiError(400, "settings.ephemeral must be one of the following values: 0, 86400, 604800, 7776000");
/** For a request of a pairing code. */
export const invalidPhone = (): ApiError => new ApiError(400, "invalid phone");

/** Not in the document: the reason why a credential does not match the challenge. */
export const invalidPasskey = (sentence: string): ApiError => new ApiError(400, sentence);

/** Not in the document: the message is too long for its ref, or of a kind that cannot be sent again. */
export const notForwardable = (): ApiError => new ApiError(400, "ref does not hold the whole message");
/** Not in the document: files of channels are not encrypted, so a chat's file would have to be uploaded again. */
export const noFileForChannel = (): ApiError => new ApiError(400, "a file cannot be forwarded to a channel");
/** Not in the document, like the calls themselves. */
export const notForChannel = (): ApiError => new ApiError(400, "channels take no voice messages, stickers, polls or albums");

/** Not in the document, like the calls that list chats. */
export const invalidChatId = (): ApiError => new ApiError(400, "chat must be the id of a person, group or channel");

// 409, not in the document
/** WhatsApp keeps no history on its servers, and this deployment keeps none either. */
export const historyIsOff = (): ApiError => new ApiError(409, "history is off: the gateway keeps no messages");
export const noPasskeyAsked = (): ApiError => new ApiError(409, "no passkey requested");
export const noPasskeyCode = (): ApiError => new ApiError(409, "no code to confirm");

// 500
export const channelNotFound = (cause?: unknown): ApiError => new ApiError(500, "channel not found", { cause });
/** Not in the document; the same as for channels. */
export const groupNotFound = (cause?: unknown): ApiError => new ApiError(500, "group not found", { cause });
/** Not in the document; the same as for channels. */
export const messageNotFound = (cause?: unknown): ApiError => new ApiError(500, "message not found", { cause });
/** Not in the document. The platform's server accepts a later edit, and phones ignore it. */
export const editTooLate = (): ApiError => new ApiError(500, "message can only be edited for 15 minutes");
/** Not in the document. The platform's server accepts the edit, and phones ignore it. */
export const notEditable = (): ApiError => new ApiError(500, "only texts and captions can be edited");
/** The platform's refusal, unchanged: `<code>: <its own word> (<what that means>)`. */
export const platformError = (text: string, cause?: unknown): ApiError => new ApiError(500, text, { cause });
/** The platform did not give a reason. */
export const channelsNotListed = (cause?: unknown): ApiError => new ApiError(500, "channels could not be listed", { cause });
export const contactsNotSynced = (): ApiError =>
  new ApiError(500, 'contacts not synced, reconnect the session or set status privacy to "only share with"');
/** For GET /contact. The sentence above is about statuses. */
export const contactsNotRead = (): ApiError => new ApiError(500, "contacts not synced, reconnect the session");
/** Not in the document: the phone has not shared the keys that a new name is encrypted with. */
export const settingsNotSynced = (): ApiError => new ApiError(500, "settings not synced, open whatsapp on the phone and try again");
export const noStatusContacts = (): ApiError => new ApiError(500, 'status privacy "only share with" has no contacts');

// 503, media endpoint only
export const askedToWait = (seconds: number): ApiError =>
  new ApiError(503, `whatsapp asked to wait ${seconds}s`, { retryAfterSeconds: seconds });
export const mediaTimeout = (cause?: unknown): ApiError =>
  new ApiError(503, "whatsapp did not answer the media request in time", { retryAfterSeconds: 5, cause });
