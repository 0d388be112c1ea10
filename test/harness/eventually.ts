/**
 * What comes at once is seen at once, and what is waited for is seen late by a twentieth of the wait at most: a look costs the processes that are asked, and those that
 * wait longest would ask most often.
 */
const [eagerMs, patientMs, lateShare] = [25, 250, 0.05];
/** A check that begins just before the end has this long. */
const leastMs = 5_000;

/** Polls until `check` gives something (neither undefined, false nor an empty text), or fails with `what` after `ms`. For what can only be seen from outside, such as another process. */
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

/** A check may ask a process that hangs: the wait has its own end all the same, and its error says what it waited for. */
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
