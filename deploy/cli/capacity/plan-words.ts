import { bytes, duration } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { room, sessionsMeasured, type Bound, type Plan } from "./plan-of.js";
import type { UnitCosts } from "./unit-costs.js";

/** What there has to be of something, and why. */
export interface PlanRow {
  readonly what: string;
  readonly count: string;
  readonly each: string;
  readonly why: string;
}

export const planColumns: readonly Column<PlanRow>[] = [
  { title: "WHAT", of: ({ what }) => what },
  { title: "HOW MUCH", of: ({ count }) => count, align: "right" },
  { title: "EACH", of: ({ each }) => each },
  { title: "WHY", of: ({ why }) => why },
];

const because = {
  memory: "by memory",
  processor: "by processor",
  measured: `no more than ${sessionsMeasured} sessions in one were measured`,
} as const;

export function planRows({ shards, routers, redis }: Plan): PlanRow[] {
  return [
    {
      what: "shards",
      count: String(shards.count),
      each: `${shards.sessionsEach} sessions, ${bytes(shards.bytesEach)}, ${cores(shards.coresEach)}`,
      why: `${because[shards.because]}, and one that may be missing`,
    },
    { what: "routers", count: String(routers.count), each: cores(routers.coresEach), why: "by processor, and one that may be missing" },
    {
      what: "Redis of sessions",
      count: redis.masters === 1 ? "1" : `${redis.masters} masters`,
      each: `maxmemory ${bytes(redis.maxmemoryBytes / redis.masters)}, ${cores(redis.cores / redis.masters)}`,
      why: `${bytes(redis.dataBytes)} of data in ${Math.round(room.memory * 100)} % of it; a replica for each`,
    },
    { what: "its file", count: `${bytes(redis.fileBytesPerDay)} a day`, each: "", why: "before rewrites make it short" },
    { what: "Redis of chunks", count: "1", each: cores(redis.cacheCores), why: "as much memory as media shall be quick again" },
  ];
}

export const boundColumns: readonly Column<Bound>[] = [
  { title: "REACHED FIRST", of: ({ name }) => name },
  { title: "USED", of: ({ share }) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`, align: "right" },
];

export function backWords({ back }: Plan): string {
  return `After a shard's death its sessions are back ${duration(back.oneShardSeconds * 1_000)} after others have them; after a start of everything all are back in ${duration(back.allSeconds * 1_000)}.`;
}

export function sourceWords({ measured }: UnitCosts): string {
  return `By what one thing takes, as measured on ${measured.date.slice(0, 10)} on ${measured.cpu} with Node ${measured.node} (npm run capacity measures it here). A plan, not a promise: try it before you rely on it.`;
}

/** Of one core. */
function cores(count: number): string {
  return `${count.toFixed(count < 0.1 ? 3 : 2)} cores`;
}
