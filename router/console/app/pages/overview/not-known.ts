import { lastingText } from "../../ui/lasting-text.js";

/** A part of the page, with the time of its data and the last failure. */
export interface Part {
  readonly name: string;
  readonly at: number | undefined;
  readonly failure: unknown;
}

/** Data is stale after two failed reads in a row. */
export const staleMs = 12_000;

/** Whether the data of a part may be wrong now. A part that was never read has none. Pure. */
export function isStale({ at, failure }: Omit<Part, "name">, now: number): boolean {
  return at !== undefined && (failure !== undefined || now - at > staleMs);
}

/** The parts whose data may be wrong now, each with the age of its data. Pure. */
export function notKnown(parts: readonly Part[], now: number): readonly string[] {
  return parts.flatMap((part) => {
    const { name, at, failure } = part;
    if (at === undefined) return failure === undefined ? [] : [`${name}: not loaded yet`];
    return isStale(part, now) ? [`${name}: last updated ${lastingText(now - at)} ago`] : [];
  });
}
