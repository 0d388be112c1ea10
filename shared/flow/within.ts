/**
 * Waits for `work`, but no longer than `ms`; then rejects with what `late` makes. The work itself goes on; whoever started it ends it, and its late rejection
 * counts as handled.
 */
export async function within<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
