/** Groups of calls, in display order. */
export const tags = {
  "WhatsApp sessions": "Create sessions for WhatsApp accounts, link them by QR code or pairing code, set their webhooks, and delete them.",
  "WhatsApp messages":
    "Send, forward, edit and delete messages, react to them, mark them as read, post statuses, and send typing indicators.",
  "WhatsApp chats and contacts": "List chats with their messages, list contacts, and look up phone numbers.",
  "WhatsApp groups and channels":
    "List groups with their members and channels with their messages. Create and change groups, their members and invite links.",
  "WhatsApp media": "Download files of received messages through signed links, whole or in ranges. Events contain the links.",
  "Telegram sessions":
    "Create sessions for Telegram accounts, link them by QR code and two-step password, set their webhooks, and delete them.",
  "Telegram messages":
    "Send, forward, edit and delete messages, react to them, mark them as read, post stories, and send typing indicators.",
  "Telegram chats and contacts": "List chats with their messages, list contacts, and look up phone numbers.",
  "Telegram groups and channels":
    "List groups with their members and channels with their messages. Create and change groups, their members and invite links.",
  "Telegram media": "Download files through signed links, whole or in ranges. Records and events contain the links.",
  "Operators: sessions":
    "Find, move, restart, delete and restore sessions, and replay failed events. Operators see all sessions, tenants see their own.",
  "Operators: cluster": "Manage processes, slots and encryption keys.",
  "Operators: tenants and keys": "Manage tenants with their quotas, and API keys.",
  "Operators: records": "Read the audit log and stream live events.",
  "WhatsApp events": "Webhook requests for messages, reactions, groups, channels and calls of WhatsApp sessions.",
  "Telegram events": "Webhook requests for new, edited, deleted and read messages of private chats.",
  "Session events": "Webhook requests about a session itself, on both platforms.",
} as const;

export type TagName = keyof typeof tags;
