/** Rejects with the signal's reason, once it aborts. For a race: alone it may wait for ever. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  // Whoever races it hears of it; a race that was over before must not end the process.
  aborted.catch(() => undefined);
  return aborted;
}
