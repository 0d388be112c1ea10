import { setTimeout as sleep } from "node:timers/promises";
import { faultError } from "../world/faults.js";
import type { World } from "../world/world.js";

/** Limit for a stalled upload. Its client has timed out long before. */
const maxStallMs = 120_000;

/** Returns the status of a "download" fault. These faults name no account, because media hosts do not identify their clients. */
export function downloadFaults({ faults }: World): () => number | undefined {
  return () => {
    const fault = faults.takeNamed("error", undefined, "download");
    return fault && faultError(fault).code;
  };
}

/** Returns the effect of "upload" faults on an account's next upload. */
export function uploadFaults(world: World): (account: string | undefined) => Promise<number | "drop" | undefined> {
  return async (account) => {
    world.count("upload");
    const { faults } = world;
    const delay = faults.takeNamed("delay", account, "upload");
    if (delay !== undefined) await faults.pause((delay.seconds ?? 1) * 1_000);
    const stall = faults.takeNamed("stall", account, "upload");
    if (stall !== undefined) {
      await sleep(Math.min((stall.seconds ?? Number.POSITIVE_INFINITY) * 1_000, maxStallMs), undefined, { ref: false });
      return "drop";
    }
    if (faults.takeNamed("drop", account, "upload") !== undefined) return "drop";
    const fault = faults.takeNamed("flood-wait", account, "upload") ?? faults.takeNamed("error", account, "upload");
    return fault && faultError(fault).code;
  };
}
