/** Events of private chats, which receivers get unless they request other ones. */
export const defaultEventTypes = ["message.new", "message.edited", "message.deleted", "message.read"] as const;

/** Events of the session itself, on every platform. Receivers get them if `events` lists them. */
export const sessionEventTypes = ["session.state", "session.expiring", "session.restricted", "session.unrestricted"] as const;

/** Events that a Telegram receiver may request in `events`. */
export const telegramEventTypes = [
  ...defaultEventTypes,
  "message.reaction",
  "poll.vote",
  "group.message.new",
  "group.message.edited",
  "group.message.deleted",
  "group.changed",
  "channel.message.new",
  ...sessionEventTypes,
] as const;

/** Events that a WhatsApp receiver may request in `events`. */
export const whatsappEventTypes = [
  ...defaultEventTypes,
  "message.delivered",
  "message.reaction",
  "message.failed",
  "poll.vote",
  "group.message.new",
  "group.message.edited",
  "group.message.deleted",
  "group.changed",
  "channel.message.new",
  "call.offered",
  ...sessionEventTypes,
] as const;

export type DefaultEventType = (typeof defaultEventTypes)[number];
export type SessionEventType = (typeof sessionEventTypes)[number];
export type TelegramEventType = (typeof telegramEventTypes)[number];
export type WhatsAppEventType = (typeof whatsappEventTypes)[number];
export type EventType = TelegramEventType | WhatsAppEventType;

export function isDefaultEventType(type: string): type is DefaultEventType {
  return defaultEventTypes.some((one) => one === type);
}
