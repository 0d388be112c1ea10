import { bytes, duration } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { room, sessionsMeasured, type Bound, type Plan } from "./plan-of.js";
import type { UnitCosts } from "./unit-costs.js";

/** One row of the plan: a component, its count and size, and the reason. */
export interface PlanRow {
  readonly what: string;
  readonly count: string;
  readonly each: string;
  readonly why: string;
}

export const planColumns: readonly Column<PlanRow>[] = [
  { title: "COMPONENT", of: ({ what }) => what },
  { title: "COUNT", of: ({ count }) => count, align: "right" },
  { title: "EACH", of: ({ each }) => each },
  { title: "WHY", of: ({ why }) => why },
];

const because = {
  memory: "bound by memory",
  processor: "bound by CPU",
  measured: `limit of ${sessionsMeasured.toLocaleString("en-US")} sessions per shard (largest tested)`,
} as const;

export function planRows({ shards, routers, redis }: Plan): PlanRow[] {
  return [
    {
      what: "shards",
      count: String(shards.count),
      each: `${shards.sessionsEach} sessions, ${bytes(shards.bytesEach)}, ${cores(shards.coresEach)}`,
      why: `${because[shards.because]}; +1 spare`,
    },
    { what: "routers", count: String(routers.count), each: cores(routers.coresEach), why: "bound by CPU; +1 spare" },
    {
      what: "session Redis",
      count: redis.masters === 1 ? "1" : `${redis.masters} masters`,
      each: `maxmemory ${bytes(redis.maxmemoryBytes / redis.masters)}, ${cores(redis.cores / redis.masters)}`,
      why: `${bytes(redis.dataBytes)} of data at ${Math.round(room.memory * 100)} % use; add a replica for each`,
    },
    { what: "append-only file", count: `${bytes(redis.fileBytesPerDay)} per day`, each: "", why: "before rewrites compact it" },
    { what: "cache Redis", count: "1", each: cores(redis.cacheCores), why: "memory: sized for cached media" },
  ];
}

export const boundColumns: readonly Column<Bound>[] = [
  { title: "BOTTLENECK", of: ({ name }) => name },
  { title: "USED", of: ({ share }) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`, align: "right" },
];

export function backText({ back }: Plan): string {
  return `After a shard failure, its sessions reconnect within ${duration(back.oneShardSeconds * 1_000)} of takeover. After a full restart, all sessions reconnect within ${duration(back.allSeconds * 1_000)}.`;
}

export function sourceText({ measured }: UnitCosts): string {
  return `Based on costs measured on ${measured.date.slice(0, 10)} on ${measured.cpu} with Node ${measured.node} (measure yours with npm run capacity). This is an estimate: test it before you rely on it.`;
}

/** Formats a number of cores. */
function cores(count: number): string {
  return `${count.toFixed(count < 0.1 ? 3 : 2)} cores`;
}
