import { readReports } from "../../../shared/cluster/process-report.js";
import { slotCount } from "../../../shared/limits.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { unopenedCanaries } from "../../../shared/cluster/keyring/key-check.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { mastersOf } from "../../../shared/redis/topology.js";
import { counted } from "../output/quantities.js";
import type { ArchiveHead } from "./archive-form.js";

/** Returns one sentence if these keys cannot open the logins of the archive, otherwise undefined. */
export function wrongKeys({ canaries, fingerprints }: ArchiveHead, ring: KeyRing | undefined, from: string): string | undefined {
  if (ring === undefined) return "missing encryption keys for this backup; set CRED_KEYS or put secrets.json back into the data folder";
  const [id] = unopenedCanaries(ring, canaries);
  if (id === undefined) return undefined;
  const which = fingerprints[id] === undefined ? "" : ` (fingerprint ${fingerprints[id]})`;
  const have = ring.ids.includes(id) ? `a different key ${id}` : `no key ${id}`;
  return `${from} has ${have}, but this backup needs key ${id}${which}; nothing was restored. Use the CRED_KEYS of the cluster that was backed up`;
}

/** Current contents of the target Redis. */
export interface Found {
  readonly keys: number;
  readonly sessions: number;
  /** Names of the processes that reported within the last 15 s. */
  readonly running: readonly string[];
}

export async function inspect(redis: RedisClient): Promise<Found> {
  const [sizes, reports, counts] = await Promise.all([
    Promise.all(mastersOf(redis).map((master) => master.dbsize())),
    readReports(redis),
    Promise.all(Array.from({ length: slotCount }, (_, slot) => redis.scard(keys.slotSessions(slot)))),
  ]);
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  return { keys: total(sizes), sessions: total(counts), running: reports.map(({ name }) => name).sort() };
}

/** Returns one sentence if nothing may be restored to this Redis, otherwise undefined. */
export function obstacleTo(
  { keys: size, sessions, running }: Found,
  { replace, whileRunning }: { replace: boolean; whileRunning: boolean },
): string | undefined {
  if (running.length > 0 && !whileRunning)
    return `the cluster is running (${running.join(", ")}): stop its processes first, or use --while-running and restart them afterwards`;
  if (size > 0 && !replace)
    return `this Redis is not empty (${counted(size, "key")}, ${counted(sessions, "session")}); use --replace to delete its logins and settings first`;
  return undefined;
}
