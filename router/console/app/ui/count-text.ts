import { numberText } from "./number-text.js";

/** Returns a count with its noun: `1 session`, `2,500 sessions`, or `200+ sessions` while there are more. Pure. */
export function countText(count: number, [one, many]: readonly [one: string, many: string], hasMore = false): string {
  return `${numberText(count)}${hasMore ? "+" : ""} ${count === 1 && !hasMore ? one : many}`;
}
