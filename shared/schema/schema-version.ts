/** Forms of what stands in Redis, as one number that only grows: 1 is that of all versions up to 0.2 and of what followed it without a number. Each form is described in shared/README.md, "Schema". */
export const oldestSchema = 1;
/** From this one on envelopes are lists, records of commands texts, and Signal keys packed. */
export const packedSchema = 2;
/** From this one on envelopes, replies and outcomes are bytes. */
export const binarySchema = 3;
/** From this one on chats of messages stand in two generations without a list of their order, and cursors of updates are short. */
export const generationsSchema = 4;
/** From this one on every process knows proxies, and tenants' paces: one that did not would connect a session that has one without it, or not keep to the other. */
export const proxiesSchema = 5;
/** The newest that this build reads and writes. */
export const newestSchema = 5;

/** A process of the cluster, as far as it decides what may be written. */
export interface ReportedProcess {
  readonly role: string;
  readonly name: string;
  /** The newest schema that it reads; absent from builds that have no number. */
  readonly schema?: number | undefined;
}

/** Of the processes that told of themselves lately, and of the shards that live, those that cannot read a schema or did not tell that they can: as long as there are any, nothing of it is written. */
export function processesBehind(schema: number, live: readonly ReportedProcess[], shards: readonly string[]): string[] {
  // A supervisor reads none of it.
  const old = live.filter((process) => process.role !== "supervisor" && (process.schema ?? oldestSchema) < schema).map(({ name }) => name);
  const told = new Set(live.filter(({ role }) => role === "shard").map(({ name }) => name));
  return [...new Set([...old, ...shards.filter((name) => !told.has(name))])].sort();
}

/** The schema that a stored text names; the oldest when there is none. */
export function parseSchema(stored: string | null | undefined): number {
  const schema = Number(stored ?? oldestSchema);
  return Number.isInteger(schema) && schema >= oldestSchema ? schema : oldestSchema;
}
