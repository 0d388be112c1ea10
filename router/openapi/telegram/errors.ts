import * as errors from "../../../shared/contract/telegram/errors.js";
import type * as shared from "../../../shared/contract/errors.js";
import type { Catalog } from "../errors/error-text.js";

/** Sentences of variant B alone, or with another status than in variant A. */
export const telegramErrors = {
  invalidRecipient: { error: errors.invalidRecipient(), when: "None of the five is there." },
  invalidTypingRecipient: { error: errors.invalidTypingRecipient(), when: "None of the four is there." },
  invalidReceiver: { error: errors.invalidReceiver(), when: "`phone` has fewer than 8 digits after tidying." },
  invalidChat: { error: errors.invalidChat(), when: "The id or username has another form." },
  chatNotFound: { error: errors.chatNotFound(), when: "Nobody has the username, or the account does not know the id yet." },
  phoneNotFound: { error: errors.phoneNotFound(), when: "The number has no account, or its owner hides from lookups of numbers." },
  channelNotFound: { error: errors.channelNotFound(), when: "It is no channel, or one that the account has not joined." },
  groupNotFound: {
    error: errors.groupNotFound(),
    when: "It is no group, or one that the account has not joined. For the old id of an upgraded group the sentence goes on with `, it was upgraded to <new id>`.",
  },
  passwordNotRequired: { error: errors.passwordNotRequired(), when: "The session does not wait for a password." },
  invalidPassword: { error: errors.invalidPassword(), when: "The two-step password is wrong." },
  oneOfUrlAndToken: { error: errors.oneOfUrlAndToken(), when: "Only one of the two is there." },
  invalidWebhookUrl: { error: errors.invalidWebhookUrl(), when: "`url` is no such URL." },
  invalidWebhookToken: { error: errors.invalidWebhookToken(), when: "`token` could not stand in a header as it is." },
  undrawable: { error: errors.undrawable(["𒀀"]), when: "A text story has characters that no font of ours has a shape for. It names them." },
  invalidPlatformId: { error: errors.invalidPlatformId(), when: "The link was altered." },
  mediaNotFound: { error: errors.mediaNotFound(), when: "The link was altered, or its message was deleted." },
  rangeNotSatisfiable: { error: errors.rangeNotSatisfiable(), when: "The range begins past the end of the file." },
  platformError: {
    error: errors.platformError("400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)"),
    when: "The platform refused, and what it said is passed on as it is.",
  },
  passwordWait: { error: errors.passwordWait(1_800), when: "Five passwords within an hour were wrong." },
  askedToWait: {
    error: errors.askedToWait(12),
    when: "The platform limits the account's requests for media. `Retry-After` says how long.",
  },
  mediaTimeout: { error: errors.mediaTimeout(), when: "The platform did not answer within 30 seconds." },
} satisfies Catalog<Omit<typeof errors, keyof typeof shared>>;

/** Of calls that name a chat, and of those that name a person. */
export const ofChat = [telegramErrors.invalidChat, telegramErrors.chatNotFound, telegramErrors.platformError];
export const ofPerson = [telegramErrors.invalidReceiver, telegramErrors.phoneNotFound, ...ofChat];
