import { passwordWaitMs } from "../../../shared/limits.js";
import type { PlatformUnderTest } from "../platform-under-test.js";
import { badRequest, serverError } from "../refused.js";
import { endpoints } from "./endpoints.js";
import { refusedRequests } from "./refused-requests.js";

/** Variant B. */
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
  absentRoutes: ["GET /session/password", "GET /session/webhook", "POST /session/webhook"],
  qrText: /^tg:\/\/login\?token=[A-Za-z0-9_-]{40,}$/,
  qrRefreshMs: 30_000,
  ownFields: {},
  grace: { generatedId: /^\d+$/, name: /غريس/, username: "grace_sandbox" },
  otherWaits: [
    { waitsFor: "a password", lastsMs: passwordWaitMs, scannedBy: "dave", isWaiting: ({ isPasswordRequired }) => isPasswordRequired },
  ],
  toBob: () => ({ username: "bob_sandbox" }),
};
