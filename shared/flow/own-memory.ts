/**
 * Runs `make`, whose buffers get memory of their own. Other small buffers share blocks of 8 KiB (`shared/process/run.ts`), and a long-lived
 * one retains its whole block.
 */
export function withOwnMemory<T>(make: () => T): T {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return make();
  } finally {
    Buffer.poolSize = poolSize;
  }
}
