import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { webhookSoak } from "../soak/webhook-soak.js";

/** Runs the soak of `npm run soak -- webhooks` at a small size. */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 2 });
});
afterAll(() => gateway.stop());

it("delivers every event at least once and in order, over failures, outages and a dead shard", async () => {
  const options = {
    sessions: 10,
    events: 18,
    happeningMs: 13_000,
    downMs: 3_000,
    kills: 1,
    maxFailures: 1,
    hangs: 0,
    drainMs: 60_000,
    progress: () => undefined,
  };
  const { violations, rows } = await webhookSoak(gateway, options, new AbortController().signal);
  expect(violations).toEqual([]);
  expect(Object.fromEntries(rows)["events that had to arrive"]).toBeGreaterThan(100);
});
