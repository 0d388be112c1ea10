import { expect, it } from "vitest";
import { numberChange, numbersText, numberTexts } from "../../../../../router/console/app/pages/tenants/number-texts.js";
import { noQuotaTexts, paceForm, quotaForm } from "../../../../../router/console/app/pages/tenants/tenant-forms.js";

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

it("sends only changed quotas: null for an emptied field, and texts that are not numbers unchanged", () => {
  const { names } = quotaForm;
  const before = numberTexts(names, stored);
  expect(before).toEqual({ ...noQuotaTexts, sessions: "5", messagesPerDay: "0" });
  expect(numberChange(names, before, before)).toEqual({});
  expect(numberChange(names, before, { ...before, sessions: " ", inFlight: " 7 ", burst: "many", messagesPerDay: "0 " })).toEqual({
    sessions: null,
    inFlight: 7,
    burst: "many",
  });
});

it("lists the quotas that are set, including 0", () => {
  expect(numbersText(quotaForm, stored)).toBe("5 sessions · 0 messages/day");
  expect(numbersText(paceForm, { sendsPerMinute: 0, newContactsPerHour: null })).toBe("0 messages/min");
  expect(numbersText(quotaForm, { ...stored, sessions: 1, messagesPerDay: 10_000 })).toBe("1 session · 10,000 messages/day");
  expect(numbersText(paceForm, { sendsPerMinute: null, newContactsPerHour: null })).toBe("");
});
