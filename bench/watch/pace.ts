import { setTimeout as sleep } from "node:timers/promises";

export interface Paced {
  /** For messages. */
  readonly name: string;
  readonly perSecond: number;
  /** What would be begun while so many run is left out: a slow answer does not become a crowd. */
  readonly atOnce: number;
  /** Its failure is told to `onError` and ends nothing. */
  readonly task: (turn: number) => Promise<void>;
}

/** Begins a task at a steady pace until the signal ends; resolves when the last one has ended. */
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
