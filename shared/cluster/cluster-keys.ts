import { ConfigError } from "../config/env.js";
import type { RedisClient } from "../redis/connect.js";
import { readReports, type ProcessReport } from "./process-report.js";

/** Settings that must be equal in all processes of a cluster and that stored data does not reveal. */
export interface ClusterKeys extends Pick<ProcessReport, "host" | "linkKeys" | "telegramApiId"> {
  /** Set in a process that hosts sessions without a Telegram application. */
  readonly hasNoApp?: boolean;
}

/**
 * Rejects with a `ConfigError` if this process has other media keys or another Telegram application than processes on other hosts: media
 * links signed by one could not be opened by the others. `requireFittingKeys` checks the keys of logins.
 */
export async function requireClusterKeys(redis: RedisClient, own: ClusterKeys): Promise<void> {
  const problems = strangeKeys(own, await readReports(redis));
  if (problems.length > 0) throw new ConfigError(problems);
}

/**
 * Returns a sentence for each setting that differs on another host. Processes of this host are skipped: they share its settings, or are an
 * earlier life of this process. Pure.
 */
export function strangeKeys(own: ClusterKeys, reports: readonly ProcessReport[]): string[] {
  const others = reports.filter(({ host }) => host !== own.host);
  const links = others.flatMap((other) => {
    const why = otherRing(own.linkKeys, other.linkKeys);
    return why === undefined ? [] : [`MEDIA_KEYS ${why} of ${other.name} on host ${other.host}: ${remedy("MEDIA_KEYS")}`];
  });
  const apps = others.flatMap(({ telegramApiId, name, host }) =>
    telegramApiId === undefined || telegramApiId === own.telegramApiId
      ? []
      : otherApp(own).map((problem) => `${problem} of ${name} on host ${host}, ${telegramApiId}: ${remedy("TELEGRAM_API_ID")}`),
  );
  return [links, apps].flatMap((problems) => problems.slice(0, 1));
}

function otherApp({ telegramApiId, hasNoApp }: ClusterKeys): string[] {
  if (telegramApiId !== undefined) return [`TELEGRAM_API_ID ${telegramApiId} is not that`];
  // A host without the application would disconnect the Telegram sessions that it takes over.
  return hasNoApp === true ? ["TELEGRAM_API_ID is not set, unlike that"] : [];
}

/** During a key exchange one ring may have keys that the other lacks, but at least one key is in both. */
function otherRing(own: ProcessReport["linkKeys"], other: ProcessReport["linkKeys"]): string | undefined {
  if (own === undefined || other === undefined) return undefined;
  const common = Object.keys(own).filter((id) => other[id] !== undefined);
  const differing = common.find((id) => own[id] !== other[id]);
  if (differing !== undefined) return `has another key ${differing} than those`;
  return common.length === 0 ? "has no key in common with those" : undefined;
}

function remedy(name: string): string {
  return `give this host the ${name} of its cluster`;
}
