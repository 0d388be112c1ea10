import type { CallText } from "./call-text.js";
import { sharedErrors } from "./errors/shared-errors.js";

/** Prefix of the tags of a platform. */
type PlatformTag = "WhatsApp" | "Telegram";

export const takesFiles =
  "The gateway downloads files from public URLs. Set an `Idempotency-Key` so that a retry does not send the message twice.";

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
    "list-groups": { tag: lists, summary: "List groups" },
    "list-group-members": { tag: lists, summary: "List the members of a group" },
    "get-group": { tag: lists, summary: "Get a group" },
    "list-channels": { tag: lists, summary: "List channels" },
    "list-channel-messages": { tag: lists, summary: "List the messages of a channel" },
    "get-channel": { tag: lists, summary: "Get a channel" },
  } as const satisfies Readonly<Record<string, CallText>>;
}

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

/** Response of many calls. */
export const session = { id: credentials.id } as const;

/** Creation or join date of groups and channels in the examples. */
export const created = "2025-03-14T09:26:53.000Z";

/** How to get the next page of a channel's messages. */
export const nextPage = "For the next page, pass the last `id` as `before`.";
export const nextEntries = "For the next page, pass `next` as `after`.";
export const nextMessages = "For older messages, pass `next` as `before`.";

/** What a look-up costs, on both platforms. */
export const paced =
  "Platforms restrict accounts that look up many numbers, so the session's pace limits look-ups: each number counts like a message, apart from messages. Too many give 429 with `Retry-After`.";
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
