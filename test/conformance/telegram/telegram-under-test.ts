import { telegramEventTypes } from "../../../shared/contract/webhook-events.js";
import { passwordWaitMs } from "../../../shared/limits.js";
import type { PlatformUnderTest } from "../platform-under-test.js";
import { badRequest, serverError } from "../refused.js";
import { endpoints } from "./endpoints.js";
import { refusedRequests } from "./refused-requests.js";

const square = "-1001900000003";
const family = "-4000001";
const daily = "-1001900000013";

/** The facts of variant B. */
export const telegramUnderTest: PlatformUnderTest<"telegram"> = {
  platform: "telegram",
  endpoints,
  refusedRequests,
  refusedCreations: [],
  unknownChats: [
    { path: "/group/member?groupId=nobody_has_this_name", refused: badRequest("chat not found") },
    { path: "/group/member?groupId=alice_news", refused: badRequest("group not found") },
    { path: "/group/member?groupId=-1009999999999", refused: badRequest("chat not found") },
    { path: "/group/member?groupId=-1001900000002", refused: serverError("400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)") },
    { path: "/channel/sandbox_not_joined", refused: badRequest("channel not found") },
    { path: "/channel/sandbox_square", refused: badRequest("channel not found") },
    { path: "/channel/nobody_has_this_name", refused: badRequest("chat not found") },
    { path: "/channel/-1009999999999", refused: badRequest("chat not found") },
  ],
  absentRoutes: ["GET /webhook", "POST /webhook"],
  otherMethods: ["GET /session/password", "GET /session/webhook", "POST /session/webhook"],
  qrText: /^tg:\/\/login\?token=[A-Za-z0-9_-]{40,}$/,
  qrRefreshMs: 30_000,
  ownFields: {},
  grace: { generatedId: /^\d+$/, name: /غريس/, username: "grace_sandbox" },
  otherWaits: [
    { waitsFor: "a password", lastsMs: passwordWaitMs, scannedBy: "dave", isWaiting: ({ isPasswordRequired }) => isPasswordRequired },
  ],
  typingTo: [
    { name: "a basic group", to: ({ group }) => ({ group }), chat: ({ group }) => group },
    { name: "a public group", to: () => ({ group: "sandbox_square" }), chat: () => "-1001900000003" },
    { name: "a user", to: ({ userId }) => ({ user: userId }), chat: ({ userId }) => userId },
    { name: "a username", to: () => ({ username: "https://t.me/bob_sandbox" }), chat: ({ userId }) => userId },
    { name: "a phone", to: ({ phone }) => ({ phone }), chat: ({ userId }) => userId },
    { name: "a group that wins over a user", to: ({ group, userId }) => ({ group, user: userId }), chat: ({ group }) => group },
  ],
  refusedTyping: [
    [{ phone: "+15559999999" }, "phone is not on telegram or hidden by its privacy settings"],
    [{ user: "987654321" }, "chat not found"],
    [{ group: "alice_news" }, "group not found"],
  ],
  eventTypes: telegramEventTypes,
  listedEvents: [
    {
      type: "group.message.new",
      action: "send",
      fields: { chat: square, from: "carol", text: "to all of you" },
      data: { chat: { id: square }, text: "to all of you" },
    },
    {
      type: "channel.message.new",
      action: "send",
      fields: { chat: daily, text: "a post" },
      data: { chat: { id: daily }, text: "a post" },
    },
    {
      type: "group.changed",
      action: "group",
      fields: { chat: family, from: "bob", subject: "Family and friends" },
      data: { chat: { id: family }, change: "subject", value: "Family and friends" },
    },
  ],
  toBob: () => ({ username: "bob_sandbox" }),
  toChannel: (id) => ({ channel: id }),
};
