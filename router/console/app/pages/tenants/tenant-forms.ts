import { paceNames, quotaNames, type PaceName, type QuotaName } from "../../api/operator-rows.js";
import type { NumberForm } from "./number-texts.js";

/** A tenant's quotas: an empty one is no limit. */
export const quotaForm: NumberForm<QuotaName> = {
  field: "quotas",
  names: quotaNames,
  labels: {
    sessions: "Sessions",
    requestsPerSecond: "Requests a second",
    burst: "Requests at once",
    inFlight: "Requests in flight",
    messagesPerDay: "Messages a day",
    mediaBytesPerSecond: "Bytes of media a second",
    downloads: "Downloads at once",
    webhooks: "Webhooks at once",
  },
  absent: "no limit",
};

/** How fast each of its sessions may send. */
export const paceForm: NumberForm<PaceName> = {
  field: "pace",
  names: paceNames,
  labels: { sendsPerMinute: "Messages a minute", newContactsPerHour: "New contacts an hour" },
  absent: "as the deployment",
};

export const noQuotaTexts = Object.fromEntries(quotaNames.map((name) => [name, ""])) as Readonly<Record<QuotaName, string>>;
