import { eventHead as head, type EventSummaries } from "../webhook-operation.js";
import type { AccountEventType, Events } from "./types.js";

const chat = {
  id: "5100000001",
  name: "Bob Builder",
  username: "bob_sandbox",
  phone: "15550100002",
  thumbnail:
    "http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/5100000001/1000005100000001/profile/aMRPs_xo-ih48G4fvZlB9hLk9rUY.jpg",
};
const group = { id: "-1001900000003", name: "Sandbox Square", username: "sandbox_square", phone: "", thumbnail: "" };
const channel = { id: "-1001900000001", name: "Sandbox Daily", username: "sandbox_daily", phone: "", thumbnail: "" };
const message = {
  id: "301",
  ref: "aTUb_LcflPGV6HtpS_dybURhJX6YqzN0kV3mEo1cXwJtBf7Kd2sGhQyR8uLpA5iZnMvO4eWjTgU9xSbCr6DaFkHlPqIoYtNw",
  chat,
  fromMe: false,
  type: "location",
  text: "Hello 👋, see the list",
  entities: [
    { type: "text_mention", offset: 0, length: 5, user: "5100000002" },
    { type: "custom_emoji", offset: 6, length: 2, emoji: "5368324170671202286" },
    { type: "pre", offset: 10, length: 3, language: "ts" },
    { type: "text_link", offset: 14, length: 8, url: "https://example.org/" },
  ],
  albumId: "",
  created: "2026-11-21T14:27:39.000Z",
  edited: "",
  replyTo: "300",
  url: "",
  thumbnail: "",
  mimetype: "",
  name: "",
  size: 0,
  duration: 0,
  width: 0,
  height: 0,
  voice: false,
  round: false,
  animation: false,
  title: "",
  performer: "",
  location: { latitude: 48.2082, longitude: 16.3738, name: "Shop", address: "Stephansplatz 1, Vienna" },
} satisfies Events["NewMessageEvent"]["data"];

const { location: _location, ...plain } = message;
const poll = { question: "When do we meet?", options: ["At seven", "At eight"], multiple: false };
const text = { ...plain, type: "text" } satisfies Events["NewMessageEvent"]["data"];

/** An example of each event. */
export const eventExamples: Events = {
  NewMessageEvent: { ...head, type: "message.new", data: message },
  EditedMessageEvent: {
    ...head,
    type: "message.edited",
    data: { ...message, type: "contact", edited: "2026-11-21T14:28:00.000Z", contact: { name: "Carol", phone: "15550100003" } },
  },
  DeletedMessagesEvent: { ...head, type: "message.deleted", data: { chat, ids: ["301"] } },
  ReadMessagesEvent: { ...head, type: "message.read", data: { chat, until: "300", by: "them" } },
  ReactionEvent: { ...head, type: "message.reaction", data: { chat: group, author: chat, fromMe: false, messageId: "300", emoji: "👍" } },
  PollVoteEvent: {
    ...head,
    type: "poll.vote",
    data: { chat: group, author: chat, fromMe: false, messageId: "300", options: ["At eight"] },
  },
  NewGroupMessageEvent: {
    ...head,
    type: "group.message.new",
    data: { ...plain, type: "other", text: "", entities: [], chat: group, author: chat, poll },
  },
  EditedGroupMessageEvent: {
    ...head,
    type: "group.message.edited",
    data: { ...text, chat: group, author: chat, edited: "2026-11-21T14:28:00.000Z" },
  },
  DeletedGroupMessagesEvent: { ...head, type: "group.message.deleted", data: { chat: group, ids: ["301"] } },
  ChangedGroupEvent: {
    ...head,
    type: "group.changed",
    data: { chat: group, author: chat, change: "subject", members: [], value: "Sandbox Square" },
  },
  NewChannelMessageEvent: { ...head, type: "channel.message.new", data: { ...text, chat: channel } },
};

export const eventSummaries: EventSummaries<AccountEventType, keyof Events> = {
  "message.new": ["NewMessageEvent", "Message received, or sent from another device of the account"],
  "message.edited": ["EditedMessageEvent", "Message edited"],
  "message.deleted": ["DeletedMessagesEvent", "Messages deleted"],
  "message.read": ["ReadMessagesEvent", "Messages read"],
  "message.reaction": ["ReactionEvent", "Reaction added, changed or removed"],
  "poll.vote": ["PollVoteEvent", "Vote given, changed or withdrawn in a poll that shows its voters"],
  "group.message.new": ["NewGroupMessageEvent", "Message received in a group"],
  "group.message.edited": ["EditedGroupMessageEvent", "Message edited in a group"],
  "group.message.deleted": ["DeletedGroupMessagesEvent", "Messages deleted in a group"],
  "group.changed": ["ChangedGroupEvent", "Group or its members changed"],
  "channel.message.new": ["NewChannelMessageEvent", "Message posted in a channel"],
};
