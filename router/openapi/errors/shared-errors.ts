import * as errors from "../../../shared/contract/errors.js";
import type { Catalog } from "./error-text.js";

/** Sentences of both variants, or of shards and routers. */
export const sharedErrors = {
  invalidHeader: {
    error: errors.invalidHeader(),
    when: "A header that must be there is missing, empty, longer than 128 bytes, sent twice, or not ASCII.",
  },
  unknownType: { error: errors.unknownType(["text", "image", "video"]), when: "`type` is none of those that the endpoint takes." },
  textIsEmpty: { error: errors.textIsEmpty(), when: "Nothing can be seen in `text`." },
  invalidContactPhone: { error: errors.invalidContactPhone(), when: "The contact's number has not 5 to 15 digits." },
  refusedWebhookUrl: {
    error: errors.refusedWebhookUrl(),
    when: "The receiver's address is a metadata, link-local or reserved one, or one of our own servers.",
  },
  invalidIdempotencyKey: { error: errors.invalidIdempotencyKey(), when: "`Idempotency-Key` is no such text." },
  repeatedIdempotencyKey: { error: errors.repeatedIdempotencyKey(), when: "`Idempotency-Key` was sent twice." },
  sessionNotFound: {
    error: errors.sessionNotFound(),
    when: "The pair of `id` and `session-id` is wrong, the session belongs to another tenant, or it was deleted.",
  },
  memberNotFound: { error: errors.memberNotFound(), when: "No process has that name." },
  slotNotFound: { error: errors.slotNotFound(), when: "The number is past the last slot." },
  memberIsNoShard: { error: errors.memberIsNoShard(), when: "The process is a router or supervisor: it owns no slots." },
  lastActiveMember: { error: errors.lastActiveMember(), when: "Nobody else could take its slots." },
  memberTakesNoSlots: { error: errors.memberTakesNoSlots(), when: "The shard is drained, leaves, or is dead." },
  keyIsMissing: {
    error: errors.keyIsMissing("b", ["router-1", "shard-2"]),
    when: "A process could not open what that key seals. It names all of them.",
  },
  sessionNotDeleted: { error: errors.sessionNotDeleted(), when: "The session lives." },
  webhookIsOff: { error: errors.webhookIsOff(), when: "The session has no receiver." },
  webhookIsFull: { error: errors.webhookIsFull(), when: "10,000 events or 16 MiB wait already: a test event would push out a real one." },
  idempotencyKeyReused: {
    error: errors.idempotencyKeyReused(),
    when: "The same `Idempotency-Key` came with another body, or on another endpoint, within 24 hours. Nothing was done.",
  },
  sessionNotConnected: {
    error: errors.sessionNotConnected(),
    when: "The session exists and is not connected now, or the platform did not answer in time.",
  },
  sessionNotActive: {
    error: errors.sessionNotActive(),
    when: "The session is stored and not active yet, as after a restart. Ask again in a few seconds.",
  },
  fileFromUrl: { error: errors.fileFromUrl("404 Not Found"), when: "A file could not be downloaded from its URL, or is no such file." },
  sendTimeout: { error: errors.sendTimeout(), when: "The platform did not accept it within 4 minutes." },
  compressImage: {
    error: errors.compressImage("unsupported image format, found application/pdf"),
    when: "The picture could not be processed. JPEG, PNG, WebP, GIF, TIFF, AVIF and BMP are read.",
  },
  internal: { error: errors.internal(), when: "A failure on our side. Its cause stands in the logs under the answer's `x-request-id`." },
  outcomeUnknown: { error: errors.outcomeUnknown(), when: "Nobody knows whether it was done, and it must not be done twice." },
  tooManyRequests: {
    error: errors.tooManyRequests(),
    when: "A tenant's quota, a session's share of a router, or the limit of wrong credentials is reached. `Retry-After` says how long to wait.",
  },
  tooManyIdempotencyKeys: {
    error: errors.tooManyIdempotencyKeys(60_000),
    when: "10,000 keys were used within 24 hours. Requests without one go on.",
  },
  serverBusy: {
    error: errors.serverBusy(),
    when: "A queue is full, a share is used up, or Redis does not answer. Nothing was begun; `Retry-After` says how long to wait.",
  },
} satisfies Catalog<typeof errors>;
