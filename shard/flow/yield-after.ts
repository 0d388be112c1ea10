/** Waits for the work; when it takes longer than `ms`, `yieldLane` is called once. So a caller's file that is slow in coming holds up its own command only. */
export async function yieldAfter<T>(work: Promise<T>, yieldLane: () => void, ms: number): Promise<T> {
  const timer = setTimeout(yieldLane, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
