/** Reason why Redis did not run a command. With `away` the command may have run; with the other reasons it certainly did not. */
export type RedisTrouble = "away" | "full" | "without replicas" | "failing to write its file";

const refusals: readonly (readonly [prefix: string, trouble: RedisTrouble])[] = [
  ["OOM ", "full"],
  ["NOREPLICAS ", "without replicas"],
  ["MISCONF ", "failing to write its file"],
];
const away =
  /^(LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY) |^Command timed out|^Connection is closed|^Stream isn't writeable|^Reached the max retries per request|^Too many Cluster redirections|^Cluster isn't ready|^Cluster is ended|^None of startup nodes|^Failed to refresh slots cache|^All sentinels are unreachable/;
const awayCodes: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"]);

/** Returns the message with which Redis refused a command. Up to Redis 6.2, an error in a script wraps that message. */
export function refusalOf({ message }: Error): string {
  return /^ERR Error running script .*?: -(.*)/s.exec(message)?.[1] ?? message;
}

/** Returns `undefined` for an error that is not a failure of Redis, where a retry would not help. */
export function redisTrouble(error: unknown): RedisTrouble | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const message = refusalOf(cause);
    const refusal = refusals.find(([prefix]) => message.startsWith(prefix));
    if (refusal !== undefined) return refusal[1];
    if (away.test(message) || ("syscall" in cause && "code" in cause && awayCodes.has(cause.code))) return "away";
  }
  return undefined;
}

/** Redis will not take this write, nor others, for now: certainly nothing was written. */
export function isRefusedWrite(error: unknown): boolean {
  const trouble = redisTrouble(error);
  return trouble !== undefined && trouble !== "away";
}
