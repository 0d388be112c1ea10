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
import { whatsappErrors } from "./errors.js";
import { eventExamples } from "./events.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const to = { phone: "15550100002" };
const messageId = "3EB0C431C26A1916E07A";
const inChat = {
  phone: to.phone,
  group: "120363041234567890@g.us",
  user: "123456789012345@lid",
  newsletter: "120363049876543210@newsletter",
  author: "123456789012345@lid",
};
const ofGroup = { group: "120363041234567890@g.us", author: "123456789012345@lid" };
const ofReferences = [
  whatsappErrors.invalidRecipient,
  whatsappErrors.invalidAuthor,
  whatsappErrors.missingAuthor,
  whatsappErrors.messageNotFound,
  whatsappErrors.platformError,
];

export const messageTexts = {
  "send-message": {
    ...calls["send-message"],
    description: `Responds when the platform's server has accepted the message. This does not confirm delivery. ${takesFiles}`,
    requests: mediaRequests(to),
    reply: { messageId },
    errors: [
      whatsappErrors.invalidRecipient,
      sharedErrors.unknownType,
      sharedErrors.invalidContactPhone,
      sharedErrors.invalidMention,
      sharedErrors.tooManyMentions,
      sharedErrors.invalidReply,
      sharedErrors.invalidRef,
      sharedErrors.fileFromUrl,
      sharedErrors.accountRestricted,
      whatsappErrors.platformError,
    ],
  },
  "forward-message": {
    ...calls["forward-message"],
    description:
      "Sends the message of an event to another chat, marked as forwarded. The `ref` holds the text or the file's place and key, so the gateway downloads nothing. Rejects fields that it does not know.",
    requests: { forward: { summary: "Forward a message", body: { ...to, ref: eventExamples.WhatsAppNewMessageEvent.data.ref ?? "" } } },
    reply: { messageId: "3EB0C431C26A1916E07C" },
    errors: [
      whatsappErrors.invalidRecipient,
      sharedErrors.invalidRef,
      whatsappErrors.notForwardable,
      whatsappErrors.noFileForChannel,
      sharedErrors.accountRestricted,
      whatsappErrors.platformError,
    ],
  },
  "send-voice": {
    ...calls["send-voice"],
    requests: voiceRequests(to),
    reply: { messageId: "3EB0C431C26A1916E07D" },
    errors: [
      whatsappErrors.invalidRecipient,
      whatsappErrors.notForChannel,
      sharedErrors.notVoice,
      sharedErrors.fileFromUrl,
      sharedErrors.accountRestricted,
      whatsappErrors.platformError,
    ],
  },
  "send-sticker": {
    ...calls["send-sticker"],
    requests: stickerRequests(to),
    reply: { messageId: "3EB0C431C26A1916E07F" },
    errors: [
      whatsappErrors.invalidRecipient,
      whatsappErrors.notForChannel,
      sharedErrors.fileFromUrl,
      sharedErrors.accountRestricted,
      whatsappErrors.platformError,
    ],
  },
  "send-album": {
    ...calls["send-album"],
    requests: albumRequests(to),
    reply: { messageIds: ["3EB0C431C26A1916E080", "3EB0C431C26A1916E081"] },
    errors: [
      whatsappErrors.invalidRecipient,
      whatsappErrors.notForChannel,
      sharedErrors.invalidItemCount,
      sharedErrors.invalidItem,
      sharedErrors.fileFromUrl,
      sharedErrors.accountRestricted,
      whatsappErrors.platformError,
    ],
  },
  "send-poll": {
    ...calls["send-poll"],
    requests: pollRequests(to),
    reply: { messageId: "3EB0C431C26A1916E07E" },
    errors: [
      whatsappErrors.invalidRecipient,
      whatsappErrors.notForChannel,
      sharedErrors.invalidOptionCount,
      sharedErrors.invalidOption,
      sharedErrors.invalidMultiple,
      sharedErrors.accountRestricted,
      whatsappErrors.platformError,
    ],
  },
  "send-reaction": {
    ...calls["send-reaction"],
    requests: {
      ...reactionRequests(to, messageId),
      group: {
        summary: "To a message of another member of a group",
        body: { ...ofGroup, messageId, emoji: "👍" },
      },
    },
    reply: { messageId },
    errors: ofReferences,
  },
  "read-message": {
    ...calls["read-message"],
    description:
      "Tells the author that the account has read the message, unless the privacy settings of the account keep that from other people. In a channel it counts as a view.",
    requests: {
      person: { summary: "Of a person", body: { ...to, messageId } },
      group: { summary: "Of a member of a group", body: { ...ofGroup, messageId } },
    },
    reply: session,
    errors: ofReferences,
  },
  "edit-message": {
    ...calls["edit-message"],
    description: `${calls["edit-message"].description} A caption can be edited if this session sent the file within the last 24 hours.`,
    parameters: { messageId },
    requests: { text: { summary: "New text", body: { ...to, text: "Your order arrives at six" } } },
    reply: { messageId },
    errors: [
      whatsappErrors.invalidRecipient,
      whatsappErrors.messageNotFound,
      whatsappErrors.editTooLate,
      whatsappErrors.notEditable,
      whatsappErrors.platformError,
    ],
  },
  "delete-message": {
    ...calls["delete-message"],
    parameters: { ...inChat, messageId },
    reply: { messageId },
    errors: [...ofReferences.filter((text) => text !== whatsappErrors.missingAuthor), whatsappErrors.foreignMessage],
  },
  "post-status": {
    tag: "WhatsApp messages",
    summary: "Post a status",
    description:
      "The privacy setting on the account's phone decides the audience. Only people with the account's number in their contacts see the status. A text has a dark green background. The gateway compresses pictures and adds missing video thumbnails.",
    requests: statusRequests,
    reply: { statusId: "3EB0C431C26A1916E07B" },
    errors: [
      sharedErrors.unknownType,
      sharedErrors.fileFromUrl,
      whatsappErrors.contactsNotSynced,
      whatsappErrors.noStatusContacts,
      whatsappErrors.platformError,
    ],
  },
  "send-typing": {
    ...calls["send-typing"],
    description: 'Shows the recipient "typing…" for 5 seconds.',
    requests: typingRequests(to),
    reply: session,
    errors: [whatsappErrors.invalidTypingRecipient, sharedErrors.unknownType],
  },
} satisfies Partial<Texts>;
