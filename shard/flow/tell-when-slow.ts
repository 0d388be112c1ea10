/** Waits for the work; when it takes longer than `ms`, `tell` is called once. So a slow file of a caller holds up its own command only. */
export async function tellWhenSlow<T>(work: Promise<T>, tell: () => void, ms: number): Promise<T> {
  const timer = setTimeout(tell, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
