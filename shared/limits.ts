/** All numbers of the two documents' "Limits" tables, and this gateway's own limits where the documents have none. */

/** Variant B, "Limits": QR validity before deletion. */
export const qrValidityMs = 3 * 60_000;
/** Not in the documents: a platform's passkey challenge lasts 10 minutes. For one more minute, the session shows its result. */
export const passkeyWaitMs = 11 * 60_000;
/** Variant B, "Limits": password wait before deletion. */
export const passwordWaitMs = 30 * 60_000;
/** Variant B, "Limits": disconnected time before deletion is "more than 30 minutes". */
export const disconnectedMs = 30 * 60_000;
/** Variant B, "Limits": group members returned. */
export const groupMembersMax = 10_000;
/** Variant B, "Limits": group description cache. */
export const descriptionCacheMs = 5 * 60_000;
/** Variant B, "Limits": story canvas and largest side of an image story, pixels. */
export const storyCanvas = { width: 1080, height: 1920 } as const;
export const storyImageMaxPixels = 1080;
/** Variant B, "Limits": media chunk size. */
export const chunkBytes = 512 * 1024;
/** Variant B, "Limits": media chunk cache, after last use. */
export const chunkCacheSeconds = 3600;
/** Variant B, "Limits": media browser cache. */
export const mediaMaxAgeSeconds = 86_400;
/** Variant B, "Limits": platform media wait (then 503). */
export const mediaWaitMs = 30_000;
/** Variant B, "Limits": phone number length after tidying. */
export const phoneDigitsMin = 8;
/** Variant B, "Limits": send timeout. */
export const sendTimeoutMs = 240_000;

/** Variant A, "Limits": typing indicator lifetime. */
export const typingMs = 5_000;
/** How long the content of a sent message is kept, because a recipient's device may request it again. */
export const sentContentMs = 24 * 3_600_000;

/** Not in the documents: deadlines of lists, resets and passwords. */
export const listTimeoutMs = 60_000;
export const passwordTimeoutMs = 60_000;
/** Not in the documents: covers two platform requests, and a shard that has just taken over the session. */
export const passkeyTimeoutMs = 60_000;

/** Largest request body and command input; larger ones get 413. Limits the memory of a command stream. */
export const bodyMaxBytes = 64 * 1024;
/** Bodies with deeper nesting get 400 before they are parsed. */
export const jsonMaxDepth = 32;
/** Applies to `id` and `session-id`. */
export const headerMaxBytes = 128;
/** Applies to the header `Idempotency-Key`. */
export const idempotencyKeyMaxBytes = 255;
/** How long a repeated request with an idempotency key gets the first response. */
export const idempotencyMs = 24 * 3_600_000;
/** Idempotency keys of one session, or of one caller that creates sessions, within that time. */
export const idempotencyKeysMax = 10_000;
/**
 * How long the former key of `CRED_KEYS` is still needed after a rotation: outcomes and plans last for 24 h, and calls in flight end
 * within an hour.
 */
export const passingSealedMs = 25 * 3_600_000;
/** Larger outputs travel through the cache Redis under `big-reply:<id>`: a list of 10,000 members is about 1.2 MB. */
export const replyInlineMaxBytes = 32 * 1024;
export const replyMaxBytes = 64 * 1024 * 1024;
/** A command stream rejects entries beyond this length. Trimming it would lose accepted commands. */
export const commandStreamMax = 2_000;

/** shared/README.md, "Slots". Fixed for ever: a change would move every session's keys. */
export const slotCount = 4096;

/** Pending webhook events of a session. Beyond this number, the oldest becomes a dead letter. */
export const outboxMaxEvents = 10_000;
export const outboxMaxBytes = 16 * 1024 * 1024;
/** Largest value of `HISTORY_MESSAGES`: each page of chats reads the whole history. */
export const historyMessagesMax = 2_000;
/** Dead letters of a session. */
export const deadLettersMax = 1_000;
export const deadLetterMs = 7 * 24 * 3_600_000;
/** Applies to a webhook's URL and to its token. */
export const webhookFieldMaxBytes = 2_048;
