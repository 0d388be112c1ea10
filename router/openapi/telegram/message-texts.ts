import { callsOfBoth, session, takesFiles } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { mediaRequests, statusRequests, typingRequests } from "../message-requests.js";
import { ofPerson, telegramErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const to = { username: "bob_sandbox" };

export const messageTexts = {
  "send-message": {
    ...calls["send-message"],
    description: `Answers once the platform has accepted the message. ${takesFiles}`,
    requests: {
      ...mediaRequests(to),
      formatted: { summary: "Text with marks", body: { ...to, type: "text", text: "**Sale** until eight", parseMode: "markdown" } },
    },
    reply: { messageId: "301" },
    errors: [
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.unknownType,
      sharedErrors.invalidContactPhone,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
    ],
  },
  "send-typing": {
    ...calls["send-typing"],
    description: "The platform ends the indicator by itself after 6 seconds. The answer has the id of the session.",
    requests: typingRequests(to),
    reply: session,
    errors: [telegramErrors.invalidTypingRecipient, ...ofPerson, telegramErrors.groupNotFound, sharedErrors.unknownType],
  },
  "post-status": {
    tag: "Telegram messages",
    summary: "Post a story",
    description:
      "A story on the account's profile. The platform has no text stories: a text is drawn on a picture. The platform does not notice a story that comes twice, so after a lost answer it is never sent again.",
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
