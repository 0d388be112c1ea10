import { describe, expect, it } from "vitest";
import { errorHeaders } from "../../../../router/http/error-code.js";
import * as telegram from "../../../../shared/contract/telegram/errors.js";
import * as whatsapp from "../../../../shared/contract/whatsapp/errors.js";

describe("an error of ours", () => {
  it.each<[{ status: number; message: string }, string]>([
    [telegram.invalidHeader(), "invalid-request"],
    [telegram.sessionNotFound(), "not-found"],
    [telegram.mediaNotFound(), "not-found"],
    [telegram.rangeNotSatisfiable(), "range-not-satisfiable"],
    [telegram.idempotencyKeyReused(), "idempotency-key-reused"],
    [telegram.webhookIsOff(), "conflict"],
    [telegram.platformIsOff(), "conflict"],
    [telegram.tooManyRequests(), "too-many-requests"],
    [telegram.accountRestricted(5_000), "account-restricted"],
    [telegram.serverBusy(), "busy"],
    [telegram.askedToWait(77), "platform-wait"],
    [telegram.mediaTimeout(), "platform-silent"],
    [telegram.passwordWait(60), "platform-wait"],
    [telegram.internal(), "internal"],
    [telegram.outcomeUnknown(), "internal"],
    [telegram.sessionNotConnected(), "session-not-connected"],
    [telegram.sessionNotActive(), "session-not-ready"],
    [telegram.sendTimeout(), "send-timeout"],
    [telegram.fileFromUrl("404 Not Found"), "file-not-usable"],
    [telegram.compressImage("unsupported"), "file-not-usable"],
    [telegram.channelNotFound(), "invalid-request"],
    [whatsapp.channelNotFound(), "not-found"],
    [whatsapp.groupNotFound(), "not-found"],
    [whatsapp.contactsNotSynced(), "no-status-audience"],
    [whatsapp.noStatusContacts(), "no-status-audience"],
    [{ status: 401, message: "invalid api key" }, "invalid-key"],
    [{ status: 403, message: "the role of this api key does not permit this call" }, "not-allowed"],
    [{ status: 405, message: "Cannot PUT /telegram/session" }, "wrong-method"],
    [{ status: 408, message: "request body did not come in time" }, "too-slow"],
    [{ status: 413, message: "request body is too large" }, "too-large"],
    [{ status: 400, message: "404: item-not-found" }, "invalid-request"],
  ])("%s: %s, and no platform speaks", ({ status, message }, code) => {
    expect(errorHeaders(status, message)).toEqual({ "x-error-code": code });
  });
});

describe("a refusal of the platform", () => {
  it.each([
    ["400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)", "CHAT_ADMIN_REQUIRED"],
    ["420: SLOWMODE_WAIT_30 (caused by messages.SendMessage)", "SLOWMODE_WAIT_30"],
    ["400: PEER_ID_INVALID", "PEER_ID_INVALID"],
    ["-503: Timeout", "-503"],
    ["403: the account may not do this here", "403"],
    ["404: item-not-found (the platform does not know this chat or person)", "404"],
    ["479: the platform found it malformed, or addressed to devices that have changed", "479"],
  ])("%s: %s", (message, named) => {
    expect(errorHeaders(500, message)).toEqual({ "x-error-code": "platform-refused", "x-platform-error": named });
  });

  it("without a code is one all the same", () => {
    expect(errorHeaders(500, "Media upload failed on all hosts")).toEqual({ "x-error-code": "platform-refused" });
  });

  it("is a header's text, whatever the platform says", () => {
    for (const message of ["400: A\r\nset-cookie: x", "400: ÄÖÜ_X", `400: ${"A".repeat(300)}`, "400: "])
      expect(errorHeaders(500, message)["x-platform-error"]).toMatch(/^[A-Z0-9_]{1,300}$/);
  });
});
