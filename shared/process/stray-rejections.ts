import type { Log } from "../log/logger.js";

/** With their stacks, so many in a minute; the others are counted. */
const loggedMax = 10;
const windowMs = 60_000;

let strays = 0;
let windowBeganAt = -Infinity;
let inWindow = 0;

/** Rejections and exceptions since the process began that nobody handled. */
export function strayRejections(): number {
  return strays;
}

/** Its cause left something half done that must not go on. */
class HalfDone extends Error {
  override readonly name = "HalfDone";
}

/**
 * A rejection or an exception that nobody handles is a mistake of ours or of a library's in one timer, listener or callback. It must not end the process, and with it the work of
 * thousands of sessions: it is counted, logged with its stack, and alerted on. Only what `orEnd` guards ends the process, by `crash`. Once per process.
 */
export function surviveStrays(log: Pick<Log, "error">, crash: (error: Error) => void): void {
  process.on("unhandledRejection", (reason) => noteStray(reason, log, "rejection that nobody handled"));
  process.on("uncaughtException", (error) => {
    if (error instanceof HalfDone) crash(error);
    else noteStray(error, log, "exception that nobody caught");
  });
}

/** Runs what must not stop midway, such as closing the sockets of a lost lease: if it throws, the process ends, whoever catches the error. */
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

function noteStray(reason: unknown, log: Pick<Log, "error">, words: string): void {
  strays += 1;
  const now = performance.now();
  if (now - windowBeganAt >= windowMs) {
    if (inWindow > loggedMax) log.error({ count: inWindow - loggedMax }, "unhandled rejections and exceptions skipped");
    windowBeganAt = now;
    inWindow = 0;
  }
  inWindow += 1;
  if (inWindow <= loggedMax) log.error({ err: reason }, words);
}
