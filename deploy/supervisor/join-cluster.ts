import { strangeKeys } from "../../shared/cluster/cluster-keys.js";
import { readReports, type ProcessReport } from "../../shared/cluster/process-report.js";
import { LinkKeys } from "../../shared/media/link.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { secretsPath, type Secrets } from "./secrets.js";
import { count, memberName, type SupervisorSettings } from "./settings.js";

export interface JoinFacts {
  readonly settings: SupervisorSettings;
  readonly secrets: Secrets;
}

/**
 * Checks a shared Redis before anything starts. Rejects with a sentence if this host is not part of its cluster, or another host has its
 * names.
 */
export async function settleInCluster(redis: RedisClient, facts: JoinFacts): Promise<void> {
  const [reports, canaries] = await Promise.all([readReports(redis), redis.hlen(keys.canaries)]);
  const problem = obstacle(facts, reports, canaries > 0);
  if (problem !== undefined) throw new Error(problem);
}

/** Pure. */
export function obstacle({ settings, secrets }: JoinFacts, reports: readonly ProcessReport[], isCluster: boolean): string | undefined {
  const { joins, dataDir, shared, telegramApiId } = settings;
  if (joins && !isCluster) return "there is no cluster at REDIS_URL that could be joined: start its first host without --join";
  if (joins && secrets.made !== undefined)
    return `a host that joins needs the keys of its cluster: copy ${secretsPath("DATA_DIR")} of the first host to ${secretsPath(dataDir)}, or give API_KEYS, CRED_KEYS and MEDIA_KEYS`;
  const named = joins ? undefined : nameTaken(settings, reports);
  if (named !== undefined)
    return `${named.name} runs on host ${named.host} already: to add this host to its cluster, start it with npm start -- --join (deploy/docs/hosts.md)`;
  const linkKeys = secrets.made === undefined ? LinkKeys.parse(secrets.mediaKeys).fingerprints : undefined;
  const app = telegramApiId === undefined ? { hasNoApp: true } : { telegramApiId };
  return strangeKeys({ host: shared.host, ...app, ...(linkKeys === undefined ? {} : { linkKeys }) }, reports)[0];
}

function nameTaken(settings: SupervisorSettings, reports: readonly ProcessReport[]): ProcessReport | undefined {
  const names = new Set([
    ...count(settings.routers).map((i) => memberName(settings, "router", i)),
    ...count(settings.shards).map((i) => memberName(settings, "shard", i)),
  ]);
  return reports.find(({ role, name, host }) => role !== "supervisor" && names.has(name) && host !== settings.shared.host);
}
