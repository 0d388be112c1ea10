import { callsOfBoth, session, takesFiles } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { mediaRequests, statusRequests, typingRequests } from "../message-requests.js";
import { whatsappErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const to = { phone: "15550100002" };

export const messageTexts = {
  "send-message": {
    ...calls["send-message"],
    description: `Answers once the platform's server has accepted the message, which says nothing of its delivery. ${takesFiles}`,
    requests: mediaRequests(to),
    reply: { messageId: "3EB0C431C26A1916E07A" },
    errors: [
      whatsappErrors.invalidRecipient,
      sharedErrors.unknownType,
      sharedErrors.invalidContactPhone,
      sharedErrors.fileFromUrl,
      whatsappErrors.platformError,
    ],
  },
  "post-status": {
    tag: "WhatsApp messages",
    summary: "Post a status",
    description:
      "Who may see it follows the privacy setting on the account's phone, and only people who saved the account's number do. A text has a dark green background; pictures are compressed; a film without a thumbnail gets one.",
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
    description: "The indicator shows for 5 seconds. The answer has the id of the session.",
    requests: typingRequests(to),
    reply: session,
    errors: [whatsappErrors.invalidTypingRecipient, sharedErrors.unknownType],
  },
} satisfies Partial<Texts>;
