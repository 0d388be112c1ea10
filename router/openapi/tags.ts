/** Groups of calls, in the order in which they are shown. */
export const tags = {
  "WhatsApp sessions": "Accounts of variant A: create one, log it in by QR code or pairing code, look at it, log it out.",
  "WhatsApp messages": "Messages of seven types to people, groups and channels, statuses, and the typing indicator.",
  "WhatsApp groups and channels": "Groups with their members, channels with their messages.",
  "Telegram sessions":
    "Accounts of variant B: create one, log it in by QR code and two-step password, look at it, log it out, set where its events go.",
  "Telegram messages": "Messages of seven types to people, groups and channels, stories, and the typing indicator.",
  "Telegram groups and channels": "Groups with their members, channels with their messages.",
  "Telegram media": "Files by signed links, whole or in ranges. Links stand in records and events, and are used as they are.",
  "Operators: sessions":
    "All sessions, for operators and for tenants who look at their own: find, move, restart, delete, bring back, replay.",
  "Operators: cluster": "Processes, slots and the keys that seal what is stored.",
  "Operators: tenants and keys": "Customers of the deployment, what they may have at most, and API keys.",
  "Operators: records": "Who did what, and what happens now.",
  "Telegram events": "What a session's receiver is told of: new, edited, deleted and read messages of private chats.",
} as const;

export type TagName = keyof typeof tags;
