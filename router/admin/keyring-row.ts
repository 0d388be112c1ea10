import type { Count } from "../../shared/contract/plain-values.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { ProcessReport } from "../../shared/cluster/process-report.js";

/** A process that decrypts records. */
export interface KeyHolder {
  /** Name of the process. */
  name: string;
  /** Role of the process. */
  role: "router" | "shard";
  /** Host of the process. */
  host: string;
  /** Names of the keys of the process, active key first. `null` if the process has not reported them. */
  keys: readonly string[] | null;
}

/** Name and use of one key of `CRED_KEYS`. The key itself is never shown. */
export interface EncryptionKey {
  /** Name of the key, one letter or digit. */
  id: string;
  /** True for the active key. */
  sealing: boolean;
  /** Records encrypted with the key, as last counted. `null` before the first count. */
  records: Count | null;
  /** Time until which short-lived records need the key. Empty for the active key, and for keys that were never active. */
  neededUntil: string;
  /** True if you can remove the key: a count after `neededUntil` found no records. */
  removable: boolean;
  /** Processes that do not have the key. */
  missing: string[];
}

/** Encryption keys, the processes that have them, and the progress of a rotation. */
export interface EncryptionKeys {
  /** Name of the active key. */
  sealing: string;
  /** All known keys. */
  keys: EncryptionKey[];
  /** Processes that decrypt records. */
  members: KeyHolder[];
  /** Last rotation. `null` before the first. */
  rotation: KeyRotation | null;
  /** Erasure of deleted data from the file of Redis. */
  erasure: SecretErasure;
}

/** Deleted data in the append-only file of Redis. Times are empty if they do not apply. */
export interface SecretErasure {
  /** Time of the oldest deletion that is still in the file. */
  heldSince: string;
  /** Time of the last rewrite. Data that was deleted before is not in the file. */
  rewritten: string;
  /** `refused`: the Redis user of the shards may not rewrite the file; `failed`: the rewrite failed. Empty without a problem. */
  problem: string;
}

/** Progress of a rotation. Times are empty if they do not apply. */
export interface KeyRotation {
  /** `counting` comes before and after `resealing`. */
  state: "counting" | "resealing" | "ended";
  /** Records to re-encrypt. */
  total: Count;
  /** Re-encrypted records. */
  done: Count;
  /** Records that cannot be decrypted. They stay unchanged. */
  failed: Count;
  /** Start of the rotation in ISO 8601. */
  started: string;
  /** End of the rotation in ISO 8601. */
  ended: string;
  /** Shard that runs the rotation. */
  member: string;
}

/** Returns every living shard, with its report or without, and every router that has reported. */
export function holdersOf(
  members: readonly Pick<MemberRecord, "name" | "state" | "host">[],
  reports: readonly Pick<ProcessReport, "role" | "name" | "host" | "keys">[],
): KeyHolder[] {
  const shards = members.flatMap(({ name, state, host }): KeyHolder[] => {
    if (state !== "active" && state !== "draining") return [];
    const report = reports.find((candidate) => candidate.role === "shard" && candidate.name === name);
    return [{ name, role: "shard", host, keys: report?.keys ?? null }];
  });
  const routers = reports.flatMap(({ role, name, host, keys = null }): KeyHolder[] =>
    role === "router" ? [{ name, role, host, keys }] : [],
  );
  return [...routers, ...shards].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the names of the processes that lack this key. */
export function lacking(key: string, holders: readonly KeyHolder[]): string[] {
  return holders.filter(({ keys }) => keys?.includes(key) !== true).map(({ name }) => name);
}

/** `stored`: the rotation's hash in Redis. */
export function keyringRow(stored: Readonly<Record<string, string>>, holders: readonly KeyHolder[]): Omit<EncryptionKeys, "erasure"> {
  const { sealing = "" } = stored;
  const counted = Object.keys(stored).flatMap((field) => (field.startsWith("records:") && stored[field] !== "0" ? [field.slice(8)] : []));
  const ids = new Set([...(sealing === "" ? [] : [sealing]), ...holders.flatMap(({ keys }) => keys ?? []), ...counted]);
  return { sealing, keys: [...ids].sort().map((id) => keyRow(id, stored, holders)), members: [...holders], rotation: rotationRow(stored) };
}

function keyRow(id: string, stored: Readonly<Record<string, string>>, holders: readonly KeyHolder[]): EncryptionKey {
  const counted = stored["counted"];
  const records = counted === undefined ? null : Number(stored[`records:${id}`] ?? 0);
  const until = Number(stored[`until:${id}`] ?? 0);
  const sealing = id === stored["sealing"];
  const isFree = !sealing && records === 0 && Number(counted) >= until && (stored["phase"] ?? "") === "";
  return { id, sealing, records, neededUntil: instant(stored[`until:${id}`]), removable: isFree, missing: lacking(id, holders) };
}

function rotationRow(stored: Readonly<Record<string, string>>): KeyRotation | null {
  const { started, phase = "", owner = "" } = stored;
  if (started === undefined) return null;
  const [total = 0, done = 0, failed = 0] = ["total", "done", "failed"].map((field) => Number(stored[field] ?? 0));
  return {
    state: phase === "counting" || phase === "resealing" ? phase : "ended",
    total,
    done,
    failed,
    started: instant(started),
    ended: instant(stored["ended"]),
    member: owner.split(":")[0] ?? "",
  };
}

/** `aof`: the hash of rewrites. `gone`: the first deletion mark, if it is due. */
export function erasureRow(aof: Readonly<Record<string, string>>, gone: string | undefined): SecretErasure {
  return { heldSince: instant(gone), rewritten: instant(aof["rewritten"]), problem: aof["problem"] ?? "" };
}

function instant(ms: string | undefined): string {
  return ms === undefined ? "" : new Date(Number(ms)).toISOString();
}
