/** The library's own logs of the simulated phones: nobody reads them. */
const nothing = (): void => undefined;

export const silentLogger = {
  level: "silent",
  child: () => silentLogger,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
