import { paceNames, quotaNames, warmUpNames, type PaceName, type QuotaName, type WarmUpName } from "../../api/operator-rows.js";
import { numberChange, type NumberForm, type NumberTexts } from "./number-texts.js";

/** A tenant's quotas: an empty one is no limit. */
export const quotaForm: NumberForm<QuotaName> = {
  field: "quotas",
  names: quotaNames,
  labels: {
    sessions: "Sessions",
    requestsPerSecond: "Requests per second",
    burst: "Burst",
    inFlight: "Concurrent requests",
    messagesPerDay: "Messages per day",
    mediaBytesPerSecond: "Media bandwidth (bytes/s)",
    downloads: "Concurrent downloads",
    webhooks: "Concurrent webhooks",
  },
  units: {
    sessions: ["session", "sessions"],
    requestsPerSecond: ["req/s", "req/s"],
    burst: ["req burst", "req burst"],
    inFlight: ["concurrent request", "concurrent requests"],
    messagesPerDay: ["message/day", "messages/day"],
    mediaBytesPerSecond: ["media byte/s", "media bytes/s"],
    downloads: ["concurrent download", "concurrent downloads"],
    webhooks: ["concurrent webhook", "concurrent webhooks"],
  },
  absent: "Unlimited",
};

/** A tenant's send limits per session. */
export const paceForm: NumberForm<PaceName> = {
  field: "pace",
  names: paceNames,
  labels: { sendsPerMinute: "Messages per minute", newContactsPerHour: "New contacts per hour" },
  units: { sendsPerMinute: ["message/min", "messages/min"], newContactsPerHour: ["new contact/h", "new contacts/h"] },
  absent: "Default",
};

export const noQuotaTexts = Object.fromEntries(quotaNames.map((name) => [name, ""])) as Readonly<Record<QuotaName, string>>;

/** A tenant's warm-up of new accounts. */
export const warmUpForm: NumberForm<WarmUpName> = {
  field: "pace.warmUp",
  names: warmUpNames,
  labels: { days: "Days", from: "Messages on the first day" },
  units: { days: ["day", "days"], from: ["message", "messages"] },
  absent: "Off",
};

export const noWarmUpTexts: NumberTexts<WarmUpName> = { days: "", from: "" };

/** Returns the warm-up as the API takes it: `null` for two empty fields. A missing number is left out, which the API explains. Pure. */
export function warmUpChange(texts: NumberTexts<WarmUpName>): Partial<Record<WarmUpName, number | string | null>> | null {
  const given = numberChange(warmUpNames, noWarmUpTexts, texts);
  return Object.keys(given).length === 0 ? null : given;
}
