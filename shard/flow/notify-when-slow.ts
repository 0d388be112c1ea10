/** Waits for the work, and calls `notify` once when it takes longer than `ms`. A caller's slow file then holds up only its own command. */
export async function notifyWhenSlow<T>(work: Promise<T>, notify: () => void, ms: number): Promise<T> {
  const timer = setTimeout(notify, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
