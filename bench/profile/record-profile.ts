import type { Inspector } from "../shard/inspector.js";
import { isCpuProfile, type CpuProfile } from "./profile-summary.js";

/** Runs `work` under the sampling profiler of the inspected process, with a sample each millisecond. */
export async function recordProfile<T>(inspector: Inspector, work: () => Promise<T>): Promise<{ result: T; profile: CpuProfile }> {
  await inspector.call("Profiler.enable");
  await inspector.call("Profiler.setSamplingInterval", { interval: 1_000 });
  await inspector.call("Profiler.start");
  let profile: CpuProfile | undefined;
  try {
    const result = await work();
    profile = await stop(inspector);
    return { result, profile };
  } finally {
    if (profile === undefined) await stop(inspector);
  }
}

async function stop(inspector: Inspector): Promise<CpuProfile> {
  const { profile } = (await inspector.call("Profiler.stop")) as { profile: unknown };
  return isCpuProfile(profile);
}
