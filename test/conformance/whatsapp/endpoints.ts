import type { EndpointsUnderTest } from "../platform-under-test.js";
import { notConnected } from "../refused.js";
import { unknownValues } from "./unknown-values.js";

const { group, newsletter, phone } = unknownValues;

/** The endpoints of variant A, section "Endpoints", and those of the session itself. */
export const endpoints: EndpointsUnderTest<"whatsapp"> = {
  "get-session": { route: "GET /session", unconnected: "answers" },
  "submit-passkey": {
    route: "POST /session/passkey",
    body: { credential: unknownValues.credential },
    unconnected: { status: 409, message: "no passkey requested" },
  },
  "confirm-passkey": { route: "POST /session/passkey/confirm", unconnected: { status: 409, message: "no code to confirm" } },
  "reset-session": { route: "POST /session/reset", unconnected: "answers" },
  "set-webhook": { route: "PUT /session/webhook", body: { url: "", token: "" }, unconnected: "answers" },
  "delete-session": { route: "DELETE /session", unconnected: "answers" },
  "send-message": { route: "POST /message", body: { phone, type: "text", text: "x" }, unconnected: notConnected },
  "forward-message": { route: "POST /message/forward", body: { phone, ref: "x" }, unconnected: notConnected },
  "send-voice": {
    route: "POST /message/voice",
    body: { phone, audio: { url: "http://example.com/a.ogg", mimetype: "audio/ogg", duration: 1 } },
    unconnected: notConnected,
  },
  "send-sticker": {
    route: "POST /message/sticker",
    body: { phone, image: { url: "http://example.com/a.png", mimetype: "image/png" } },
    unconnected: notConnected,
  },
  "send-album": {
    route: "POST /message/album",
    body: { phone, items: Array(2).fill({ image: { url: "http://example.com/a.png", mimetype: "image/png" } }) },
    unconnected: notConnected,
  },
  "send-poll": { route: "POST /message/poll", body: { phone, question: "?", options: ["a", "b"] }, unconnected: notConnected },
  "send-reaction": { route: "POST /message/reaction", body: { phone, messageId: "3EB0", emoji: "👍" }, unconnected: notConnected },
  "read-message": { route: "POST /message/read", body: { phone, messageId: "3EB0" }, unconnected: notConnected },
  "edit-message": { route: "PATCH /message/3EB0", body: { phone, text: "x" }, unconnected: notConnected },
  "delete-message": { route: `DELETE /message/3EB0?phone=${phone}`, unconnected: notConnected },
  "post-status": { route: "POST /status", body: { type: "text", text: "x" }, unconnected: notConnected },
  "send-typing": { route: "POST /typing", body: { phone }, unconnected: notConnected },
  "list-groups": { route: "GET /group", unconnected: notConnected },
  "list-group-members": { route: `GET /group/member?groupId=${group}`, unconnected: notConnected },
  "get-group": { route: `GET /group/${group}`, unconnected: notConnected },
  "list-channels": { route: "GET /channel", unconnected: notConnected },
  "list-channel-messages": { route: `GET /channel/message?channelId=${newsletter}`, unconnected: notConnected },
  "list-chats": { route: "GET /chat", unconnected: notConnected },
  "list-chat-messages": { route: `GET /chat/message?chat=${group}`, unconnected: notConnected },
  "list-contacts": { route: "GET /contact", unconnected: notConnected },
  "look-up-phones": { route: `GET /phone?phone=${phone}`, unconnected: notConnected },
  "get-channel": { route: `GET /channel/${newsletter}`, unconnected: notConnected },
};
