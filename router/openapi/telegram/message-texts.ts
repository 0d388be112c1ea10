import { callsOfBoth, session, takesFiles } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import {
  albumRequests,
  mediaRequests,
  pollRequests,
  reactionRequests,
  statusRequests,
  stickerRequests,
  typingRequests,
  voiceRequests,
} from "../message-requests.js";
import { ofPerson, telegramErrors } from "./errors.js";
import { eventExamples } from "./events.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const to = { username: "bob_sandbox" };
const inChat = { ...to, phone: "15550100002", user: "987654321", group: "-4000001", channel: "alice_news", author: "987654321" };
const ofReferences = [
  telegramErrors.invalidRecipient,
  ...ofPerson,
  telegramErrors.groupNotFound,
  telegramErrors.channelNotFound,
  telegramErrors.messageNotFound,
];

export const messageTexts = {
  "send-message": {
    ...calls["send-message"],
    description: `Responds when the platform has accepted the message. ${takesFiles}`,
    requests: {
      ...mediaRequests(to),
      formatted: { summary: "Formatted text", body: { ...to, type: "text", text: "**Sale** until eight", parseMode: "markdown" } },
    },
    reply: { messageId: "301" },
    errors: [
      sharedErrors.accountRestricted,
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.unknownType,
      sharedErrors.invalidContactPhone,
      sharedErrors.invalidMention,
      sharedErrors.tooManyMentions,
      sharedErrors.invalidReply,
      sharedErrors.invalidRef,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
    ],
  },
  "forward-message": {
    ...calls["forward-message"],
    description:
      "Forwards the message of an event to another chat, with its file and the name of its author. Rejects fields that it does not know.",
    requests: { forward: { summary: "Forward a message", body: { ...to, ref: eventExamples.NewMessageEvent.data.ref ?? "" } } },
    reply: { messageId: "302" },
    errors: [
      sharedErrors.accountRestricted,
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.invalidRef,
    ],
  },
  "send-voice": {
    ...calls["send-voice"],
    requests: voiceRequests(to),
    reply: { messageId: "303" },
    errors: [
      sharedErrors.accountRestricted,
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.notVoice,
      sharedErrors.fileFromUrl,
    ],
  },
  "send-sticker": {
    ...calls["send-sticker"],
    requests: stickerRequests(to),
    reply: { messageId: "305" },
    errors: [
      sharedErrors.accountRestricted,
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
    ],
  },
  "send-album": {
    ...calls["send-album"],
    requests: albumRequests(to),
    reply: { messageIds: ["306", "307"] },
    errors: [
      sharedErrors.accountRestricted,
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.invalidItemCount,
      sharedErrors.invalidItem,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
    ],
  },
  "send-poll": {
    ...calls["send-poll"],
    requests: pollRequests(to),
    reply: { messageId: "304" },
    errors: [
      sharedErrors.accountRestricted,
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.invalidOptionCount,
      sharedErrors.invalidOption,
      sharedErrors.invalidMultiple,
    ],
  },
  "send-reaction": {
    ...calls["send-reaction"],
    requests: reactionRequests(to, "1000301"),
    reply: { messageId: "1000301" },
    errors: ofReferences,
  },
  "read-message": {
    ...calls["read-message"],
    description: "Marks the chat as read up to this message, so that the other person sees it as read.",
    requests: { person: { summary: "Of a person", body: { ...to, messageId: "1000301" } } },
    reply: session,
    errors: ofReferences.filter((text) => text !== telegramErrors.messageNotFound),
  },
  "edit-message": {
    ...calls["edit-message"],
    parameters: { messageId: "1000301" },
    requests: {
      text: { summary: "New text", body: { ...to, text: "Your order arrives at six" } },
      formatted: { summary: "Formatted text", body: { ...to, text: "**Sale** until nine", parseMode: "markdown" } },
    },
    reply: { messageId: "1000301" },
    errors: [...ofReferences, sharedErrors.textIsEmpty],
  },
  "delete-message": {
    ...calls["delete-message"],
    parameters: { ...inChat, messageId: "1000301" },
    reply: { messageId: "1000301" },
    errors: ofReferences,
  },
  "send-typing": {
    ...calls["send-typing"],
    description: "Shows the recipient that the account is typing. The platform hides the indicator after 6 seconds.",
    requests: typingRequests(to),
    reply: session,
    errors: [telegramErrors.invalidTypingRecipient, ...ofPerson, telegramErrors.groupNotFound, sharedErrors.unknownType],
  },
  "post-status": {
    tag: "Telegram messages",
    summary: "Post a story",
    description:
      "Posts a story on the account's profile. Telegram has no text stories, so the gateway draws a text on a picture. Telegram does not detect duplicate stories, so the gateway never retries a story whose response was lost.",
    requests: {
      ...statusRequests,
      text: { ...statusRequests.text, body: { ...statusRequests.text.body, privacy: "everyone" } },
    },
    reply: { statusId: "17" },
    errors: [
      sharedErrors.unknownType,
      sharedErrors.textIsEmpty,
      telegramErrors.undrawable,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      telegramErrors.platformError,
    ],
  },
} satisfies Partial<Texts>;
