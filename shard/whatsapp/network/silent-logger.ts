type Logger = { level: string; child(): Logger } & Record<"trace" | "debug" | "info" | "warn" | "error", () => void>;

/** The logger for the library: at `info` its log holds the registration payload, and formatting costs CPU. */
export const silentLogger: Logger = {
  level: "silent",
  child: () => silentLogger,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
