import { setTimeout as sleep } from "node:timers/promises";
import { faultError } from "../world/faults.js";
import type { World } from "../world/world.js";

/** Longest that a stalled upload is held; its client gave up long before. */
const maxStallMs = 120_000;

/** Status of the control API's faults with the method "download", which belong to no account: media hosts do not know who asks. */
export function downloadFaults({ faults }: World): () => number | undefined {
  return () => {
    const fault = faults.takeNamed("error", undefined, "download");
    return fault && faultError(fault).code;
  };
}

/** What the control API's faults with the method "upload" do to the next upload of an account. */
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
