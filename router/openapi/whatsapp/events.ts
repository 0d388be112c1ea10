import { eventHead as head, type EventSummaries } from "../webhook-operation.js";
import type { Events, PlatformEventType } from "./types.js";

const chat = {
  id: "100000000000002@lid",
  name: "Bob Builder",
  username: "bob_sandbox",
  phone: "15550100002",
  lid: "100000000000002@lid",
  thumbnail: "",
};
const person = { ...chat, username: "" };
const group = { id: "120363025246125486@g.us", name: "Family", username: "", phone: "", lid: "", thumbnail: "" };
const channel = { ...group, id: "120363144038483540@newsletter", name: "Bakery news" };

const message = {
  id: "3EB0C431C26A1916E07A",
  ref: "aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw",
  chat,
  fromMe: false,
  type: "image",
  text: "Is this cake still there, @15550100001?",
  entities: [],
  mentions: ["15550100001@s.whatsapp.net"],
  albumId: "3EB0A2B1C3D4E5F60718",
  created: "2026-11-21T14:27:39.000Z",
  edited: "",
  replyTo: "3EB0B430B6F8F1D0E053",
  forwarded: false,
  viewOnce: false,
  url: "http://127.0.0.1:8080/whatsapp/media/6b01aa5342b4f53c9f4c7e33/100000000000002@lid/3EB0C431C26A1916E07A/file/aTUb_LcflPGV6HtpS_dybURhJX6Y.jpg",
  thumbnail:
    "http://127.0.0.1:8080/whatsapp/media/6b01aa5342b4f53c9f4c7e33/100000000000002@lid/3EB0C431C26A1916E07A/thumb/aKbqdZUT2tdJ0VDWYbEL1TMyOht0.jpg",
  mimetype: "image/jpeg",
  name: "",
  size: 105_825,
  duration: 0,
  width: 1_600,
  height: 1_200,
  voice: false,
  round: false,
  animation: false,
  title: "",
  performer: "",
} satisfies Events["WhatsAppNewMessageEvent"]["data"];

const file = { url: "", thumbnail: "", mimetype: "", size: 0, width: 0, height: 0 };
const text = {
  ...message,
  ...file,
  type: "text",
  text: "See you there",
  mentions: [],
  albumId: "",
  replyTo: "",
} satisfies Events["WhatsAppNewMessageEvent"]["data"];

/** An example of each event. */
export const eventExamples: Events = {
  WhatsAppNewMessageEvent: { ...head, type: "message.new", data: message },
  WhatsAppEditedMessageEvent: {
    ...head,
    type: "message.edited",
    data: { ...text, text: "See you at eight", edited: "2026-11-21T14:28:00.000Z" },
  },
  WhatsAppDeletedMessagesEvent: { ...head, type: "message.deleted", data: { chat, ids: [message.id] } },
  WhatsAppReadMessagesEvent: {
    ...head,
    type: "message.read",
    data: { chat, until: message.id, ids: [message.replyTo, message.id], by: "them" },
  },
  WhatsAppDeliveredMessagesEvent: { ...head, type: "message.delivered", data: { chat, ids: [message.replyTo] } },
  WhatsAppReactionEvent: {
    ...head,
    type: "message.reaction",
    data: { chat: group, author: person, fromMe: false, messageId: message.replyTo, emoji: "👍" },
  },
  WhatsAppFailedMessageEvent: { ...head, type: "message.failed", data: { chat, id: message.replyTo, code: "463" } },
  WhatsAppPollVoteEvent: {
    ...head,
    type: "poll.vote",
    data: { chat: group, author: person, fromMe: false, messageId: message.replyTo, options: ["At eight"] },
  },
  WhatsAppNewGroupMessageEvent: {
    ...head,
    type: "group.message.new",
    data: {
      ...text,
      type: "poll",
      text: "When do we meet?",
      chat: group,
      author: person,
      poll: { options: ["At seven", "At eight"], multiple: false },
    },
  },
  WhatsAppEditedGroupMessageEvent: {
    ...head,
    type: "group.message.edited",
    data: { ...text, chat: group, author: person, edited: "2026-11-21T14:28:00.000Z" },
  },
  WhatsAppDeletedGroupMessagesEvent: { ...head, type: "group.message.deleted", data: { chat: group, author: person, ids: [message.id] } },
  WhatsAppChangedGroupEvent: {
    ...head,
    type: "group.changed",
    data: { chat: group, author: person, change: "add", members: ["100000000000003@lid"], value: "" },
  },
  WhatsAppNewChannelMessageEvent: {
    ...head,
    type: "channel.message.new",
    data: {
      ...text,
      type: "location",
      text: "",
      chat: channel,
      location: { latitude: 48.2082, longitude: 16.3738, name: "Shop", address: "Stephansplatz 1, Vienna" },
    },
  },
  WhatsAppCallEvent: { ...head, type: "call.offered", data: { id: "5A1F0C2B3D4E", chat, video: true, group: group.id } },
};

export const eventSummaries: EventSummaries<PlatformEventType, keyof Events> = {
  "message.new": ["WhatsAppNewMessageEvent", "Message received, or sent from another device of the account"],
  "message.edited": ["WhatsAppEditedMessageEvent", "Message edited"],
  "message.deleted": ["WhatsAppDeletedMessagesEvent", "Messages deleted for everyone"],
  "message.read": ["WhatsAppReadMessagesEvent", "Messages read"],
  "message.delivered": ["WhatsAppDeliveredMessagesEvent", "Messages of the account delivered to a device"],
  "message.reaction": ["WhatsAppReactionEvent", "Reaction added, changed or removed"],
  "message.failed": ["WhatsAppFailedMessageEvent", "Message refused by the platform after it had accepted it"],
  "poll.vote": ["WhatsAppPollVoteEvent", "Vote given, changed or withdrawn in a poll"],
  "group.message.new": ["WhatsAppNewGroupMessageEvent", "Message received in a group"],
  "group.message.edited": ["WhatsAppEditedGroupMessageEvent", "Message edited in a group"],
  "group.message.deleted": ["WhatsAppDeletedGroupMessagesEvent", "Messages deleted in a group"],
  "group.changed": ["WhatsAppChangedGroupEvent", "Group or its members changed"],
  "channel.message.new": ["WhatsAppNewChannelMessageEvent", "Message posted in a channel"],
  "call.offered": ["WhatsAppCallEvent", "Call received"],
};
