import { newsTypes } from "../../../shared/cluster/news.js";

/** What can be looked for: that something was missed is told in any case. */
export const wantedTypes = newsTypes.filter((type) => type !== "missed");

/** One event as `tail` shows it. */
export interface ShownNews {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface NewsFilter {
  readonly type?: string;
  readonly session?: string;
  readonly state?: string;
  readonly member?: string;
  readonly tenant?: string;
  readonly platform?: string;
}

/** That something is missing concerns whatever is looked for. */
export function fits(news: ShownNews, filter: NewsFilter): boolean {
  if (news.type === "missed") return true;
  return Object.entries(filter).every(([field, wanted]) => wanted === undefined || news[field] === wanted);
}

/** On one line: the time, what it is, and what is said of it. */
export function newsLine({ id: _, type, at, ...facts }: ShownNews): string {
  const time = typeof at === "string" ? at : "";
  if (type === "missed") return `${time} missed   earlier events are no longer stored; use status or session list for the current state`;
  return [time, type.padEnd(8), ...Object.entries(facts).map(([name, value]) => factText(name, value))].join(" ").trimEnd();
}

/** Names and states speak for themselves, numbers do not. */
function factText(name: string, value: unknown): string {
  if (Array.isArray(value)) return `${value.length} ${name}`;
  return typeof value === "string" ? value : `${name}=${String(value)}`;
}
