/**
 * Repeats `work` every `ms`. What `work` throws, at once or later, becomes a rejection that nobody handles: it is logged and counted, and ends neither the timer nor the
 * process (`surviveStrays`). All repeating timers of a process come from here.
 */
export function every(ms: number, work: () => unknown): NodeJS.Timeout {
  return setInterval(() => {
    void (async () => await work())();
  }, ms);
}
