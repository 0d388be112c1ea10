import typia from "typia";
import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { integer, list, text, tuple, word } from "../redis/script-reply.js";

/** What a process tells operators of itself. Who owns what is not decided by it, but by the members' own records; only what may be written waits for all of them (shared/README.md, "Schema"). */
export interface ProcessReport {
  role: "router" | "shard" | "supervisor";
  name: string;
  host: string;
  version: string;
  /** Of a shard. */
  slots?: number;
  sessions?: number;
  /** Of a router or shard: names of its keys in `CRED_KEYS`, the sealing one first. */
  keys?: readonly string[];
  /** Of a router or shard: the newest schema that it reads. */
  schema?: number;
  /** Of a router or shard: per key of `MEDIA_KEYS` what tells it from others and gives nothing of it away. */
  linkKeys?: Record<string, string>;
  /** Of a shard: under which application it logs in to Telegram. */
  telegramApiId?: number;
  /** The worst of the last moments, ms. */
  loopLagMs: number;
  /** Resident memory. */
  memoryBytes: number;
}

/** As Redis has it: `ageMs` since it was told. */
export interface ReceivedReport extends ProcessReport {
  ageMs: number;
}

/** Three reports that did not come, and the process is listed no more. */
export const reportLifetimeMs = 15_000;
/** Processes listed at most; past it those that were silent longest go. */
export const reportsMax = 1_000;

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const keepReport = script<[seen: string, reports: string], [process: string, report: string, lifetimeMs: number, most: number], 1>(
  lua("keep-report"),
  word(1),
);
const listReports = script<[seen: string, reports: string], [lifetimeMs: number], [report: string, ageMs: number][]>(
  lua("list-reports"),
  list(tuple(text, integer)),
);
const dropReport = script<[seen: string, reports: string], [process: string], 1>(lua("drop-report"), word(1));

const own: [seen: string, reports: string] = [keys.processesSeen, keys.processReports];

export async function tellReport(redis: RedisClient, report: ProcessReport): Promise<void> {
  await keepReport(redis, own, [processOf(report), JSON.stringify(report), reportLifetimeMs, reportsMax]);
}

/** The process leaves. */
export async function withdrawReport(redis: RedisClient, report: Pick<ProcessReport, "role" | "name" | "host">): Promise<void> {
  await dropReport(redis, own, [processOf(report)]);
}

/** Of every process that was heard of lately. One of another version, whose words are not ours, is left out. */
export async function readReports(redis: RedisClient): Promise<ReceivedReport[]> {
  const rows = await listReports(redis, own, [reportLifetimeMs]);
  return rows.flatMap(([json, ageMs]) => {
    const report = parse(json);
    return report === null ? [] : [{ ...report, ageMs }];
  });
}

/** Supervisors of several hosts have one name. */
function processOf({ role, name, host }: Pick<ProcessReport, "role" | "name" | "host">): string {
  return `${role}/${name}/${host}`;
}

const parse = typia.json.createIsParse<ProcessReport>();
