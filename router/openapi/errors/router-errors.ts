import * as errors from "../../http/errors.js";
import type { Catalog } from "./error-text.js";

/** Errors that only routers return. */
export const routerErrors = {
  wrongContentType: { error: errors.wrongContentType(), when: "The header `Content-Type` of the body is not JSON." },
  wrongContentEncoding: { error: errors.wrongContentEncoding(), when: "The body is compressed, such as with gzip." },
  bodyTooDeep: { error: errors.bodyTooDeep(), when: "The JSON is nested more than 32 levels deep." },
  invalidJson: { error: errors.invalidJson(), when: "The body is not valid JSON in UTF-8." },
  invalidEncoding: { error: errors.invalidEncoding(), when: "The path contains an invalid `%` sequence." },
  invalidApiKey: {
    error: errors.invalidApiKey(),
    when: "The header `x-api-key` is required and missing, or the key is wrong, expired or revoked.",
  },
  uncertainEnd: {
    error: errors.uncertainEnd(),
    when: "The request has two lengths, two hosts or an unknown transfer coding, so two servers could read it differently. The gateway closes the connection.",
  },
  invalidSignInCode: { error: errors.invalidSignInCode(), when: "The code is wrong, expired or already used." },
  roleRefused: { error: errors.roleRefused(), when: "The key is valid, but its role does not allow the call." },
  creationFromElsewhere: {
    error: errors.creationFromElsewhere(),
    when: "No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.",
  },
  administrationFromElsewhere: {
    error: errors.administrationFromElsewhere(),
    when: "No key is configured, and the request does not come from the same machine, or its host is not `localhost` or a loopback address.",
  },
  sessionQuotaReached: { error: errors.sessionQuotaReached(), when: "The tenant has reached its limit of sessions." },
  cannot: {
    error: errors.cannot("GET", "/whatsapp/webhook"),
    when: "The path does not exist. The message contains the method and the path.",
  },
  cannotBy: {
    error: errors.cannotBy("PUT", "/whatsapp/message"),
    when: "The path does not support the method. The header `Allow` lists the supported methods.",
  },
  bodyTooLate: { error: errors.bodyTooLate(), when: "The body arrived too slowly while the router was busy." },
  bodyTooLarge: { error: errors.bodyTooLarge(), when: "The body is larger than 64 KiB." },
  commandTooLarge: { error: errors.commandTooLarge(), when: "The fields of the body are together larger than a shard accepts." },
  notOnce: {
    error: errors.notOnce("tenant", 256),
    when: "A query parameter was sent twice or is too long. The message contains the parameter.",
  },
  notNextOfPage: { error: errors.notNextOfPage(), when: "`after` is not the `next` of an earlier page." },
  notDatabaseId: { error: errors.notDatabaseId("session"), when: "The parameter is not a session id." },
  notTime: { error: errors.notTime("since"), when: "The parameter is not a time with a time zone." },
  notEventId: { error: errors.notEventId(), when: "`Last-Event-ID` is not the id of an event." },
  notKeyName: { error: errors.notKeyName(), when: "`key` is not the name of a key." },
  burstAlone: { error: errors.burstAlone(), when: "`burst` needs `requestsPerSecond`." },
  tenantNotFound: { error: errors.tenantNotFound(), when: "The tenant does not exist." },
  keyNotFound: { error: errors.keyNotFound(), when: "The key does not exist or was revoked." },
  tenantExists: { error: errors.tenantExists(), when: "A tenant with this name exists." },
  noMoreTenants: { error: errors.noMoreTenants(), when: "The deployment has 10,000 tenants, the maximum." },
  defaultTenantStays: { error: errors.defaultTenantStays(), when: "The tenant `default` cannot be deleted." },
  tenantHasSessions: { error: errors.tenantHasSessions(), when: "The tenant has sessions. Delete them first." },
  noMoreKeys: { error: errors.noMoreKeys(), when: "The deployment has 10,000 keys, the maximum." },
  sandboxResponseTooLong: { error: errors.sandboxResponseTooLong(), when: "Only the sandbox button of the console gets this error." },
  sandboxDidNotRespond: { error: errors.sandboxDidNotRespond(), when: "Only the sandbox button of the console gets this error." },
  tooManyEventStreams: {
    error: errors.tooManyEventStreams(),
    when: "The router has 200 streams, or the key has 8. Retry, or use another router.",
  },
} satisfies Catalog<typeof errors>;
