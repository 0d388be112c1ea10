import { Inspector } from "../shard/inspector.js";
import { inspectPort } from "../shard/shard-probe.js";
import { summarizeProfile, type ProfileSummary } from "./profile-summary.js";
import { recordProfile } from "./record-profile.js";
import { unbundle } from "./unbundle.js";

/** Where a process of an `inspectable` gateway spends its time while `work` goes on. One process at a time: they share a port. `what` names both. */
export async function profileProcess(what: string, pid: number, work: () => Promise<unknown>): Promise<ProfileSummary> {
  const inspector = await Inspector.open(pid, inspectPort);
  try {
    const { profile } = await recordProfile(inspector, work);
    return summarizeProfile(what, await unbundle(profile));
  } finally {
    await inspector.release();
  }
}
