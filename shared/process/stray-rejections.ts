import type { Log } from "../log/logger.js";

/** With their stacks, so many in a minute; the others are counted. */
const loggedMax = 10;
const windowMs = 60_000;

let strays = 0;
let windowBeganAt = -Infinity;
let inWindow = 0;

/** Rejections since the process began that nobody handled. */
export function strayRejections(): number {
  return strays;
}

/**
 * A rejection that nobody handles is a mistake of ours or of a library's in the work of one session. It must not end the process, and with it the work of
 * thousands of others: it is counted, logged with its stack, and alerted on. A thrown exception still ends the process, because whatever stood on
 * its stack stopped midway; behind a rejection no stack was cut off. Shortages of the system, such as of file descriptors, are survived too: the call that met one did nothing,
 * and thousands of sessions can wait. `crash` gets all other exceptions. Once per process.
 */
export function surviveStrays(log: Pick<Log, "error">, crash: (error: Error) => void): void {
  process.on("unhandledRejection", (reason) => noteStray(reason, log));
  process.on("uncaughtException", (error) => {
    if ("code" in error && shortages.has(String(error.code))) noteStray(error, log);
    else crash(error);
  });
}

const shortages: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EAGAIN", "ENOSPC"]);

function noteStray(reason: unknown, log: Pick<Log, "error">): void {
  strays += 1;
  const now = performance.now();
  if (now - windowBeganAt >= windowMs) {
    if (inWindow > loggedMax) log.error({ count: inWindow - loggedMax }, "further rejections that nobody handled");
    windowBeganAt = now;
    inWindow = 0;
  }
  inWindow += 1;
  if (inWindow <= loggedMax) log.error({ err: reason }, "rejection that nobody handled");
}
