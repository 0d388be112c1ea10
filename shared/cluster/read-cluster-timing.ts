import type { EnvReader } from "../config/env.js";
import { scaledTiming, type ClusterTiming } from "./cluster-timing.js";

/** Children report to their supervisor every second, whatever the scale, and may miss two reports. */
const leastPercent = 30;

/**
 * Reads `TEST_TIME_PERCENT`, which shortens every wait for tests with real processes. Rejected on
 * live platforms, where shorter waits would bury live members.
 */
export function readClusterTiming(env: EnvReader, { onSandbox }: { readonly onSandbox: boolean }): ClusterTiming {
  const percent = env.integer("TEST_TIME_PERCENT", 100, { min: leastPercent, max: 100 });
  if (percent < 100 && !onSandbox) env.refuse("TEST_TIME_PERCENT", "is for tests on the sandbox alone");
  return scaledTiming(percent / 100);
}
