import type { CallText } from "./call-text.js";
import { sharedErrors } from "./errors/shared-errors.js";

/** Prefix of the tags of a platform. */
type PlatformTag = "WhatsApp" | "Telegram";

export const takesFiles =
  "The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice.";

const rejects = "Rejects fields that it does not know.";

/** Returns the texts that both variants share. */
export function callsOfBoth<P extends PlatformTag>(platform: P) {
  const sessions = `${platform} sessions` as const;
  const messages = `${platform} messages` as const;
  const chats = `${platform} chats and contacts` as const;
  const lists = `${platform} groups and channels` as const;
  return {
    "create-session": { tag: sessions, summary: "Create a session", status: 201 },
    "get-session": { tag: sessions, summary: "Get a session" },
    "set-webhook": {
      tag: sessions,
      summary: "Set webhook",
      description:
        "The gateway sends the events of the session to this URL: those of private chats, or the types in `events`. To turn the webhook off, send an empty `url` and an empty `token`. If you change the URL or the token, pending events go to the new receiver. You can set the webhook before the login.",
      errors: [
        sharedErrors.oneOfUrlAndToken,
        sharedErrors.invalidWebhookUrl,
        sharedErrors.invalidWebhookToken,
        sharedErrors.invalidEvents,
        sharedErrors.refusedWebhookUrl,
      ],
    },
    "reset-session": {
      tag: sessions,
      summary: "Reset a session",
      description: "Logs the account out and starts a new login. The session keeps its id. The new QR code is valid for 3 minutes.",
    },
    "delete-session": { tag: sessions, summary: "Delete a session" },
    "get-limits": {
      tag: sessions,
      summary: "Get sending limits",
      description: `Returns whether ${platform} restricts the account, and the tenant's pace. While \`restricted\` is true, first messages to people who have not written to the account get 429 \`${sharedErrors.accountRestricted.error.message}\`. Replies, groups and channels still work. Works without a connection, as far as the limits are known. Rejects parameters that it does not know.`,
    },
    "send-message": { tag: messages, summary: "Send a message" },
    "forward-message": { tag: messages, summary: "Forward a message" },
    "send-voice": {
      tag: messages,
      summary: "Send a voice message",
      description: `The file must be Ogg with Opus, because both platforms play it as a voice message. ${takesFiles} Rejects fields that it does not know.`,
    },
    "send-sticker": {
      tag: messages,
      summary: "Send a sticker",
      description: `The gateway converts the picture to WebP of 512 x 512 pixels. ${takesFiles} Rejects fields that it does not know.`,
    },
    "send-album": {
      tag: messages,
      summary: "Send an album",
      description: `Sends 2 to 10 pictures and videos, which recipients see as one album. Nothing is sent until all files are uploaded. ${takesFiles} Rejects fields that it does not know.`,
    },
    "send-poll": {
      tag: messages,
      summary: "Send a poll",
      description: "People choose one option, or several if `multiple` is true. Rejects fields that it does not know.",
    },
    "send-reaction": {
      tag: messages,
      summary: "React to a message",
      description:
        "Sets the account's reaction to a message of the chat, instead of its former one. An empty `emoji` removes the reaction. Responds when the platform has accepted it.",
    },
    "read-message": { tag: messages, summary: "Mark a message as read" },
    "edit-message": {
      tag: messages,
      summary: "Edit a message",
      description: "Replaces the text of a message of the account. Responds when the platform has accepted the edit.",
    },
    "delete-message": {
      tag: messages,
      summary: "Delete a message",
      description:
        "Deletes a message of the chat for everybody. Name the chat in the query, with the recipient fields of `POST /message`. Responds when the platform has accepted the deletion.",
    },
    "send-typing": { tag: messages, summary: "Send typing indicator" },
    "list-chats": { tag: chats, summary: "List chats" },
    "list-chat-messages": { tag: chats, summary: "List the messages of a chat" },
    "list-contacts": { tag: chats, summary: "List contacts", errors: [sharedErrors.invalidAfter] },
    "look-up-phones": { tag: chats, summary: "Look up phone numbers" },
    "update-profile": {
      tag: sessions,
      summary: "Change the profile",
      description: `Changes the name, the text and the picture that other people see of the account. Absent fields stay as they are. ${rejects}`,
    },
    "block-person": {
      tag: sessions,
      summary: "Block a person",
      description: `The account no longer receives messages and calls of the person. Blocking a person again changes nothing. ${rejects}`,
    },
    "unblock-person": {
      tag: sessions,
      summary: "Unblock a person",
      description: `Name the person in the query. Messages that the person sent meanwhile do not arrive later. ${rejects}`,
    },
    "list-groups": { tag: lists, summary: "List groups" },
    "list-group-members": { tag: lists, summary: "List the members of a group" },
    "get-group": { tag: lists, summary: "Get a group" },
    "create-group": {
      tag: lists,
      summary: "Create a group",
      description: `Creates a group that the account owns. ${refusedPeople} ${strict}`,
    },
    "edit-group": {
      tag: lists,
      summary: "Edit a group",
      description: `Changes the name, the description, the picture and the settings, in this order, and returns the group. The gateway downloads the picture first. The first change that the platform rejects ends the call: earlier changes stay. ${strict}`,
    },
    "add-group-members": { tag: lists, summary: "Add members to a group", description: `Adds people to a group. ${perPerson} ${strict}` },
    "remove-group-members": {
      tag: lists,
      summary: "Remove members from a group",
      description: `Removes people from a group. They can come back by an invite link. ${perPerson} ${strict}`,
    },
    "add-group-admins": {
      tag: lists,
      summary: "Appoint administrators of a group",
      description: `Makes members administrators. ${perPerson} ${strict}`,
    },
    "remove-group-admins": {
      tag: lists,
      summary: "Dismiss administrators of a group",
      description: `Makes administrators plain members. ${perPerson} ${strict}`,
    },
    "get-group-invite": {
      tag: lists,
      summary: "Get the invite link of a group",
      description: `Returns the link by which people join. Only administrators can read it. ${strict}`,
    },
    "revoke-group-invite": {
      tag: lists,
      summary: "Replace the invite link of a group",
      description: `Revokes the invite link and returns a new one. ${strict}`,
    },
    "join-group": {
      tag: lists,
      summary: "Join a group",
      description: `Joins a group by its invite link. If the account is in the group already, returns the group. \`pending\` is true if an administrator must approve first. ${strict}`,
    },
    "leave-group": { tag: lists, summary: "Leave a group", description: `Leaves a group. ${strict}` },
    "list-channels": { tag: lists, summary: "List channels" },
    "list-channel-messages": { tag: lists, summary: "List the messages of a channel" },
    "get-channel": { tag: lists, summary: "Get a channel" },
    "create-channel": {
      tag: lists,
      summary: "Create a channel",
      description: `Returns the channel, which the account owns. The platform does not detect a channel that is created twice: set an \`Idempotency-Key\`, and read \`GET /channel\` after an unknown outcome. If the platform refuses the picture, the channel exists without one. ${rejects}`,
    },
    "update-channel": {
      tag: lists,
      summary: "Change a channel",
      description: `Changes a channel that the account owns or manages, and returns it. Absent fields stay as they are. ${rejects}`,
    },
    "follow-channel": { tag: lists, summary: "Follow a channel" },
    "leave-channel": { tag: lists, summary: "Leave a channel" },
  } as const satisfies Readonly<Record<string, CallText>>;
}

