import { afterAll, beforeAll, expect, it } from "vitest";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { gapSoak } from "../soak/gap-soak.js";

/** Runs the soak of `npm run soak -- gaps` at a small size. */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 2 });
});
afterAll(() => gateway.stop());

it("reports every event exactly although connections break and updates go missing", async () => {
  const options = { sessions: 4, happeningMs: 12_000, pauseMs: 150, faultMs: 800, drainMs: 60_000, progress: () => undefined };
  const { violations, rows } = await gapSoak(gateway, options, new AbortController().signal);
  expect(violations).toEqual([]);
  expect(Object.fromEntries(rows)["events that had to arrive"]).toBeGreaterThan(100);
});
