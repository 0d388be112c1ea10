import { Inspector } from "../shard/inspector.js";
import { inspectPort } from "../shard/shard-probe.js";
import { summarizeProfile, type ProfileSummary } from "./profile-summary.js";
import { recordProfile } from "./record-profile.js";
import { unbundle } from "./unbundle.js";

/**
 * Profiles a process of an `inspectable` gateway during `work`. Only one process at a time, because they share a port. `what` describes
 * process and work.
 */
export async function profileProcess(what: string, pid: number, work: () => Promise<unknown>): Promise<ProfileSummary> {
  const inspector = await Inspector.open(pid, inspectPort);
  try {
    const { profile } = await recordProfile(inspector, work);
    return summarizeProfile(what, await unbundle(profile));
  } finally {
    await inspector.release();
  }
}
