import { quotaNames, type QuotaName, type TenantRow } from "../../api/operator-rows.js";

/** What stands in the fields. */
export type QuotaTexts = Readonly<Record<QuotaName, string>>;

export const noQuotaTexts: QuotaTexts = {
  sessions: "",
  requestsPerSecond: "",
  burst: "",
  inFlight: "",
  messagesPerDay: "",
  mediaBytesPerSecond: "",
  downloads: "",
  webhooks: "",
};

export const quotaLabels: Readonly<Record<QuotaName, string>> = {
  sessions: "Sessions",
  requestsPerSecond: "Requests a second",
  burst: "Requests at once",
  inFlight: "Requests in flight",
  messagesPerDay: "Messages a day",
  mediaBytesPerSecond: "Bytes of media a second",
  downloads: "Downloads at once",
  webhooks: "Webhooks at once",
};

export function quotaTexts(quotas: TenantRow["quotas"]): QuotaTexts {
  return Object.fromEntries(quotaNames.map((name) => [name, quotas[name]?.toString() ?? ""])) as QuotaTexts;
}

/** What of the fields differs from what is stored: an empty one is no limit. A text that is no number goes to the API as it is, which says what it should be. Pure. */
export function quotaChange(before: QuotaTexts, now: QuotaTexts): Partial<Record<QuotaName, number | string | null>> {
  const changed = quotaNames.filter((name) => before[name].trim() !== now[name].trim());
  return Object.fromEntries(changed.map((name) => [name, quotaOf(now[name].trim())]));
}

function quotaOf(text: string): number | string | null {
  if (text === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
