import type { HappeningEntry } from "../sandbox/telegram/world/happenings.js";
import { keyOfEvent, keyOfRow } from "./event-key.js";
import { isAccepted, type Arrival } from "./receiver/arrival.js";

/** Period in which the webhook was on, in Unix milliseconds. A change takes effect between its request and its response. */
export interface OnTime {
  readonly from: { readonly asked: number; readonly answered: number };
  readonly to?: { readonly asked: number; readonly answered: number };
}

export interface Checked {
  /** Events that had to arrive, and the accepted ones among them. */
  readonly expected: number;
  readonly delivered: number;
  /** Number of requests; of those, requests that their sender had ended before they were read; and repeats among the others. */
  readonly attempts: number;
  readonly brokenOff: number;
  readonly repeats: number;
  /** Repeats of an event that had been accepted. */
  readonly acceptedAgain: number;
  readonly violations: readonly string[];
}

/**
 * Compares a session's received requests with everything that happened in the account's private chats. A request that its sender broke off
 * may be read late, so it proves nothing about the order, but its content must be right.
 */
export function checkSession(
  name: string,
  requests: readonly Arrival[],
  history: readonly HappeningEntry[],
  times: readonly OnTime[],
): Checked {
  const arrivals = requests.filter(({ brokenOff }) => !brokenOff);
  const { violations, repeats, acceptedAgain } = checkOrder(arrivals, times);
  violations.push(...checkBodies(requests));
  const accepted = new Set(arrivals.filter(isAccepted).map(({ body }) => keyOfEvent(body)));
  const required = new Map<string, string>();
  const places = new Map<string, number>();
  const forbidden = new Set<string>();
  for (const row of history) {
    const key = keyOfRow(row);
    if (key === undefined) continue;
    if (places.has(key)) violations.push(`the history itself has ${key} twice`);
    places.set(key, places.size);
    const fate = fateOf(Date.parse(row.at), times);
    if (fate === "required") required.set(key, row.at);
    if (fate === "forbidden") forbidden.add(key);
  }
  const newestAccepted = arrivals.findLast(isAccepted);
  for (const [key, at] of required) {
    if (accepted.has(key)) continue;
    const told = requests.filter(({ body }) => keyOfEvent(body) === key);
    violations.push(
      `never came: ${key}, which happened at ${at}; told by [${told.map(traceOf).join(" ")}]; newest accepted ${newestAccepted === undefined ? "none" : traceOf(newestAccepted)}`,
    );
  }
  for (const key of distinct(requests)) {
    if (!places.has(key)) violations.push(`never happened: ${key}`);
    if (forbidden.has(key)) violations.push(`happened while the webhook was off: ${key}`);
  }
  violations.push(...checkSequence(distinct(arrivals), places));
  const delivered = [...required.keys()].filter((key) => accepted.has(key)).length;
  return {
    expected: required.size,
    delivered,
    attempts: requests.length,
    brokenOff: requests.length - arrivals.length,
    repeats,
    acceptedAgain,
    violations: violations.map((what) => `${name}: ${what}`),
  };
}

/** Checks that every request of an event has the same id and the same bytes. */
function checkBodies(requests: readonly Arrival[]): string[] {
  const violations: string[] = [];
  const ids = new Map<string, string>();
  const hashes = new Map<string, string>();
  for (const { id, body, sha256 } of requests) {
    const key = keyOfEvent(body);
    if ((ids.get(key) ?? id) !== id) violations.push(`came under two ids: ${key}`);
    if ((hashes.get(id) ?? sha256) !== sha256) violations.push(`the repeat of ${id} has another body`);
    ids.set(key, id);
    hashes.set(id, sha256);
  }
  return violations;
}

/**
 * Checks that events come one at a time: the next one after the last was accepted, only the last one repeated, none after the webhook was
 * turned off.
 */
function checkOrder(
  arrivals: readonly Arrival[],
  times: readonly OnTime[],
): { violations: string[]; repeats: number; acceptedAgain: number } {
  const violations: string[] = [];
  const seen = new Set<string>();
  let [repeats, acceptedAgain] = [0, 0];
  let last: { arrival: Arrival; accepted: boolean } | undefined;
  for (const arrival of arrivals) {
    const { id, at } = arrival;
    if (times.every(({ from, to }) => at < from.asked || (to !== undefined && at > to.answered)))
      violations.push(`a request came while the webhook was off: ${keyOfEvent(arrival.body)} ${traceOf(arrival)}`);
    if (last?.arrival.id === id) {
      repeats++;
      if (last.accepted) acceptedAgain++;
      if (isAccepted(arrival)) last.accepted = true;
      continue;
    }
    if (seen.has(id)) violations.push(`${id} came again after others ${traceOf(arrival)}`);
    // Turning the webhook off discards waiting events.
    const forgotten =
      last !== undefined && times.some(({ to }) => to !== undefined && (last?.arrival.at ?? 0) <= to.answered && at >= to.asked);
    if (last?.accepted === false && !forgotten)
      violations.push(`${id} overtook ${last.arrival.id}, which was not accepted ${traceOf(arrival)}`);
    seen.add(id);
    last = { arrival, accepted: isAccepted(arrival) };
  }
  return { violations, repeats, acceptedAgain };
}

/**
 * Checks that new messages arrive in order, and all other events too; a difference delivers new messages first. No event about a message
 * may precede the message.
 */
function checkSequence(keys: readonly string[], places: ReadonlyMap<string, number>): string[] {
  const violations: string[] = [];
  const newest = { new: -1, other: -1 };
  const born = new Set<string>();
  const told = new Set(keys.filter((key) => key.startsWith("new|")).map(messageOf));
  for (const key of keys) {
    const place = places.get(key);
    if (place === undefined) continue;
    const kind = key.startsWith("new|") ? "new" : "other";
    if (place < newest[kind]) violations.push(`out of order: ${key}`);
    newest[kind] = Math.max(newest[kind], place);
    if (kind === "new") born.add(messageOf(key));
    else if (told.has(messageOf(key)) && !born.has(messageOf(key)) && !key.startsWith("read|"))
      violations.push(`before its message: ${key}`);
  }
  return violations;
}

/** Kind, chat and id are the first three parts. */
function messageOf(key: string): string {
  return key.split("|").slice(1, 3).join("|");
}

/** `either`: the event happened during a change, or was waiting when the webhook was turned off. */
function fateOf(at: number, times: readonly OnTime[]): "required" | "forbidden" | "either" {
  for (const { from, to } of times) {
    if (at > from.answered && to === undefined) return "required";
    if (at >= from.asked && (to === undefined || at <= to.answered)) return "either";
  }
  return "forbidden";
}

/** Returns events in the order of their first requests. */
function distinct(arrivals: readonly Arrival[]): string[] {
  return [...new Set(arrivals.map(({ body }) => keyOfEvent(body)))];
}

function traceOf({ at, port, behaviour, brokenOff }: Arrival): string {
  return `(${new Date(at).toISOString()}, from port ${port}: ${brokenOff ? "broken off" : behaviour})`;
}