const strict = "Rejects fields that it does not know.";
const perPerson = "Returns the platform's response about each person, in the order of the request: `code` 200, or the code of the refusal.";
const refusedPeople =
  "People that the platform does not add are in `refused`, and the group exists without them. The platform does not recognise a group that is created twice. So if the result is unknown, the gateway does not retry, and repeats with the same `Idempotency-Key` get the same error.";

/** A pair of headers, as `POST /session` returns it. */
export const credentials = { id: "6b01aa5342b4f53c9f4c7e33", sessionId: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" } as const;

/** A proxy of the session's own instead of its tenant's. */
export const behindProxy = {
  summary: "Through its own proxy",
  body: { proxy: "socks5://till:c0rrect-h0rse@proxy.example.com:1080" },
} as const;

/** Settings of a webhook. */
export const webhook = { url: "https://example.com/hooks/trunkline", token: "s3cret" };
export const webhookOff = { summary: "Turn off", body: { url: "", token: "" } } as const;

/** Request bodies of the calls that change the profile and channels. */
export const profileRequests = {
  all: {
    summary: "All fields",
    body: { name: "Alice Baker", about: "Fresh bread from six", picture: "https://example.com/alice.jpg" },
  },
  clear: { summary: "Remove text and picture", body: { about: "", picture: "" } },
} as const;
export const newChannelRequests = {
  channel: {
    summary: "Create a channel",
    body: { name: "Bakery news", description: "What is new today", picture: "https://example.com/shop.jpg" },
  },
} as const;
export const channelChangeRequests = {
  name: { summary: "New name", body: { name: "Bakery news, daily" } },
  clear: { summary: "Remove description and picture", body: { description: "", picture: "" } },
} as const;

/** Response of many calls. */
export const session = { id: credentials.id } as const;

/** Creation or join date of groups and channels in the examples. */
export const created = "2025-03-14T09:26:53.000Z";

/** Limits of an account that the platform restricts. */
export const limits = {
  restricted: true,
  until: "2026-11-23T14:27:39.000Z",
  reason: "WhatsApp locked new chats (BIZ_QUALITY)",
  newChats: { used: 12, cap: 50, resets: "2026-12-01T00:00:00.000Z" },
  pace: {
    sendsPerMinute: 0.035,
    sendsBurst: 10,
    sendsUsed: 3,
    newContactsPerHour: 20,
    newContactsBurst: 5,
    newContactsUsed: 1,
    warmUp: { day: 1, days: 14, perDay: 50 },
  },
} as const;

/** How to get the next page of a channel's messages. */
export const nextPage = "For the next page, pass the last `id` as `before`.";
export const nextEntries = "For the next page, pass `next` as `after`.";
export const nextMessages = "For older messages, pass `next` as `before`.";

/** How the pace limits phone lookups, on both platforms. */
export const paced =
  "Platforms restrict accounts that query many numbers, so the session's pace limits lookups: each number counts like a message, apart from messages. Too many give 429 with `Retry-After`.";
export const firstPage = { limit: 50, before: 0 } as const;

/** Fields of a channel message that both platforms share. */
export const channelMessage = {
  id: "101",
  type: "image",
  text: "New today",
  created: "2026-11-21T14:27:39.000Z",
  views: 12,
  mimetype: "image/jpeg",
  size: 105_825,
  voice: false,
  round: false,
  animation: false,
} as const;

/** Returns the description of a call that starts a login, with its time limit. */
export const beginsLogin = (codes: string, until: string): string =>
  `Creates a session for one account and starts its login. Poll \`GET /session\` for ${codes} until ${until} true. The gateway deletes the session if the login does not complete within 3 minutes.`;
export const pollsLogin = (until: string): string =>
  `Works before the session is connected. While you wait for a scan, poll every 2 to 3 seconds. Stop when ${until} true.`;
