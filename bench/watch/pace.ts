import { setTimeout as sleep } from "node:timers/promises";

export interface Paced {
  /** Name for log lines. */
  readonly name: string;
  readonly perSecond: number;
  /** Tasks that would exceed this number are skipped, so that slow responses do not pile up. */
  readonly atOnce: number;
  /** A failure is passed to `onError` and stops nothing. */
  readonly task: (turn: number) => Promise<void>;
}

/** Starts a task at a steady pace until the signal ends. Resolves when the last one has ended. */
export async function keepPace({ perSecond, atOnce, task }: Paced, onError: (error: unknown) => void, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let turn = 0; !signal.aborted; turn += 1) {
    const waitMs = startedAt + (turn * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || running.size >= atOnce) continue;
    const run = task(turn)
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      })
      .finally(() => running.delete(run));
    running.add(run);
  }
  await Promise.all(running);
}
