let last = 0;

/**
 * Returns the resident memory of this process in bytes, or the last value if the read fails: it
 * needs a file descriptor, and none may be free.
 */
export function residentBytes(): number {
  try {
    last = process.memoryUsage.rss();
  } catch {
    // The last figure will do for operators.
  }
  return last;
}
