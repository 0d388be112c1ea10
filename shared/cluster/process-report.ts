import typia from "typia";
import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { integer, list, text, tuple, literal } from "../redis/script-reply.js";

/**
 * State that a process reports to operators. It does not decide ownership; only the written schema
 * waits for all reports (shared/README.md, "Schema").
 */
export interface ProcessReport {
  role: "router" | "shard" | "supervisor";
  name: string;
  host: string;
  version: string;
  /** Number of slots of a shard. */
  slots?: number;
  sessions?: number;
  /** Names of the keys in `CRED_KEYS` of a router or shard, the sealing key first. */
  keys?: readonly string[];
  /** Newest schema that a router or shard can read. */
  schema?: number;
  /** Fingerprint of each key in `MEDIA_KEYS` of a router or shard; it reveals nothing of the key. */
  linkKeys?: Record<string, string>;
  /** Telegram application id that a shard logs in with. */
  telegramApiId?: number;
  /** Worst recent event-loop lag in milliseconds. */
  loopLagMs: number;
  /** Resident memory. */
  memoryBytes: number;
  /** What a router has counted. */
  traffic?: Traffic;
}

/** Counts of a router since its start. */
export interface Traffic {
  /** Time of the counts by the router's own clock, in milliseconds since the epoch. */
  at: number;
  /** Messages that callers sent. */
  messages: number;
  /** Responses with a status of 500 or above. */
  errors: number;
}

/** A report as stored in Redis; `ageMs` is the time since it was sent. */
export interface ReceivedReport extends ProcessReport {
  ageMs: number;
}

/** After three missing reports a process is no longer listed. */
export const reportLifetimeMs = 15_000;
/** Most processes listed. Past it the longest silent ones are removed. */
export const reportsMax = 1_000;

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const keepReport = script<[seen: string, reports: string], [process: string, report: string, lifetimeMs: number, most: number], 1>(
  lua("keep-report"),
  literal(1),
);
const listReports = script<[seen: string, reports: string], [lifetimeMs: number], [report: string, ageMs: number][]>(
  lua("list-reports"),
  list(tuple(text, integer)),
);
const dropReport = script<[seen: string, reports: string], [process: string], 1>(lua("drop-report"), literal(1));

const own: [seen: string, reports: string] = [keys.processesSeen, keys.processReports];

export async function writeReport(redis: RedisClient, report: ProcessReport): Promise<void> {
  await keepReport(redis, own, [processOf(report), JSON.stringify(report), reportLifetimeMs, reportsMax]);
}

/** Removes the report of a process that leaves. */
export async function withdrawReport(redis: RedisClient, report: Pick<ProcessReport, "role" | "name" | "host">): Promise<void> {
  await dropReport(redis, own, [processOf(report)]);
}

/** Returns all recent reports. Skips reports of other versions that cannot be parsed. */
export async function readReports(redis: RedisClient): Promise<ReceivedReport[]> {
  const rows = await listReports(redis, own, [reportLifetimeMs]);
  return rows.flatMap(([json, ageMs]) => {
    const report = parse(json);
    return report === null ? [] : [{ ...report, ageMs }];
  });
}

/** Supervisors of several hosts share a name. */
function processOf({ role, name, host }: Pick<ProcessReport, "role" | "name" | "host">): string {
  return `${role}/${name}/${host}`;
}

const parse = typia.json.createIsParse<ProcessReport>();
