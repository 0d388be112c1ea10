import type { SessionRow } from "../../api/rows.js";
import type { LiveEvent } from "../../live/live-event.js";

export type LiveSessionEvent = Extract<LiveEvent, { type: "session" }>;

export interface Changed {
  readonly rows: readonly SessionRow[];
  /** Sessions that had an event and are not in the list. */
  readonly unknown: readonly string[];
}

/** Applies events to the rows in order. A row keeps its position, and the row of a deleted session is removed. Pure. */
export function withEvents(rows: readonly SessionRow[], events: readonly LiveSessionEvent[]): Changed {
  const last = new Map(events.map((event) => [event.session, event]));
  const known = rows.flatMap((row) => {
    const event = last.get(row.id);
    if (event === undefined) return [row];
    last.delete(row.id);
    if (event.state === "deleted") return [];
    return [{ ...row, state: event.state, member: event.member, since: event.state === row.state ? row.since : event.at }];
  });
  return { rows: known, unknown: [...last.values()].filter(({ state }) => state !== "deleted").map(({ session }) => session) };
}

export type LiveRestrictionEvent = Extract<LiveEvent, { type: "restriction" }>;

/** Applies restrictions to the rows that are in the list. Pure. */
export function withRestrictions(rows: readonly SessionRow[], events: readonly LiveRestrictionEvent[]): readonly SessionRow[] {
  const last = new Map(events.map(({ session, until }) => [session, until]));
  return rows.map((row) => ({ ...row, restrictedUntil: last.get(row.id) ?? row.restrictedUntil }));
}

/** Appends a page to the rows without duplicates. Pure. */
export function withPage(rows: readonly SessionRow[], page: readonly SessionRow[]): readonly SessionRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...page.filter(({ id }) => !known.has(id))];
}

type Named = Pick<SessionRow, "name" | "phone" | "label">;

/** Returns the name of a session's account, else its label or phone number; empty if it has none. Pure. */
export function nameOf({ name, phone, label }: Named): string {
  return [name, label, phone].find((text) => text !== "") ?? "";
}

/** Returns the heading of a session, also of one without a name. Pure. */
export function titleOf(session: Named): string {
  return nameOf(session) || "Unlinked session";
}
