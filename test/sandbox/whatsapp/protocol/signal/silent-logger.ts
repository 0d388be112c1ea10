/** Discards the library's logs of the simulated phones. */
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
