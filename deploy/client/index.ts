export { createClient, type ClientOptions } from "./create-client.js";
export type { ServerEvent } from "../../shared/flow/event-parser.js";
export { EventsRefused, readEvents, type EventsOptions } from "./read-events.js";
export { defaultTries, type Tries } from "./next-try.js";
export { retryingFetch, type Fetch } from "./retrying-fetch.js";
export type { components, paths, webhooks } from "./schema.js";
export { verifyWebhook, type VerifyOptions, type WebhookHeaders } from "./verify-webhook.js";
