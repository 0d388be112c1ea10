import { AbortScope } from "./abort-scope.js";
import type { Ending } from "./ending.js";
import { pause } from "./pause.js";

/**
 * Resolves with true once `work` settles, or false after `ms` or an abort. Never rejects and
 * leaves no timer. The work itself continues, and its late rejection counts as handled.
 */
export async function endsWithin(work: Promise<unknown>, ms: number, ...signals: readonly Ending[]): Promise<boolean> {
  const over = new AbortScope();
  const ended = (): boolean => true;
  const late = pause(ms, over, ...signals).then(() => false);
  const inTime = await Promise.race([work.then(ended, ended), late]);
  over.abort();
  return inTime;
}
