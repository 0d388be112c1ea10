import { expect, it } from "vitest";
import {
  withDeliveries,
  withLags,
  type DeliveriesEvent,
  type DeliverySum,
} from "../../../../../router/console/app/pages/webhooks/delivery-sums.js";

const event = (session: string, at: string, change: Partial<DeliveriesEvent> = {}): DeliveriesEvent => ({
  ...{ type: "deliveries", at, session, platform: "telegram", tenant: "acme", member: "shard-1" },
  ...{ delivered: 1, failed: 0, dead: 0, replayed: 0, webhookLag: 0, ...change },
});
const texts = (sums: readonly DeliverySum[]): string[] =>
  sums.map(({ session, at, delivered, failed, dead, replayed, webhookLag }) =>
    [session, at, delivered, failed, dead, replayed, webhookLag].join(" "),
  );

it("sums up deliveries by session, the latest first, and drops the sessions that were quiet the longest", () => {
  const first = withDeliveries([], [event("a", "1"), event("b", "2", { failed: 2, webhookLag: 9 }), event("a", "3")], 10);
  expect(texts(first)).toEqual(["a 3 2 0 0 0 0", "b 2 1 2 0 0 9"]);
  const second = withDeliveries(first, [event("b", "4", { delivered: 0, dead: 3, replayed: 2 }), event("c", "5")], 10);
  expect(texts(second)).toEqual(["c 5 1 0 0 0 0", "b 4 1 2 3 2 0", "a 3 2 0 0 0 0"]);
  expect(texts(withDeliveries(second, [], 2))).toEqual(["c 5 1 0 0 0 0", "b 4 1 2 3 2 0"]);
});

it("updates the delay of each row, and removes rows without pending events", () => {
  const rows = ["a", "b", "c"].map((id) => ({ id, webhookLag: 5 }));
  const sums = withDeliveries([], [event("a", "1", { webhookLag: 7 }), event("b", "1")], 10);
  expect(withLags(rows, sums)).toEqual([
    { id: "a", webhookLag: 7 },
    { id: "c", webhookLag: 5 },
  ]);
});
