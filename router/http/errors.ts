import { ApiError } from "../../shared/contract/api-error.js";
import { jsonMaxDepth } from "../../shared/limits.js";

/** One function per message that only routers use. Messages that shards use too stand in the contract. */

/** Two servers could read such bytes as different requests. */
export const uncertainEnd = (): ApiError => new ApiError(400, "invalid host, content-length or transfer-encoding header");
export const wrongContentType = (): ApiError => new ApiError(400, "content-type must be application/json");
export const wrongContentEncoding = (): ApiError => new ApiError(400, "content-encoding must be identity");
export const bodyTooDeep = (): ApiError => new ApiError(400, `body must not be nested deeper than ${jsonMaxDepth} levels`);
export const invalidJson = (cause?: unknown): ApiError => new ApiError(400, "body must be valid JSON", { cause });
export const invalidEncoding = (cause?: unknown): ApiError => new ApiError(400, "path is not properly encoded", { cause });

export const invalidApiKey = (): ApiError => new ApiError(401, "invalid api key");
export const invalidSignInCode = (): ApiError => new ApiError(401, "invalid sign-in code");
export const roleRefused = (): ApiError => new ApiError(403, "the role of this api key does not permit this call");
export const creationFromElsewhere = (): ApiError =>
  new ApiError(403, "without a configured api key, sessions can be created from this machine only");
export const administrationFromElsewhere = (): ApiError =>
  new ApiError(403, "without a configured api key, administration is possible from this machine only");
export const sessionQuotaReached = (): ApiError => new ApiError(403, "session quota reached");

/** The path does not exist. The method and path are the caller's own text. */
export const cannot = (method: string, path: string): ApiError => new ApiError(404, `Cannot ${method} ${path}`);
/** The path exists with other methods. */
export const cannotBy = (method: string, path: string): ApiError => new ApiError(405, `Cannot ${method} ${path}`);

export const bodyTooLate = (): ApiError => new ApiError(408, "request body did not come in time");
export const bodyTooLarge = (): ApiError => new ApiError(413, "request body is too large");
/** The command for the shard is larger than the limit, although the body was not. */
export const commandTooLarge = (): ApiError => new ApiError(413, "request entity too large");

// Messages of the operators' API
export const notOnce = (name: string, most: number): ApiError =>
  new ApiError(400, `${name} must be given once, with at most ${most} characters`);
export const notNextOfPage = (): ApiError => new ApiError(400, "after must be the next of a previous page");
export const notDatabaseId = (field: string): ApiError => new ApiError(400, `${field} must be a database id`);
export const notTime = (field: string): ApiError => new ApiError(400, `${field} must be a time such as 2026-11-22T10:00:00Z`);
export const notEventId = (): ApiError => new ApiError(400, "last-event-id must be the id of an event");
export const notKeyName = (): ApiError => new ApiError(400, "key must be one letter or digit");
export const burstAlone = (): ApiError => new ApiError(400, "quotas.burst needs quotas.requestsPerSecond");

export const tenantNotFound = (): ApiError => new ApiError(404, "tenant not found");
export const keyNotFound = (): ApiError => new ApiError(404, "key not found");

export const tenantExists = (): ApiError => new ApiError(409, "tenant exists");
export const noMoreTenants = (): ApiError => new ApiError(409, "tenant limit reached");
export const defaultTenantStays = (): ApiError => new ApiError(409, "tenant default always exists");
export const tenantHasSessions = (): ApiError => new ApiError(409, "tenant has sessions");
export const noMoreKeys = (): ApiError => new ApiError(409, "key limit reached");

export const tooManyEventStreams = (): ApiError => new ApiError(429, "too many event streams", { retryAfterSeconds: 5 });

// Messages of the console's sandbox button
export const sandboxResponseTooLong = (): ApiError => new ApiError(503, "the sandbox's answer is too long", { retryAfterSeconds: 5 });
/** The reply did not come from a sandbox. */
export const sandboxDidNotRespond = (cause?: unknown): ApiError =>
  new ApiError(503, "the sandbox did not answer", { retryAfterSeconds: 5, cause });
