import type { LiveEvent } from "../../live/live-event.js";

export type DeliveriesEvent = Extract<LiveEvent, { type: "deliveries" }>;

/** What was told of one session's webhook events, summed up, and how it was last. */
export type DeliverySum = Omit<DeliveriesEvent, "type">;

/** The sums after more was told: whom something befell last comes first, `most` sessions in all. Pure. */
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

/** Rows whose oldest event waits as long as was last told: those that wait for nothing any more are left out. Pure. */
export function withLags<Row extends { readonly id: string; readonly webhookLag: number }>(
  rows: readonly Row[],
  sums: readonly DeliverySum[],
): readonly Row[] {
  const lags = new Map(sums.map(({ session, webhookLag }) => [session, webhookLag]));
  return rows.map((row) => ({ ...row, webhookLag: lags.get(row.id) ?? row.webhookLag })).filter(({ webhookLag }) => webhookLag > 0);
}
