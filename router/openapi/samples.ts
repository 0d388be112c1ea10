import type { Bodies as TelegramBodies } from "./telegram/types.js";
import type { Bodies as WhatsAppBodies } from "./whatsapp/types.js";
import type { EventData, Replies as AdminReplies } from "./admin/types.js";

/** Values for fields that no example of a call shows: the other recipients, captions, and failures. */

const file = { url: "https://example.com/cake.jpg", mimetype: "image/jpeg" };

export const whatsappMessages: readonly WhatsAppBodies["send-message"][] = [
  {
    type: "text",
    text: "Hello @15550100003",
    replyTo: "3EB0B430B6F8F1D0E053",
    mentions: ["15550100003"],
    group: "120363025246125486@g.us",
    newsletter: "120363144038483540@newsletter",
    user: "100000000000002@lid",
  },
  { type: "image", image: { ...file, thumbnail: "https://example.com/small.jpg" } },
  { type: "video", text: "Fresh from the oven", video: { ...file, duration: 12 } },
];

export const telegramMessages: readonly TelegramBodies["send-message"][] = [
  {
    type: "text",
    text: "Hello @5100000002",
    replyTo: "300",
    mentions: ["5100000002"],
    group: "-1001000000001",
    channel: "-1002000000001",
    user: "5100000002",
    phone: "15550100002",
  },
  { type: "video", text: "Fresh from the oven", video: { ...file, duration: 12 } },
];

export const statuses: readonly WhatsAppBodies["post-status"][] = [
  { type: "video", text: "Fresh from the oven", video: { ...file, duration: 12 } },
];

export const stories: readonly TelegramBodies["post-status"][] = [
  { type: "image", privacy: "close_friends", image: file },
  { type: "video", text: "Fresh from the oven", privacy: "contacts", video: { ...file, duration: 12 } },
];

export const refusedLine: AdminReplies["change-sessions"] = {
  id: "6b01aa5342b4f53c9f4c7e33",
  status: 404,
  message: "session not found",
};

const at = "2026-11-22T10:00:00.000Z";

const ofSession = { at, session: "6b01aa5342b4f53c9f4c7e33", platform: "telegram", tenant: "acme", member: "shard-1" } as const;

export const eventSamples: EventData = {
  LiveSessionEvent: { ...ofSession, state: "connected" },
  LiveCodeEvent: ofSession,
  LiveRestrictionEvent: { ...ofSession, until: "2026-11-23T10:00:00.000Z" },
  LiveDeliveriesEvent: { ...ofSession, delivered: 3, failed: 0, dead: 0, replayed: 0, webhookLag: 0 },
  LiveSlotsEvent: { at, member: "shard-1", slots: [7, 2741] },
  LiveLoadEvent: { at, member: "shard-1", slots: 2048, sessions: 1280, drained: false },
  LiveMemberEvent: { at, member: "shard-1", state: "active", host: "gateway-a" },
  LiveRotationEvent: { at, member: "shard-1", state: "resealing", total: 2560, done: 1024, failed: 0 },
  LiveMissedEvent: { at },
  LiveEndEvent: { reason: "router stops" },
};
