/**
 * Newest version of the Redis data formats that this build reads and writes; it only grows.
 * shared/README.md, "Schema", describes each version.
 */
export const newestSchema = 1;

/** A process of the cluster, as far as it decides what may be written. */
export interface ReportedProcess {
  readonly role: string;
  readonly name: string;
  /** The newest schema that it reads; absent from those that read none of it. */
  readonly schema?: number | undefined;
}

/**
 * Returns the names of live processes that cannot read `schema` or have not reported that they
 * can. Nothing is written in that schema while the list is not empty.
 */
export function processesBehind(schema: number, live: readonly ReportedProcess[], shards: readonly string[]): string[] {
  // A supervisor reads none of it.
  const old = live.filter((process) => process.role !== "supervisor" && (process.schema ?? 0) < schema).map(({ name }) => name);
  const reporting = new Set(live.filter(({ role }) => role === "shard").map(({ name }) => name));
  return [...new Set([...old, ...shards.filter((name) => !reporting.has(name))])].sort();
}
