import * as errors from "../../../shared/contract/telegram/errors.js";
import type * as shared from "../../../shared/contract/errors.js";
import type { Catalog } from "../errors/error-text.js";

/** Errors of variant B only, or with another status than in variant A. */
export const telegramErrors = {
  invalidRecipient: { error: errors.invalidRecipient(), when: "The body has none of the five recipient fields." },
  invalidTypingRecipient: { error: errors.invalidTypingRecipient(), when: "The body has none of the four recipient fields." },
  invalidPerson: { error: errors.invalidPerson(), when: "The request has none of `phone`, `username` and `user`." },
  invalidReceiver: { error: errors.invalidReceiver(), when: "`phone` has fewer than 8 digits." },
  invalidChat: { error: errors.invalidChat(), when: "The id or username is malformed." },
  chatNotFound: { error: errors.chatNotFound(), when: "The username does not exist, or the account has not met the id yet." },
  phoneNotFound: { error: errors.phoneNotFound(), when: "The number has no account, or its owner does not allow lookups by number." },
  channelNotFound: { error: errors.channelNotFound(), when: "The chat is not a channel, or the account has not joined it." },
  groupNotFound: {
    error: errors.groupNotFound(),
    when: "The chat is not a group, or the account has not joined it. For the old id of an upgraded group, the message ends with `, it was upgraded to <new id>`.",
  },
  messageNotFound: { error: errors.messageNotFound(), when: "The chat has no such message." },
  needsSupergroup: { error: errors.needsSupergroup(), when: "`settings.approval` is present, and the group is a basic group." },
  passwordNotRequired: { error: errors.passwordNotRequired(), when: "The session is not waiting for a password." },
  invalidPassword: { error: errors.invalidPassword(), when: "The two-step password is wrong." },
  undrawable: {
    error: errors.undrawable(["𒀀"]),
    when: "The text has characters that no font of the gateway can draw. The message lists them.",
  },
  platformIsOff: { error: errors.platformIsOff(), when: "The gateway runs without Telegram." },
  platformError: {
    error: errors.platformError("400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)"),
    when: "The platform rejected the request. The message contains its error.",
  },
  passwordWait: { error: errors.passwordWait(1_800), when: "Five attempts within an hour had a wrong password." },
  askedToWait: {
    error: errors.askedToWait(12),
    when: "The platform limits the account's media requests. Wait for `Retry-After` seconds.",
  },
  mediaTimeout: { error: errors.mediaTimeout(), when: "The platform did not respond within 30 seconds." },
} satisfies Catalog<Omit<typeof errors, keyof typeof shared>>;

/** Errors of calls that name a chat, and of calls that name a person. */
export const ofChat = [telegramErrors.invalidChat, telegramErrors.chatNotFound, telegramErrors.platformError];
export const ofPerson = [telegramErrors.invalidReceiver, telegramErrors.phoneNotFound, ...ofChat];
