import type { RouterTraffic } from "../../../traffic.js";

/** Per minute. */
export interface Rates {
  readonly messages: number;
  readonly errors: number;
}

/** The last counts of each router, and what they came to per minute since the counts before. */
export type Measured = ReadonlyMap<string, RouterTraffic & { readonly rates: Rates | undefined }>;

const minuteMs = 60_000;

/** Returns the rates after one more reading. A router that has not counted anew keeps its rates. Pure. */
export function measured(before: Measured, rows: readonly RouterTraffic[]): Measured {
  return new Map(
    rows.map((row) => {
      const last = before.get(row.router);
      return [row.router, { ...row, rates: last === undefined || last.at === row.at ? last?.rates : ratesOf(last, row) }];
    }),
  );
}

/** A restarted router counts from 0. */
function ratesOf(last: RouterTraffic, row: RouterTraffic): Rates {
  const restarted = row.messages < last.messages || row.errors < last.errors;
  const perMinute = (from: number, to: number): number => ((to - (restarted ? 0 : from)) * minuteMs) / Math.max(1, row.at - last.at);
  return { messages: perMinute(last.messages, row.messages), errors: perMinute(last.errors, row.errors) };
}

/** Returns the sum of all routers; `undefined` until one has counted twice. Pure. */
export function totalOf(routers: Measured): Rates | undefined {
  const known = [...routers.values()].flatMap(({ rates }) => (rates === undefined ? [] : [rates]));
  if (known.length === 0) return undefined;
  const sum = (of: keyof Rates): number => known.reduce((total, rates) => total + rates[of], 0);
  return { messages: sum("messages"), errors: sum("errors") };
}
