import type { Count } from "../../shared/contract/plain-values.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { ProcessReport } from "../../shared/cluster/process-report.js";

/** A process that opens what is sealed. */
export interface KeyHolder {
  /** Its stable name. */
  name: string;
  /** What it does. */
  role: "router" | "shard";
  /** Where it runs. */
  host: string;
  /** Names of its keys, the sealing one first; `null` when it has not told them. */
  keys: readonly string[] | null;
}

/** One key of `CRED_KEYS`: its name, never itself. */
export interface KeyRow {
  /** One letter or digit. */
  id: string;
  /** True for the one that seals now. */
  sealing: boolean;
  /** Stored texts that are sealed with it, as last counted; `null` before the first count. */
  records: Count | null;
  /** Outcomes and plans may need it until then; empty for the sealing one, and for one that never sealed. */
  neededUntil: string;
  /** It may be taken out: nothing that was counted after `neededUntil` needs it. */
  removable: boolean;
  /** Processes without it. */
  missing: string[];
}

/** The keys that seal what is stored, who has them, and how far a rotation has come. */
export interface KeyringRow {
  /** Name of the key that seals now. */
  sealing: string;
  /** All keys that are known of. */
  keys: KeyRow[];
  /** The processes that open what is sealed. */
  members: KeyHolder[];
  /** The last rotation; `null` before the first. */
  rotation: RotationRow | null;
  /** What is still to be erased from the file of Redis. */
  erasure: ErasureRow;
}

/** What the append-only file of Redis still holds of deleted sessions. Instants are empty while there is none. */
export interface ErasureRow {
  /** The first secret that is gone from Redis and not from its file. */
  heldSince: string;
  /** The file has nothing that was gone by then. */
  rewritten: string;
  /** A rewrite was `refused` to the shards' user of Redis, or `failed`; empty when all is well. */
  problem: string;
}

/** How far a rotation has come. Instants are empty while there is none. */
export interface RotationRow {
  /** `counting` comes before and after `resealing`. */
  state: "counting" | "resealing" | "ended";
  /** Stored texts to seal anew. */
  total: Count;
  /** Stored texts that were sealed anew. */
  done: Count;
  /** Stored texts that do not open, and stay as they are. */
  failed: Count;
  /** When it began, ISO 8601. */
  started: string;
  /** When it ended, ISO 8601. */
  ended: string;
  /** Shard that works on it. */
  member: string;
}

/** Every living shard, whether it has told of itself or not, and every router that has. */
export function holdersOf(
  members: readonly Pick<MemberRecord, "name" | "state" | "host">[],
  reports: readonly Pick<ProcessReport, "role" | "name" | "host" | "keys">[],
): KeyHolder[] {
  const shards = members.flatMap(({ name, state, host }): KeyHolder[] => {
    if (state !== "active" && state !== "draining") return [];
    const report = reports.find((told) => told.role === "shard" && told.name === name);
    return [{ name, role: "shard", host, keys: report?.keys ?? null }];
  });
  const routers = reports.flatMap(({ role, name, host, keys = null }): KeyHolder[] =>
    role === "router" ? [{ name, role, host, keys }] : [],
  );
  return [...routers, ...shards].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Names of those that could not open what this key seals. */
export function lacking(key: string, holders: readonly KeyHolder[]): string[] {
  return holders.filter(({ keys }) => keys?.includes(key) !== true).map(({ name }) => name);
}

/** `stored`: the hash of the rotation. */
export function keyringRow(stored: Readonly<Record<string, string>>, holders: readonly KeyHolder[]): Omit<KeyringRow, "erasure"> {
  const { sealing = "" } = stored;
  const counted = Object.keys(stored).flatMap((field) => (field.startsWith("records:") && stored[field] !== "0" ? [field.slice(8)] : []));
  const ids = new Set([...(sealing === "" ? [] : [sealing]), ...holders.flatMap(({ keys }) => keys ?? []), ...counted]);
  return { sealing, keys: [...ids].sort().map((id) => keyRow(id, stored, holders)), members: [...holders], rotation: rotationRow(stored) };
}

function keyRow(id: string, stored: Readonly<Record<string, string>>, holders: readonly KeyHolder[]): KeyRow {
  const counted = stored["counted"];
  const records = counted === undefined ? null : Number(stored[`records:${id}`] ?? 0);
  const until = Number(stored[`until:${id}`] ?? 0);
  const sealing = id === stored["sealing"];
  const isFree = !sealing && records === 0 && Number(counted) >= until && (stored["phase"] ?? "") === "";
  return { id, sealing, records, neededUntil: instant(stored[`until:${id}`]), removable: isFree, missing: lacking(id, holders) };
}

function rotationRow(stored: Readonly<Record<string, string>>): RotationRow | null {
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

/** `aof`: the hash of rewrites; `gone`: the first mark, if its time has come. */
export function erasureRow(aof: Readonly<Record<string, string>>, gone: string | undefined): ErasureRow {
  return { heldSince: instant(gone), rewritten: instant(aof["rewritten"]), problem: aof["problem"] ?? "" };
}

function instant(ms: string | undefined): string {
  return ms === undefined ? "" : new Date(Number(ms)).toISOString();
}
