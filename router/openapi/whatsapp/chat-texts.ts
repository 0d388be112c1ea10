import { callsOfBoth, nextEntries, nextMessages, paced } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { whatsappErrors } from "./errors.js";
import { eventExamples } from "./events.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const last = eventExamples.WhatsAppNewMessageEvent.data;
const { chat } = last;
const kept =
  "WhatsApp keeps no history on its servers. The gateway keeps the newest messages of the session since it was linked, 200 by default, with their edits and deletions.";

export const chatTexts = {
  "list-chats": {
    ...calls["list-chats"],
    description: `Returns the chats of these messages, the one with the newest message first. ${kept} ${nextEntries}`,
    parameters: { limit: 50, after: "1732199259000-0" },
    reply: { docs: [{ kind: "person", chat, unread: 2, last }], next: "1732199258000-0" },
    errors: [sharedErrors.invalidAfter, whatsappErrors.historyIsOff],
  },
  "list-chat-messages": {
    ...calls["list-chat-messages"],
    description: `Returns the messages of a person, group or channel, newest first, as the event \`message.new\` shows them. ${kept} A chat without such messages gives an empty page. ${nextMessages}`,
    parameters: { chat: chat.id, limit: 50, before: "3EB0B430B6F8F1D0E053" },
    reply: { docs: [last], next: last.id },
    errors: [whatsappErrors.invalidChatId, whatsappErrors.historyIsOff],
  },
  "list-contacts": {
    ...calls["list-contacts"],
    description: `Returns the address book of the account's phone, in the order of the ids. ${nextEntries}`,
    parameters: { limit: 50, after: "15550100001@s.whatsapp.net" },
    reply: { docs: [chat], next: chat.id },
    errors: [...calls["list-contacts"].errors, whatsappErrors.contactsNotRead, whatsappErrors.platformError],
  },
  "look-up-phones": {
    ...calls["look-up-phones"],
    description: `Returns which numbers have a WhatsApp account, one entry for each number in the order of the request. ${paced}`,
    parameters: { phone: "15550100002,15550100999" },
    reply: {
      docs: [
        { phone: "15550100002", exists: true, user: "15550100002@s.whatsapp.net", lid: "100000000000002@lid", username: "bob" },
        { phone: "15550100999", exists: false, user: "", lid: "", username: "" },
      ],
    },
    errors: [sharedErrors.invalidPhoneCount, whatsappErrors.invalidRecipient, whatsappErrors.platformError],
  },
} satisfies Partial<Texts>;
