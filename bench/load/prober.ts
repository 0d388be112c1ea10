import { setTimeout as sleep } from "node:timers/promises";
import type { ApiResponse } from "../../test/harness/api.js";

/** A request that is repeated while other work runs. */
export interface Probe {
  readonly what: string;
  readonly call: () => Promise<ApiResponse>;
}

/** Latencies in milliseconds by probe. */
export type Latencies = ReadonlyMap<string, readonly number[]>;

/** A short pause between two requests of a probe, so that the probes add little load. */
const pauseMs = 200;

/** Repeats all probes in parallel until `work` has ended, at least once each. Each response must be a 200. Rejects like `work`. */
export async function probing<T>(probes: readonly Probe[], work: () => Promise<T>): Promise<{ result: T; latencies: Latencies }> {
  const over = new AbortController();
  const latencies = new Map(probes.map(({ what }) => [what, [] as number[]]));
  const probing = probes.map(async ({ what, call }) => {
    do {
      const startedAt = performance.now();
      const { status, body } = await call();
      if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
      latencies.get(what)?.push(performance.now() - startedAt);
      await sleep(pauseMs, undefined, { signal: over.signal }).catch(() => undefined);
    } while (!over.signal.aborted);
  });
  // The first failure counts; the other probes end on their own.
  const ended = Promise.all(probing);
  ended.catch(() => undefined);
  try {
    return { result: await work(), latencies };
  } finally {
    over.abort();
    await ended;
  }
}
