import { AbortScope } from "./abort-scope.js";
import type { Ending } from "./ending.js";
import { pause } from "./pause.js";

/**
 * Waits until `work` has ended, either way, but no longer than `ms` or until a signal aborts: true when it has ended. Never rejects; leaves no timer behind. The work itself goes on,
 * and its late rejection counts as handled.
 */
export async function endsWithin(work: Promise<unknown>, ms: number, ...signals: readonly Ending[]): Promise<boolean> {
  const over = new AbortScope();
  const ended = (): boolean => true;
  const late = pause(ms, over, ...signals).then(() => false);
  const inTime = await Promise.race([work.then(ended, ended), late]);
  over.abort();
  return inTime;
}
