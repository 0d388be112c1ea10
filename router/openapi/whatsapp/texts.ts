import { sharedErrors } from "../errors/shared-errors.js";
import type { CallTexts } from "../call-text.js";
import { mediaRequests } from "../message-requests.js";
import { whatsappErrors } from "./errors.js";
import type { Bodies, Parameters, Replies } from "./types.js";

const session = { id: "6b01aa5342b4f53c9f4c7e33" } as const;
const group = {
  id: "120363025246125486@g.us",
  name: "Sales",
  description: "Orders and offers",
  picture: "https://example.com/pictures/sales.jpg",
  created: "2025-03-14T09:26:53.000Z",
} as const;
const channel = {
  id: "120363144038483540@newsletter",
  name: "Trunkline news",
  picture: "",
  isOwner: true,
  created: "2025-03-14T09:26:53.000Z",
} as const;

/** What is written of variant A's calls. */
export const texts: CallTexts<Replies, Bodies, Parameters> = {
  "create-session": {
    tag: "WhatsApp sessions",
    summary: "Create a session",
    description:
      "A session is one account. Its login begins at once: read `qrcode` or `pairingCode` with `GET /session` until `isConnected` is true. A session that nobody logs in within 3 minutes is deleted.",
    status: 201,
    requests: {
      qr: { summary: "Login by QR code", body: { label: "till 7" } },
      pairing: { summary: "Login by a code to type on the phone", body: { phone: "+1 555 010 0001", metadata: { shop: 7 } } },
    },
    reply: { id: session.id, sessionId: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" },
    errors: [whatsappErrors.invalidPhone],
  },
  "get-session": {
    tag: "WhatsApp sessions",
    summary: "Look at a session",
    description:
      "Safe to ask while the session is not connected. While a code waits to be scanned, ask every 2 to 3 seconds, and stop when `isConnected` is true.",
    reply: {
      id: session.id,
      generatedId: "15550100001@s.whatsapp.net",
      name: "Alice",
      username: "",
      phone: "15550100001",
      sessionId: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g",
      isConnected: true,
      qrcode: "",
      isPasswordRequired: false,
      passwordHint: "",
      picture: "",
      webhook: { url: "", token: "" },
      pairingCode: "",
    },
  },
  "reset-session": {
    tag: "WhatsApp sessions",
    summary: "Log out, and begin a new login",
    description: "The account is logged out. The session stays, with a new QR code that lasts 3 minutes.",
    reply: session,
  },
  "delete-session": {
    tag: "WhatsApp sessions",
    summary: "Log out, and forget the session",
    description: "Nothing of it is kept: from now on the pair of `id` and `session-id` is 404.",
    reply: session,
  },
  "send-message": {
    tag: "WhatsApp messages",
    summary: "Send a message",
    description:
      "Answers once the platform's server has accepted the message, which says nothing of its delivery. Files are downloaded by the service from public URLs. With an `Idempotency-Key` a repeat is not sent twice.",
    requests: mediaRequests({ phone: "15550100002" }),
    reply: { messageId: "3EB0C431C26A1916E07A" },
    errors: [whatsappErrors.invalidRecipient, sharedErrors.unknownType, sharedErrors.invalidContactPhone, sharedErrors.fileFromUrl],
  },
  "post-status": {
    tag: "WhatsApp messages",
    summary: "Post a status",
    description:
      "Who may see it follows the privacy setting on the account's phone, and only people who saved the account's number do. A text has a dark green background; pictures are compressed; a film without a thumbnail gets one.",
    requests: {
      text: { summary: "A text", body: { type: "text", text: "We are open until eight" } },
      image: {
        summary: "A picture with a caption",
        body: { type: "image", text: "New today", image: { url: "https://example.com/cake.jpg", mimetype: "image/jpeg" } },
      },
      video: {
        summary: "A film",
        body: { type: "video", video: { url: "https://example.com/oven.mp4", mimetype: "video/mp4", duration: 12 } },
      },
    },
    reply: { statusId: "3EB0C431C26A1916E07B" },
    errors: [sharedErrors.unknownType, sharedErrors.fileFromUrl, whatsappErrors.contactsNotSynced, whatsappErrors.noStatusContacts],
  },
  "send-typing": {
    tag: "WhatsApp messages",
    summary: "Show that somebody writes",
    description: "The indicator shows for 5 seconds. The answer has the id of the session.",
    requests: {
      text: { summary: "Writes", body: { phone: "15550100002" } },
      audio: { summary: "Records a voice note", body: { phone: "15550100002", type: "audio" } },
    },
    reply: session,
    errors: [whatsappErrors.invalidTypingRecipient, sharedErrors.unknownType],
  },
  "list-groups": {
    tag: "WhatsApp groups and channels",
    summary: "List groups",
    description: "All groups that the account is in. Pictures are fetched one by one, so many groups take a while.",
    reply: { docs: [group] },
  },
  "list-group-members": {
    tag: "WhatsApp groups and channels",
    summary: "List the members of a group",
    parameters: { groupId: group.id },
    reply: { docs: [{ id: "15550100002@s.whatsapp.net", name: "Bob", phone: "15550100002" }] },
    errors: [whatsappErrors.invalidGroupId, whatsappErrors.groupNotFound],
  },
  "get-group": {
    tag: "WhatsApp groups and channels",
    summary: "Look at a group",
    parameters: { groupId: group.id },
    reply: group,
    errors: [whatsappErrors.invalidGroupId, whatsappErrors.groupNotFound],
  },
  "list-channels": {
    tag: "WhatsApp groups and channels",
    summary: "List channels",
    description: "All channels that the account follows or runs.",
    reply: { docs: [channel] },
  },
  "list-channel-messages": {
    tag: "WhatsApp groups and channels",
    summary: "List the messages of a channel",
    description: "The newest first. The next page is asked for with the last `id` as `before`.",
    parameters: { channelId: channel.id, limit: 50, before: 0 },
    reply: {
      docs: [
        {
          id: "101",
          channelId: channel.id,
          type: "image",
          text: "New today",
          created: "2026-11-21T14:27:39.000Z",
          views: 12,
          mimetype: "image/jpeg",
          size: 105_825,
        },
      ],
    },
    errors: [whatsappErrors.channelNotFound],
  },
  "get-channel": {
    tag: "WhatsApp groups and channels",
    summary: "Look at a channel",
    parameters: { channelId: channel.id },
    reply: channel,
    errors: [whatsappErrors.channelNotFound],
  },
};
