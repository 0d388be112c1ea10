import { whatsappEventTypes } from "../../../shared/contract/webhook-events.js";
import { passkeyWaitMs, qrValidityMs, typingMs } from "../../../shared/limits.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { PlatformUnderTest } from "../platform-under-test.js";
import { serverError } from "../refused.js";
import { endpoints } from "./endpoints.js";
import { unknownValues } from "./unknown-values.js";
import { refusedRequests } from "./refused-requests.js";

const noChannel = serverError("channel not found");
const noGroup = serverError("group not found");

/** The facts of variant A. */
export const whatsappUnderTest: PlatformUnderTest<"whatsapp"> = {
  platform: "whatsapp",
  endpoints,
  refusedRequests,
  refusedCreations: ["1234567", "hello", "00", 1234567].map((phone) => [{ phone }, "invalid phone"] as const),
  unknownChats: [
    { path: `/channel/${unknownValues.newsletter}`, refused: noChannel },
    { path: "/channel/nobody", refused: noChannel },
    { path: "/channel/1%40g.us", refused: noChannel },
    { path: `/channel/message?channelId=${unknownValues.newsletter}`, refused: noChannel },
    { path: "/channel/message?channelId=nobody", refused: noChannel },
    { path: `/group/${unknownValues.group}`, refused: noGroup },
    { path: `/group/member?groupId=${unknownValues.group}`, refused: noGroup },
  ],
  // These include the retired webhook and the routes of variant B only.
  absentRoutes: ["GET /webhook", "POST /webhook", "PUT /webhook", "DELETE /webhook", "POST /session/password"],
  otherMethods: ["GET /session/webhook", "POST /session/webhook", "GET /typing", "DELETE /group", "POST /channel/1"],
  qrText: /^https:\/\/wa\.me\/settings\/linked_devices#[^,]+(,[^,]+){4}$/,
  ownFields: { pairingCode: "" },
  grace: { generatedId: /./, name: "غريس الحسن 🕊️", username: "" },
  otherWaits: [
    {
      waitsFor: "the pairing code that somebody types",
      lastsMs: qrValidityMs,
      creation: { phone: "6281155501010" },
      isWaiting: ({ pairingCode }) => pairingCode !== undefined && pairingCode !== "",
    },
    {
      waitsFor: "the passkey that the platform asks for",
      lastsMs: passkeyWaitMs,
      scannedBy: "passkey",
      isWaiting: ({ passwordHint }) => passwordHint !== "",
    },
  ],
  typingTo: [
    { name: "a phone", to: ({ phone }) => ({ phone: `+${phone}` }), chat: ({ phone }) => `${phone}@s.whatsapp.net` },
    { name: "a group", to: ({ group }) => ({ group }), chat: ({ group }) => group },
    { name: "a group that wins over a phone", to: ({ group, phone }) => ({ group, phone }), chat: ({ group }) => group },
  ],
  refusedTyping: [],
  typingMs,
  eventTypes: whatsappEventTypes,
  listedEvents: [
    {
      type: "message.reaction",
      action: "edit",
      fields: { messageId: "3EB0A1", reaction: "👍" },
      data: { messageId: "3EB0A1", emoji: "👍" },
    },
    {
      type: "group.message.new",
      action: "send",
      fields: { chat: sharedGroups.family, from: "carol", text: "to all of you" },
      data: { chat: { id: sharedGroups.family }, text: "to all of you" },
    },
    {
      type: "channel.message.new",
      action: "send",
      fields: { chat: sharedChannels.daily, text: "a post" },
      data: { chat: { id: sharedChannels.daily }, text: "a post" },
    },
    {
      type: "group.changed",
      action: "group",
      fields: { chat: sharedGroups.family, subject: "Family and friends" },
      data: { chat: { id: sharedGroups.family }, change: "subject", value: "Family and friends" },
    },
    { type: "call.offered", action: "call", fields: { video: true }, data: { video: true } },
  ],
  toBob: (phone) => ({ phone }),
  toChannel: (id) => ({ newsletter: id }),
};
