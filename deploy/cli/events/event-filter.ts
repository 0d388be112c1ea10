import { liveEventTypes } from "../../../shared/cluster/live-events.js";

/** Types that a filter accepts. A notice of missed events is always shown. */
export const wantedTypes = liveEventTypes.filter((type) => type !== "missed");

/** One event as `tail` prints it. */
export interface ShownEvent {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface EventFilter {
  readonly type?: string;
  readonly session?: string;
  readonly state?: string;
  readonly member?: string;
  readonly tenant?: string;
  readonly platform?: string;
}

/** Returns whether an event matches the filter. A notice of missed events always matches. */
export function fits(event: ShownEvent, filter: EventFilter): boolean {
  if (event.type === "missed") return true;
  return Object.entries(filter).every(([field, wanted]) => wanted === undefined || event[field] === wanted);
}

/** Formats one event as a line: time, type and fields. */
export function eventLine({ id: _, type, at, ...facts }: ShownEvent): string {
  const time = typeof at === "string" ? at : "";
  if (type === "missed") return `${time} missed   earlier events are no longer stored; use status or session list for the current state`;
  return [time, type.padEnd(8), ...Object.entries(facts).map(([name, value]) => factText(name, value))].join(" ").trimEnd();
}

/** Names and states need no field name, numbers do. */
function factText(name: string, value: unknown): string {
  if (Array.isArray(value)) return `${value.length} ${name}`;
  return typeof value === "string" ? value : `${name}=${String(value)}`;
}
