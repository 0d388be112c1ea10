import type { CallText } from "./call-text.js";

/** In front of the names of a platform's groups of calls. */
type PlatformTag = "WhatsApp" | "Telegram";

/** What is written of the calls that both variants have, as far as it is the same. */
export function callsOfBoth<P extends PlatformTag>(platform: P) {
  const sessions = `${platform} sessions` as const;
  const messages = `${platform} messages` as const;
  const lists = `${platform} groups and channels` as const;
  return {
    "create-session": { tag: sessions, summary: "Create a session", status: 201 },
    "get-session": { tag: sessions, summary: "Look at a session" },
    "reset-session": {
      tag: sessions,
      summary: "Log out, and begin a new login",
      description: "The account is logged out. The session stays, with a new QR code that lasts 3 minutes.",
    },
    "delete-session": { tag: sessions, summary: "Log out, and forget the session" },
    "send-message": { tag: messages, summary: "Send a message" },
    "send-typing": { tag: messages, summary: "Show that somebody writes" },
    "list-groups": { tag: lists, summary: "List groups" },
    "list-group-members": { tag: lists, summary: "List the members of a group" },
    "get-group": { tag: lists, summary: "Look at a group" },
    "list-channels": { tag: lists, summary: "List channels" },
    "list-channel-messages": { tag: lists, summary: "List the messages of a channel" },
    "get-channel": { tag: lists, summary: "Look at a channel" },
  } as const satisfies Readonly<Record<string, CallText>>;
}

/** A pair of headers, as `POST /session` answers it. */
export const credentials = { id: "6b01aa5342b4f53c9f4c7e33", sessionId: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" } as const;

/** Not its tenant's. */
export const behindProxy = {
  summary: "Behind a proxy of its own",
  body: { proxy: "socks5://till:c0rrect-h0rse@proxy.example.com:1080" },
} as const;

/** What many calls answer. */
export const session = { id: credentials.id } as const;

/** Of a group and of a channel: when they were made, or joined. */
export const created = "2025-03-14T09:26:53.000Z";

/** How to come to the next page of a channel's messages. */
export const nextPage = "The next page is asked for with the last `id` as `before`.";
export const firstPage = { limit: 50, before: 0 } as const;

/** What a message of a channel says on both platforms. */
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

/** How long a login may take, and how to follow it. */
export const beginsLogin = (codes: string, until: string): string =>
  `A session is one account. Its login begins at once: read ${codes} with \`GET /session\` until ${until} true. A session that nobody logs in within 3 minutes is deleted.`;
export const pollsLogin = (until: string): string =>
  `Safe to ask while the session is not connected. While a code waits to be scanned, ask every 2 to 3 seconds, and stop when ${until} true.`;
export const takesFiles = "Files are downloaded by the service from public URLs. With an `Idempotency-Key` a repeat is not sent twice.";
