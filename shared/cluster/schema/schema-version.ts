/** Of the forms of what stands in Redis, as one number that only grows, the newest that this build reads and writes. Each is described in shared/README.md, "Schema". */
export const newestSchema = 1;

/** A process of the cluster, as far as it decides what may be written. */
export interface ReportedProcess {
  readonly role: string;
  readonly name: string;
  /** The newest schema that it reads; absent from those that read none of it. */
  readonly schema?: number | undefined;
}

/** Of the processes that told of themselves lately, and of the shards that live, those that cannot read a schema or did not tell that they can: as long as there are any, nothing of it is written. */
export function processesBehind(schema: number, live: readonly ReportedProcess[], shards: readonly string[]): string[] {
  // A supervisor reads none of it.
  const old = live.filter((process) => process.role !== "supervisor" && (process.schema ?? 0) < schema).map(({ name }) => name);
  const told = new Set(live.filter(({ role }) => role === "shard").map(({ name }) => name));
  return [...new Set([...old, ...shards.filter((name) => !told.has(name))])].sort();
}
