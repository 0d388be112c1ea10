import * as errors from "../../../shared/contract/errors.js";
import type { Catalog } from "./error-text.js";

/** Errors of both variants, or of both shards and routers. */
export const sharedErrors = {
  invalidHeader: {
    error: errors.invalidHeader(),
    when: "A required header is missing, empty, longer than 128 bytes, sent twice, or not ASCII.",
  },
  unknownType: { error: errors.unknownType(["text", "image", "video"]), when: "The call does not support this `type`." },
  textIsEmpty: { error: errors.textIsEmpty(), when: "`text` has no visible characters." },
  invalidContactPhone: { error: errors.invalidContactPhone(), when: "The contact's phone number does not have 5 to 15 digits." },
  oneOfUrlAndToken: { error: errors.oneOfUrlAndToken(), when: "The body has only one of `url` and `token`." },
  invalidWebhookUrl: { error: errors.invalidWebhookUrl(), when: "`url` is not a valid `http` or `https` URL." },
  invalidWebhookToken: { error: errors.invalidWebhookToken(), when: "`token` cannot be sent in a header." },
  invalidEvents: {
    error: errors.invalidEvents(["message.new", "message.edited", "…"]),
    when: "`events` has a type that the platform does not have. The message lists the platform's types.",
  },
  invalidMention: {
    error: errors.invalidMention(),
    when: "An element of `mentions` is not the id of a person, or on WhatsApp a phone number.",
  },
  tooManyMentions: {
    error: errors.tooManyMentions(),
    when: "`mentions` has more than 1,024 elements.",
  },
  notVoice: {
    error: errors.notVoice(),
    when: "The file at `audio.url` is not an Ogg file with Opus, the format that both platforms play as a voice message.",
  },
  invalidOptionCount: {
    error: errors.invalidOptionCount(),
    when: "`options` is missing, is not a list, or does not have 2 to 12 elements.",
  },
  invalidOption: {
    error: errors.invalidOption(),
    when: "An element of `options` is not a text, is empty, has more than 100 characters, or equals another one.",
  },
  invalidMultiple: { error: errors.invalidMultiple(), when: "`multiple` is neither `true` nor `false`." },
  invalidItemCount: { error: errors.invalidItemCount(), when: "`items` is missing, is not a list, or does not have 2 to 10 elements." },
  invalidItem: {
    error: errors.invalidItem(),
    when: "An element of `items` is not an object, or does not have exactly one of `image` and `video`.",
  },
  nothingToChange: {
    error: errors.nothingToChange(["name", "picture", "…"]),
    when: "The body has none of the fields that the call changes. The message lists them.",
  },
  invalidPictureUrl: { error: errors.invalidPictureUrl(), when: "`picture` is not a valid `http` or `https` URL." },
  invalidMemberCount: {
    error: errors.invalidMemberCount(),
    when: "`members` is missing, is not a list, or does not have 1 to 256 elements. In a query, the fields of people count together.",
  },
  invalidInviteLink: { error: errors.invalidInviteLink(), when: "`link` is neither an invite link of the platform nor the code of one." },
  invalidReply: { error: errors.invalidReply(), when: "`replyTo` has neither the form of a message id nor that of a `ref`." },
  invalidRef: { error: errors.invalidRef(), when: "The `ref` was changed, or belongs to another account or tenant." },
  invalidPhoneCount: { error: errors.invalidPhoneCount(), when: "`phone` is missing, or has more than 50 numbers." },
  invalidAfter: { error: errors.invalidAfter(), when: "`after` is not the `next` of a page." },
  invalidPlatformId: { error: errors.invalidPlatformId(), when: "The link was changed." },
  refusedWebhookUrl: {
    error: errors.refusedWebhookUrl(),
    when: "The address of the receiver is a metadata, link-local or reserved address, or belongs to the gateway.",
  },
  invalidIdempotencyKey: { error: errors.invalidIdempotencyKey(), when: "`Idempotency-Key` is empty, too long or not printable ASCII." },
  repeatedIdempotencyKey: { error: errors.repeatedIdempotencyKey(), when: "`Idempotency-Key` was sent twice." },
  sessionNotFound: {
    error: errors.sessionNotFound(),
    when: "The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or the session was deleted.",
  },
  mediaNotFound: {
    error: errors.mediaNotFound(),
    when: "The link was changed, its message was deleted, or the platform no longer has the file.",
  },
  memberNotFound: { error: errors.memberNotFound(), when: "No process has that name." },
  slotNotFound: { error: errors.slotNotFound(), when: "The number is larger than that of the last slot." },
  memberIsNoShard: { error: errors.memberIsNoShard(), when: "The process is a router or a supervisor, which have no slots." },
  lastActiveMember: { error: errors.lastActiveMember(), when: "No other shard could take the slots." },
  memberTakesNoSlots: { error: errors.memberTakesNoSlots(), when: "The shard is drained, stopping or dead." },
  keyIsMissing: {
    error: errors.keyIsMissing("b", ["router-1", "shard-2"]),
    when: "Some processes do not have the key. The message lists them.",
  },
  sessionNotDeleted: { error: errors.sessionNotDeleted(), when: "The session is not deleted." },
  webhookIsOff: { error: errors.webhookIsOff(), when: "The session has no webhook." },
  webhookIsFull: { error: errors.webhookIsFull(), when: "10,000 events or 16 MiB are pending. A test event would replace a real event." },
  rangeNotSatisfiable: { error: errors.rangeNotSatisfiable(), when: "The range starts after the end of the file." },
  idempotencyKeyReused: {
    error: errors.idempotencyKeyReused(),
    when: "The same `Idempotency-Key` was used within 24 hours with another body or call. The gateway did nothing.",
  },
  sessionNotConnected: {
    error: errors.sessionNotConnected(),
    when: "The session is not connected, or the platform did not respond in time.",
  },
  sessionNotActive: {
    error: errors.sessionNotActive(),
    when: "The session is not active yet, for example after a restart. Retry in a few seconds.",
  },
  fileFromUrl: { error: errors.fileFromUrl("404 Not Found"), when: "The file could not be downloaded from its URL, or has another type." },
  sendTimeout: { error: errors.sendTimeout(), when: "The platform did not accept the message within 4 minutes." },
  compressImage: {
    error: errors.compressImage("unsupported image format, found application/pdf"),
    when: "The image could not be processed. Supported: JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP.",
  },
  internal: { error: errors.internal(), when: "The gateway failed. Its logs have the cause under the `x-request-id` of the response." },
  outcomeUnknown: {
    error: errors.outcomeUnknown(),
    when: "The result is unknown. The gateway does not retry, because the action could then happen twice.",
  },
  tooManyRequests: {
    error: errors.tooManyRequests(),
    when: "A quota of the tenant, the session's share of a router, or the limit of failed sign-ins is reached. Wait for `Retry-After` seconds.",
  },
  accountRestricted: {
    error: errors.accountRestricted(86_400_000),
    when: "The platform restricted the account (463, `PEER_FLOOD`, a lock of new chats, or a cap on them), and the recipient has not written to it. `Retry-After` is the time until the restriction ends. The gateway sent nothing.",
  },
  tooManyIdempotencyKeys: {
    error: errors.tooManyIdempotencyKeys(60_000),
    when: "10,000 idempotency keys were used within 24 hours. Requests without a key still work.",
  },
  serverBusy: {
    error: errors.serverBusy(),
    when: "A queue is full, or a share is used up. The gateway did nothing. Wait for `Retry-After` seconds.",
  },
  storageUnavailable: {
    error: errors.storageUnavailable(),
    when: "Redis does not respond, or has lost data. The gateway did nothing. Wait for `Retry-After` seconds.",
  },
} satisfies Catalog<typeof errors>;
