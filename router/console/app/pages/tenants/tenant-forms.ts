import { paceNames, quotaNames, type PaceName, type QuotaName } from "../../api/operator-rows.js";
import type { NumberForm } from "./number-texts.js";

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
