/**
 * Every number of the two documents' "Limits" tables, and the bounds that we set where they are silent.
 * Units stand in the names.
 */

/** Variant B, "Limits": QR validity before deletion. */
export const qrValidityMs = 3 * 60_000;
/** Ours: a platform's challenge for a passkey lasts 10 minutes; in the one after it the session says what came of it. */
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
/** How long the content of a sent message is kept, in case a recipient's device asks for it again. */
export const sentContentMs = 24 * 3_600_000;

/** Ours: deadlines of lists, resets and passwords. */
export const listTimeoutMs = 60_000;
export const passwordTimeoutMs = 60_000;
/** Ours: two questions of the platform, and a shard that has just taken the session over. */
export const passkeyTimeoutMs = 60_000;

/** A request's body and a command's input; larger ones are answered 413. It bounds what a command stream can hold. */
export const bodyMaxBytes = 64 * 1024;
/** Deeper bodies are 400 before a parser sees them. */
export const jsonMaxDepth = 32;
/** Of `id` and of `session-id`. */
export const headerMaxBytes = 128;
/** Of the header `Idempotency-Key`. */
export const idempotencyKeyMaxBytes = 255;
/** So long a repeat of a request with such a key gets the first one's answer. */
export const idempotencyMs = 24 * 3_600_000;
/** Keys that a session, or a caller who creates sessions, may use within that time. */
export const idempotencyKeysMax = 10_000;
/** So long after another key of `CRED_KEYS` seals, outcomes and plans may still want the one before: they last for 24 h at most, and what began before the change ends within the hour. */
export const passingSealedMs = 25 * 3_600_000;
/** Larger outputs travel through the cache Redis under `big-reply:<id>`: a list of 10,000 members is about 1.2 MB. */
export const replyInlineMaxBytes = 32 * 1024;
export const replyMaxBytes = 64 * 1024 * 1024;
/** A command stream refuses entries past this length: trimming would lose what was accepted. */
export const commandStreamMax = 2_000;

/** shared/README.md, "Slots". Fixed for ever: a change would move every session's keys. */
export const slotCount = 4096;

/** Events that wait for their receiver, per session; past it the oldest becomes a dead letter. */
export const outboxMaxEvents = 10_000;
export const outboxMaxBytes = 16 * 1024 * 1024;
/** Events that were given up, per session. */
export const deadLettersMax = 1_000;
export const deadLetterMs = 7 * 24 * 3_600_000;
/** URL and token of a webhook, each. */
export const webhookFieldMaxBytes = 2_048;
