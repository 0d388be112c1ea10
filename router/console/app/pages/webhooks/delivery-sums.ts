import type { LiveEvent } from "../../live/live-event.js";

export type DeliveriesEvent = Extract<LiveEvent, { type: "deliveries" }>;

/** Sum of one session's delivery events, with its latest state. */
export type DeliverySum = Omit<DeliveriesEvent, "type">;

/** Adds events to the sums, the latest session first, and keeps at most `most` sessions. Pure. */
export function withDeliveries(sums: readonly DeliverySum[], events: readonly DeliveriesEvent[], most: number): readonly DeliverySum[] {
  const next = new Map(sums.map((sum) => [sum.session, sum]));
  const touched: string[] = [];
  for (const { type: _, ...event } of events) {
    const before = next.get(event.session);
    next.set(event.session, before === undefined ? event : added(before, event));
    touched.unshift(event.session);
  }
  const order = new Set([...touched, ...next.keys()]);
  return [...order].slice(0, most).flatMap((session) => next.get(session) ?? []);
}

function added(before: DeliverySum, event: DeliverySum): DeliverySum {
  return {
    ...event,
    delivered: before.delivered + event.delivered,
    failed: before.failed + event.failed,
    dead: before.dead + event.dead,
    replayed: before.replayed + event.replayed,
  };
}

/** Updates the rows' age of the oldest event, and removes rows without pending events. Pure. */
export function withLags<Row extends { readonly id: string; readonly webhookLag: number }>(
  rows: readonly Row[],
  sums: readonly DeliverySum[],
): readonly Row[] {
  const lags = new Map(sums.map(({ session, webhookLag }) => [session, webhookLag]));
  return rows.map((row) => ({ ...row, webhookLag: lags.get(row.id) ?? row.webhookLag })).filter(({ webhookLag }) => webhookLag > 0);
}
