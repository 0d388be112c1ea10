/** Waits for the work; when it takes longer than `ms`, `letPass` is called once. So a caller's file that is slow in coming holds up its own command only. */
export async function passable<T>(work: Promise<T>, letPass: () => void, ms: number): Promise<T> {
  const timer = setTimeout(letPass, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
