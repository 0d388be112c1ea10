import type { EndpointsUnderTest } from "../platform-under-test.js";
import { badRequest, notConnected } from "../refused.js";

/** The endpoints of variant B, section "Endpoints", and those of the session itself. */
export const endpoints: EndpointsUnderTest<"telegram"> = {
  "get-session": { route: "GET /session", unconnected: "answers" },
  "submit-password": {
    route: "POST /session/password",
    body: { password: "x" },
    unconnected: badRequest("password is not required"),
  },
  "reset-session": { route: "POST /session/reset", unconnected: "answers" },
  "set-webhook": { route: "PUT /session/webhook", body: { url: "", token: "" }, unconnected: "answers" },
  "delete-session": { route: "DELETE /session", unconnected: "answers" },
  "send-message": { route: "POST /message", body: { phone: "15550100002", type: "text", text: "x" }, unconnected: notConnected },
  "forward-message": { route: "POST /message/forward", body: { phone: "15550100002", ref: "x" }, unconnected: notConnected },
  "send-voice": {
    route: "POST /message/voice",
    body: { phone: "15550100002", audio: { url: "http://example.com/a.ogg", mimetype: "audio/ogg", duration: 1 } },
    unconnected: notConnected,
  },
  "send-sticker": {
    route: "POST /message/sticker",
    body: { phone: "15550100002", image: { url: "http://example.com/a.png", mimetype: "image/png" } },
    unconnected: notConnected,
  },
  "send-album": {
    route: "POST /message/album",
    body: { phone: "15550100002", items: Array(2).fill({ image: { url: "http://example.com/a.png", mimetype: "image/png" } }) },
    unconnected: notConnected,
  },
  "send-poll": {
    route: "POST /message/poll",
    body: { phone: "15550100002", question: "?", options: ["a", "b"] },
    unconnected: notConnected,
  },
  "send-reaction": {
    route: "POST /message/reaction",
    body: { phone: "15550100002", messageId: "1", emoji: "👍" },
    unconnected: notConnected,
  },
  "read-message": { route: "POST /message/read", body: { phone: "15550100002", messageId: "1" }, unconnected: notConnected },
  "edit-message": { route: "PATCH /message/1", body: { phone: "15550100002", text: "x" }, unconnected: notConnected },
  "delete-message": { route: "DELETE /message/1?phone=15550100002", unconnected: notConnected },
  "send-typing": { route: "POST /typing", body: { phone: "15550100002", type: "text" }, unconnected: notConnected },
  "post-status": { route: "POST /status", body: { type: "text", text: "x" }, unconnected: notConnected },
  "list-groups": { route: "GET /group", unconnected: notConnected },
  "list-group-members": { route: "GET /group/member?groupId=-1001", unconnected: notConnected },
  "get-group": { route: "GET /group/-1001", unconnected: notConnected },
  "list-channels": { route: "GET /channel", unconnected: notConnected },
  "list-channel-messages": { route: "GET /channel/message?channelId=-1001", unconnected: notConnected },
  "list-chats": { route: "GET /chat", unconnected: notConnected },
  "list-chat-messages": { route: "GET /chat/message?chat=-1001", unconnected: notConnected },
  "list-contacts": { route: "GET /contact", unconnected: notConnected },
  "look-up-phones": { route: "GET /phone?phone=15550100002", unconnected: notConnected },
  "get-channel": { route: "GET /channel/-1001", unconnected: notConnected },
};
