import { sharedErrors } from "../errors/shared-errors.js";
import type { CallTexts } from "../call-text.js";
import { mediaRequests } from "../message-requests.js";
import { telegramErrors } from "./errors.js";
import type { Bodies, Parameters, Replies } from "./types.js";

const session = { id: "6b01aa5342b4f53c9f4c7e33" } as const;
const group = {
  id: "-1001000000001",
  name: "Sales",
  username: "sales_sandbox",
  description: "Orders and offers",
  picture: "",
  created: "2025-03-14T09:26:53.000Z",
} as const;
const channel = {
  id: "-1002000000001",
  name: "Alice's news",
  username: "alice_news",
  picture: "",
  isOwner: true,
  created: "2025-03-14T09:26:53.000Z",
} as const;
const message = "http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/-1002000000001/101";
const ofChat = [telegramErrors.invalidChat, telegramErrors.chatNotFound, telegramErrors.platformError];
const ofPerson = [telegramErrors.invalidReceiver, telegramErrors.phoneNotFound, ...ofChat];

/** What is written of variant B's calls. */
export const texts: CallTexts<Replies, Bodies, Parameters> = {
  "create-session": {
    tag: "Telegram sessions",
    summary: "Create a session",
    description:
      "A session is one account. Its login begins at once: read `qrcode` with `GET /session` until `isConnected` or `isPasswordRequired` is true. A session that nobody logs in within 3 minutes is deleted.",
    status: 201,
    requests: { qr: { summary: "Login by QR code", body: { label: "till 7", metadata: { shop: 7 } } } },
    reply: { id: session.id, sessionId: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" },
  },
  "get-session": {
    tag: "Telegram sessions",
    summary: "Look at a session",
    description:
      "Safe to ask while the session is not connected. While a code waits to be scanned, ask every 2 to 3 seconds, and stop when `isConnected` or `isPasswordRequired` is true. To show the code, put `data:image/png;base64,` before `qrcode`.",
    reply: {
      id: session.id,
      generatedId: "5100000001",
      name: "Alice",
      username: "alice_sandbox",
      phone: "15550100001",
      sessionId: "nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g",
      isConnected: true,
      qrcode: "",
      isPasswordRequired: false,
      passwordHint: "",
      picture: "",
      webhook: { url: "https://example.com/hooks/trunkline", token: "s3cret" },
    },
  },
  "submit-password": {
    tag: "Telegram sessions",
    summary: "Answer for the two-step password",
    description:
      "Only while `isPasswordRequired` is true. On success the session is connected. Five tries an hour; after 30 minutes without one the session is deleted.",
    requests: { password: { summary: "The password", body: { password: "correct horse" } } },
    reply: session,
    errors: [telegramErrors.invalidPassword, telegramErrors.passwordNotRequired, telegramErrors.passwordWait, telegramErrors.platformError],
  },
  "set-webhook": {
    tag: "Telegram sessions",
    summary: "Set where events go",
    description:
      "From the answer on, the receiver is told what happens in private chats; two empty texts turn it off. Another URL or token loses nothing: what waits goes to the new receiver. May be set before the login.",
    requests: {
      on: { summary: "Turn it on", body: { url: "https://example.com/hooks/trunkline", token: "s3cret" } },
      off: { summary: "Turn it off", body: { url: "", token: "" } },
    },
    reply: session,
    errors: [
      telegramErrors.oneOfUrlAndToken,
      telegramErrors.invalidWebhookUrl,
      telegramErrors.invalidWebhookToken,
      sharedErrors.refusedWebhookUrl,
    ],
  },
  "reset-session": {
    tag: "Telegram sessions",
    summary: "Log out, and begin a new login",
    description: "The account is logged out. The session stays, with a new QR code that lasts 3 minutes.",
    reply: session,
  },
  "delete-session": {
    tag: "Telegram sessions",
    summary: "Log out, and forget the session",
    description: "Nothing of it is kept: from now on the pair of `id` and `session-id` is 404, and its media links are too.",
    reply: session,
  },
  "send-message": {
    tag: "Telegram messages",
    summary: "Send a message",
    description:
      "Answers once the platform has accepted the message. Files are downloaded by the service from public URLs. With an `Idempotency-Key` a repeat is not sent twice.",
    requests: {
      ...mediaRequests({ username: "bob_sandbox" }),
      formatted: {
        summary: "Text with marks",
        body: { username: "bob_sandbox", type: "text", text: "**Sale** until eight", parseMode: "markdown" },
      },
    },
    reply: { messageId: "301" },
    errors: [
      telegramErrors.invalidRecipient,
      ...ofPerson,
      telegramErrors.groupNotFound,
      telegramErrors.channelNotFound,
      sharedErrors.unknownType,
      sharedErrors.invalidContactPhone,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
    ],
  },
  "send-typing": {
    tag: "Telegram messages",
    summary: "Show that somebody writes",
    description: "The platform ends the indicator by itself after 6 seconds. The answer has the id of the session.",
    requests: {
      text: { summary: "Writes", body: { username: "bob_sandbox" } },
      audio: { summary: "Records a voice note", body: { username: "bob_sandbox", type: "audio" } },
    },
    reply: session,
    errors: [telegramErrors.invalidTypingRecipient, ...ofPerson, telegramErrors.groupNotFound, sharedErrors.unknownType],
  },
  "post-status": {
    tag: "Telegram messages",
    summary: "Post a story",
    description:
      "A story on the account's profile. The platform has no text stories: a text is drawn on a picture. The platform does not notice a story that comes twice, so after a lost answer it is never sent again.",
    requests: {
      text: { summary: "A text", body: { type: "text", text: "We are open until eight", privacy: "everyone" } },
      image: {
        summary: "A picture with a caption",
        body: { type: "image", text: "New today", image: { url: "https://example.com/cake.jpg", mimetype: "image/jpeg" } },
      },
      video: {
        summary: "A film",
        body: { type: "video", video: { url: "https://example.com/oven.mp4", mimetype: "video/mp4", duration: 12 } },
      },
    },
    reply: { statusId: "17" },
    errors: [
      sharedErrors.unknownType,
      sharedErrors.textIsEmpty,
      telegramErrors.undrawable,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      telegramErrors.platformError,
    ],
  },
  "list-groups": {
    tag: "Telegram groups and channels",
    summary: "List groups",
    description:
      "All groups that the account is in. Descriptions and photos are fetched one by one, so many groups make the first answer slow.",
    reply: { docs: [group] },
    errors: [telegramErrors.platformError],
  },
  "list-group-members": {
    tag: "Telegram groups and channels",
    summary: "List the members of a group",
    description: "Up to 10,000 members. A group that hides its members shows them to administrators alone.",
    parameters: { groupId: group.id },
    reply: { docs: [{ id: "5100000002", name: "Bob Builder", username: "bob_sandbox", phone: "15550100002" }] },
    errors: [telegramErrors.groupNotFound, ...ofChat],
  },
  "get-group": {
    tag: "Telegram groups and channels",
    summary: "Look at a group",
    parameters: { groupId: group.id },
    reply: group,
    errors: [telegramErrors.groupNotFound, ...ofChat],
  },
  "list-channels": {
    tag: "Telegram groups and channels",
    summary: "List channels",
    description: "All channels that the account follows or runs; never a group.",
    reply: { docs: [channel] },
    errors: [telegramErrors.platformError],
  },
  "list-channel-messages": {
    tag: "Telegram groups and channels",
    summary: "List the messages of a channel",
    description: "The newest first, media as signed links. The next page is asked for with the last `id` as `before`.",
    parameters: { channelId: channel.id, limit: 50, before: 0 },
    reply: {
      docs: [
        {
          id: "101",
          channelId: channel.id,
          type: "image",
          text: "New today",
          created: "2026-11-21T14:27:39.000Z",
          edited: "",
          views: 12,
          url: `${message}/photo/aTUb_LcflPGV6HtpS_dybURhJX6Y.jpg`,
          thumbnail: `${message}/thumb/aKbqdZUT2tdJ0VDWYbEL1TMyOht0.jpg`,
          mimetype: "image/jpeg",
          name: "",
          size: 105_825,
          duration: 0,
          width: 2560,
          height: 1920,
        },
      ],
    },
    errors: [telegramErrors.channelNotFound, ...ofChat],
  },
  "get-channel": {
    tag: "Telegram groups and channels",
    summary: "Look at a channel",
    description: "Only channels that the account follows.",
    parameters: { channelId: channel.id },
    reply: channel,
    errors: [telegramErrors.channelNotFound, ...ofChat],
  },
};
