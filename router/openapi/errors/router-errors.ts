import * as errors from "../../http/errors.js";
import type { Catalog } from "./error-text.js";

/** Sentences of routers alone. */
export const routerErrors = {
  wrongContentType: { error: errors.wrongContentType(), when: "A body came that is not declared as JSON." },
  wrongContentEncoding: { error: errors.wrongContentEncoding(), when: "The body is packed, as by gzip." },
  bodyTooDeep: { error: errors.bodyTooDeep(), when: "Brackets are nested deeper." },
  invalidJson: { error: errors.invalidJson(), when: "The body is no JSON, or not in UTF-8." },
  invalidEncoding: { error: errors.invalidEncoding(), when: "A `%` in the path begins no character." },
  invalidApiKey: {
    error: errors.invalidApiKey(),
    when: "The header `x-api-key` is missing where it must be there, or nobody has that key.",
  },
  uncertainEnd: {
    error: errors.uncertainEnd(),
    when: "Two lengths, two hosts, or an unknown coding: two servers could read it as different requests. The connection ends.",
  },
  invalidSignInCode: { error: errors.invalidSignInCode(), when: "The code was used, is too old, or never was one." },
  roleRefused: { error: errors.roleRefused(), when: "The key is right, and its role never may do that." },
  creationFromElsewhere: {
    error: errors.creationFromElsewhere(),
    when: "No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.",
  },
  administrationFromElsewhere: {
    error: errors.administrationFromElsewhere(),
    when: "No key is configured, and the request is not from this machine, or names it by another host than `localhost` or a loopback address.",
  },
  sessionQuotaReached: { error: errors.sessionQuotaReached(), when: "The tenant has as many sessions as it may." },
  cannot: { error: errors.cannot("GET", "/whatsapp/webhook"), when: "There is no such path. It names the method and the path." },
  cannotBy: { error: errors.cannotBy("PUT", "/whatsapp/message"), when: "The path has other methods, which `Allow` names." },
  bodyTooLate: { error: errors.bodyTooLate(), when: "The body did not come while its place was needed." },
  bodyTooLarge: { error: errors.bodyTooLarge(), when: "The body has more than 64 KiB." },
  commandTooLarge: { error: errors.commandTooLarge(), when: "What the body says is more than a shard takes at once." },
  notOnce: { error: errors.notOnce("tenant", 256), when: "A query parameter was sent twice, or is longer. It names the parameter." },
  notNextOfPage: { error: errors.notNextOfPage(), when: "`after` is not what a page gave as its `next`." },
  notDatabaseId: { error: errors.notDatabaseId("session"), when: "The parameter is no id of a session." },
  notTime: { error: errors.notTime("since"), when: "The parameter is no instant with a zone." },
  notEventId: { error: errors.notEventId(), when: "`Last-Event-ID` is not the id of an event." },
  notKeyName: { error: errors.notKeyName(), when: "`key` is no name of a key." },
  burstAlone: { error: errors.burstAlone(), when: "A burst without a rate means nothing." },
  tenantNotFound: { error: errors.tenantNotFound(), when: "There is no such tenant." },
  keyNotFound: { error: errors.keyNotFound(), when: "There is no such key, or it was revoked." },
  tenantExists: { error: errors.tenantExists(), when: "The name is taken." },
  noMoreTenants: { error: errors.noMoreTenants(), when: "There are 10,000." },
  defaultTenantStays: { error: errors.defaultTenantStays(), when: "The tenant `default` cannot be deleted." },
  tenantHasSessions: { error: errors.tenantHasSessions(), when: "Its sessions must be deleted first." },
  noMoreKeys: { error: errors.noMoreKeys(), when: "There are 10,000." },
  sandboxAnswerTooLong: { error: errors.sandboxAnswerTooLong(), when: "Of the console's sandbox button alone." },
  sandboxDidNotAnswer: { error: errors.sandboxDidNotAnswer(), when: "Of the console's sandbox button alone." },
  tooManyEventStreams: {
    error: errors.tooManyEventStreams(),
    when: "The router has 200 streams, or the key 8. Ask again, or another router.",
  },
} satisfies Catalog<typeof errors>;
