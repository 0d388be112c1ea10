import type { Log } from "../log/logger.js";

/** Number of stacks logged per minute; further ones are only counted. */
const loggedMax = 10;
const windowMs = 60_000;

let strays = 0;
let windowBeganAt = -Infinity;
let inWindow = 0;

/** Returns the number of unhandled rejections and exceptions since the process started. */
export function strayRejections(): number {
  return strays;
}

/** An error that left work half done that must not go on. */
class HalfDone extends Error {
  override readonly name = "HalfDone";
}

/**
 * Counts and logs unhandled errors instead of ending the process, which serves thousands of
 * sessions. Only work within `orEnd` ends it, through `crash`. Call once per process.
 */
export function surviveStrays(log: Pick<Log, "error">, crash: (error: Error) => void): void {
  process.on("unhandledRejection", (reason) => noteStray(reason, log, "unhandled rejection"));
  process.on("uncaughtException", (error) => {
    if (error instanceof HalfDone) crash(error);
    else noteStray(error, log, "uncaught exception");
  });
}

/**
 * Runs work that must not stop midway, such as closing the sockets of a lost lease. If it throws,
 * the process ends, even if a caller catches the error.
 */
export function orEnd(work: () => void): void {
  try {
    work();
  } catch (cause) {
    setImmediate(() => {
      throw new HalfDone("what must be done as a whole stopped midway", { cause });
    });
    throw cause;
  }
}

function noteStray(reason: unknown, log: Pick<Log, "error">, text: string): void {
  strays += 1;
  const now = performance.now();
  if (now - windowBeganAt >= windowMs) {
    if (inWindow > loggedMax) log.error({ count: inWindow - loggedMax }, "unhandled rejections and exceptions skipped");
    windowBeganAt = now;
    inWindow = 0;
  }
  inWindow += 1;
  if (inWindow <= loggedMax) log.error({ err: reason }, text);
}
