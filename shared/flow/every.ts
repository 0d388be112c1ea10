/**
 * Repeats `work` every `ms`. An error in `work` is logged and counted, and stops neither the timer
 * nor the process (`surviveStrays`). All repeating timers of a process are made here.
 */
export function every(ms: number, work: () => unknown): NodeJS.Timeout {
  return setInterval(() => {
    void (async () => await work())();
  }, ms);
}
