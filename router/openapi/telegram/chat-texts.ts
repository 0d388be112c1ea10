import { callsOfBoth, nextEntries, nextMessages, paced } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { ofChat, telegramErrors } from "./errors.js";
import { eventExamples } from "./events.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const last = eventExamples.NewMessageEvent.data;
const { chat } = last;

export const chatTexts = {
  "list-chats": {
    ...calls["list-chats"],
    description: `Returns the account's chats, the one with the newest message first, with archived and pinned chats in their places. ${nextEntries}`,
    parameters: { limit: 50, after: "_1732199259.302.5100000003_" },
    reply: { docs: [{ kind: "person", chat, unread: 2, last }], next: "_1732199259.301.5100000001_" },
    errors: [sharedErrors.invalidAfter, telegramErrors.platformError],
  },
  "list-chat-messages": {
    ...calls["list-chat-messages"],
    description: `Returns the messages of a person, group or channel, newest first, as the event \`message.new\` shows them. ${nextMessages}`,
    parameters: { chat: chat.id, limit: 50, before: 302 },
    reply: { docs: [{ ...last, author: chat }], next: last.id },
    errors: ofChat,
  },
  "list-contacts": {
    ...calls["list-contacts"],
    description: `Returns the account's contacts in the order of their ids. ${nextEntries}`,
    parameters: { limit: 50, after: "5100000000" },
    reply: { docs: [chat], next: chat.id },
    errors: [...calls["list-contacts"].errors, telegramErrors.platformError],
  },
  "look-up-phones": {
    ...calls["look-up-phones"],
    description: `Returns which numbers have a Telegram account that this account may find, one entry for each number in the order of the request. Nobody is added to the account's contacts. The gateway looks up one new number in 3 seconds, so a request for 50 takes two and a half minutes. ${paced}`,
    parameters: { phone: "15550100002,15550100999" },
    reply: {
      docs: [
        { phone: "15550100002", exists: true, user: "5100000001", lid: "", username: "bob_sandbox" },
        { phone: "15550100999", exists: false, user: "", lid: "", username: "" },
      ],
    },
    errors: [sharedErrors.invalidPhoneCount, telegramErrors.invalidReceiver, telegramErrors.platformError],
  },
} satisfies Partial<Texts>;
