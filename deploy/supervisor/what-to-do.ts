/** With less space, Redis, logs and keys cannot be written. */
export const leastFreeBytes = 32 * 2 ** 20;

/** Facts about the data folder when a start has failed. */
export interface FolderFacts {
  readonly dataDir: string;
  /** Undefined if the system does not report it. */
  readonly freeBytes: number | undefined;
}

/** Returns the reason why a start failed, as one sentence that ends with the fix. Pure. */
export function whatToDo(error: unknown, { dataDir, freeBytes }: FolderFacts): string {
  const chain = causesOf(error);
  const code = (...codes: string[]): { path?: string } | undefined => chain.find((cause) => codes.includes(cause.code ?? ""));
  if (code("ENOSPC") !== undefined || (freeBytes !== undefined && freeBytes < leastFreeBytes))
    return `the disk that holds ${dataDir} is full: make room (look with: df -h ${dataDir}), and start again`;
  const denied = code("EACCES", "EPERM", "EROFS");
  if (denied?.path !== undefined)
    return `${denied.path} may not be written by this user: sudo chown -R "$USER" ${dataDir}, or set DATA_DIR to another folder`;
  // The part's own message, without the wrapper of the lifecycle.
  const [first, second] = chain;
  const shown = first?.message.includes("did not start") === true && second !== undefined ? second : first;
  return shown?.message ?? String(error);
}

interface Cause {
  readonly message: string;
  readonly code?: string;
  readonly path?: string;
}

function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause);
  return causes;
}
