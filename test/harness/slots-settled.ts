import { slotCount } from "../../shared/limits.js";
import { eventually } from "./eventually.js";
import { metricOf, scrape } from "./metrics.js";

/**
 * Resolves when every shard has its share of the slots, so that no slot is moving. Wait for this before a login after a shard has started:
 * when a session moves, its QR code becomes invalid.
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
