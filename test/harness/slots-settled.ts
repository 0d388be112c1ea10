import { slotCount } from "../../shared/limits.js";
import { eventually } from "./eventually.js";
import { metricOf, scrape } from "./metrics.js";

/**
 * Resolves when every shard has its share of the slots, and so none is on its way to another any more. The QR of a session that moves is no longer the new owner's:
 * who logs in after a shard has come or come back waits for this.
 */
export async function slotsSettled(adminPorts: readonly number[]): Promise<void> {
  const share = Math.ceil(slotCount / adminPorts.length);
  await eventually("every shard with its share of the slots", async () => {
    const owned = (await Promise.all(adminPorts.map(scrape))).map((metrics) => metricOf(metrics, "gateway_shard_slots_owned_slots"));
    if (owned.some((count) => count > share) || owned.reduce((sum, count) => sum + count, 0) !== slotCount)
      throw new Error(`slots: ${owned.join(", ")}`);
    return true;
  });
}
