import * as errors from "../../../shared/contract/whatsapp/errors.js";
import type * as shared from "../../../shared/contract/errors.js";
import type { Catalog } from "../errors/error-text.js";

/** Errors of variant A only, or with another status than in variant B. */
export const whatsappErrors = {
  invalidRecipient: {
    error: errors.invalidRecipient(),
    when: "The body has none of the four recipient fields, or the recipient is malformed.",
  },
  invalidTypingRecipient: {
    error: errors.invalidTypingRecipient(),
    when: "The body has none of the three recipient fields, or the recipient is malformed.",
  },
  invalidPerson: {
    error: errors.invalidPerson(),
    when: "The request has neither `phone` nor `user`, or the one that counts is malformed.",
  },
  invalidChannel: { error: errors.invalidChannel(), when: "`channel` is neither the id nor the link of a channel." },
  invalidGroupId: { error: errors.invalidGroupId(), when: "`groupId` is malformed." },
  invalidAuthor: { error: errors.invalidAuthor(), when: "`author` is malformed." },
  missingAuthor: {
    error: errors.missingAuthor(),
    when: "The message is in a group, `author` is empty, and the session did not send the message within the last 24 hours.",
  },
  foreignMessage: { error: errors.foreignMessage(), when: "`author` is another person, and the chat is private." },
  invalidGroup: { error: errors.invalidGroup(), when: "`group` is malformed." },
  invalidEphemeral: { error: errors.invalidEphemeral(), when: "`settings.ephemeral` is a time that the platform does not have." },
  invalidPhone: { error: errors.invalidPhone(), when: "`phone` does not have 8 to 15 digits, or starts with 0." },
  invalidPasskey: {
    error: errors.invalidPasskey("credential: it was made for a different challenge"),
    when: "The credential does not fit the challenge. The message contains the reason. The gateway sent nothing, and you can try again.",
  },
  notForwardable: {
    error: errors.notForwardable(),
    when: "The message is too long for its `ref`, or is of a type that cannot be forwarded, such as a poll.",
  },
  notForChannel: { error: errors.notForChannel(), when: "The recipient is a channel." },
  noFileForChannel: { error: errors.noFileForChannel(), when: "The recipient is a channel, and the message has a file." },
  invalidChatId: { error: errors.invalidChatId(), when: "`chat` is malformed." },
  historyIsOff: { error: errors.historyIsOff(), when: "The operator has set `HISTORY_MESSAGES` to 0." },
  noPasskeyAsked: { error: errors.noPasskeyAsked(), when: "No challenge is open, or a credential was already accepted." },
  noPasskeyCode: { error: errors.noPasskeyCode(), when: "No code needs to be confirmed." },
  channelNotFound: { error: errors.channelNotFound(), when: "The account cannot see the channel." },
  groupNotFound: { error: errors.groupNotFound(), when: "The account is not in the group." },
  messageNotFound: { error: errors.messageNotFound(), when: "The channel has no such message." },
  editTooLate: {
    error: errors.editTooLate(),
    when: "The session sent the message more than 15 minutes ago, so the phones of the chat would ignore the edit.",
  },
  notEditable: {
    error: errors.notEditable(),
    when: "The session sent the message, which is neither a text nor an image, a video or a document.",
  },
  platformError: {
    error: errors.platformError("403: the account may not do this here"),
    when: "The platform rejected the request. The message contains its code, its text if it has one, and an explanation.",
  },
  channelsNotListed: { error: errors.channelsNotListed(), when: "The platform rejected the request without a reason." },
  contactsNotSynced: {
    error: errors.contactsNotSynced(),
    when: "The account's privacy setting needs the address book, which is not synced yet.",
  },
  contactsNotRead: {
    error: errors.contactsNotRead(),
    when: "The phone has not sent its address book, or it cannot be read.",
  },
  askedToWait: {
    error: errors.askedToWait(12),
    when: "The media host limits the account's requests. Wait for `Retry-After` seconds.",
  },
  mediaTimeout: {
    error: errors.mediaTimeout(),
    when: "The media host did not respond within 30 seconds, or the phone did not upload the file again within that time.",
  },
  settingsNotSynced: {
    error: errors.settingsNotSynced(),
    when: "`name` is set, and the account's phone has not shared its settings with this device yet.",
  },
  noStatusContacts: { error: errors.noStatusContacts(), when: "The account's privacy setting allows no contacts." },
} satisfies Catalog<Omit<typeof errors, keyof typeof shared>>;
