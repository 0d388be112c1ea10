/**
 * Polls often at first, then at most every twentieth of the elapsed time: each check costs the observed processes CPU, and long waits
 * would poll most.
 */
const [eagerMs, patientMs, lateShare] = [25, 250, 0.05];
/** Minimum time for a check that starts just before the end. */
const leastMs = 5_000;

/**
 * Polls until `check` returns a value (not undefined, false or an empty text), and fails with `what` after `ms`. Use it for facts that are
 * visible only from outside, such as another process.
 */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | "" | Promise<T | undefined | false | "">,
  ms = 120_000,
): Promise<T> {
  const startedAt = performance.now();
  const endsAt = startedAt + ms;
  let last: unknown;
  for (;;) {
    try {
      const value = await withinMs(check, endsAt - performance.now());
      if (value !== undefined && value !== false && value !== "") return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= endsAt) throw new Error(`did not happen within ${ms} ms: ${what}`, { cause: last });
    await new Promise((resolve) =>
      setTimeout(resolve, Math.min(Math.max(eagerMs, lateShare * (performance.now() - startedAt)), patientMs)),
    );
  }
}

/** Limits a check that calls a hung process, so that the error still names what was expected. */
async function withinMs<T>(check: () => T | Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the last check did not end")), Math.max(ms, leastMs));
  });
  try {
    return await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}
