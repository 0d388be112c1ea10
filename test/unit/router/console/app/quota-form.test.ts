import { expect, it } from "vitest";
import { noQuotaTexts, quotaChange, quotaTexts } from "../../../../../router/console/app/pages/tenants/quota-form.js";
import { instantText } from "../../../../../router/console/app/ui/instant-text.js";

const stored = {
  sessions: 5,
  requestsPerSecond: null,
  burst: null,
  inFlight: null,
  messagesPerDay: 0,
  mediaBytesPerSecond: null,
  downloads: null,
  webhooks: null,
};

it("a form of quotas tells what differs: emptied is no limit, and what is no number is left to the API", () => {
  const before = quotaTexts(stored);
  expect(before).toEqual({ ...noQuotaTexts, sessions: "5", messagesPerDay: "0" });
  expect(quotaChange(before, before)).toEqual({});
  expect(quotaChange(before, { ...before, sessions: " ", inFlight: " 7 ", burst: "many", messagesPerDay: "0 " })).toEqual({
    sessions: null,
    inFlight: 7,
    burst: "many",
  });
});

it("an instant that there is none of says nothing", () => {
  expect([instantText(null), instantText("")]).toEqual(["", ""]);
});
