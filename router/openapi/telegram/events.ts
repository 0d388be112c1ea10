import type { DefaultEventType } from "../../../shared/contract/webhook-events.js";
import { eventHead as head, type EventSummaries } from "../webhook-operation.js";
import type { Events } from "./types.js";

const chat = {
  id: "5100000001",
  name: "Bob Builder",
  username: "bob_sandbox",
  phone: "15550100002",
  thumbnail:
    "http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/5100000001/1000005100000001/profile/aMRPs_xo-ih48G4fvZlB9hLk9rUY.jpg",
};
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
};

export const eventSummaries: EventSummaries<DefaultEventType, keyof Events> = {
  "message.new": ["NewMessageEvent", "Message received, or sent from another device of the account"],
  "message.edited": ["EditedMessageEvent", "Message edited"],
  "message.deleted": ["DeletedMessagesEvent", "Messages deleted"],
  "message.read": ["ReadMessagesEvent", "Messages read"],
};
