import { platforms, type Platform } from "../../../shared/contract/platform.js";
import { slotCount } from "../../../shared/limits.js";
import { works, type UnitCosts, type Work } from "./unit-costs.js";

/** What a deployment is to carry. */
export interface Demand {
  readonly sessions: Readonly<Record<Platform, number>>;
  readonly perSecond: Readonly<Record<Work, number>>;
  /** Of one shard's container. */
  readonly shardBytes: number;
}

export interface Plan {
  readonly sessions: number;
  readonly shards: {
    readonly count: number;
    /** What asks for so many. */
    readonly because: "memory" | "processor" | "measured";
    readonly sessionsEach: number;
    readonly bytesEach: number;
    readonly coresEach: number;
  };
  readonly routers: { readonly count: number; readonly coresEach: number };
  readonly redis: {
    /** More than one is a Redis Cluster. */
    readonly masters: number;
    readonly dataBytes: number;
    readonly maxmemoryBytes: number;
    readonly cores: number;
    readonly cacheCores: number;
    readonly fileBytesPerDay: number;
  };
  readonly back: {
    /** The sessions of a shard that died, by the others. */
    readonly oneShardSeconds: number;
    /** All, after a start of everything. */
    readonly allSeconds: number;
  };
  /** What no further process helps against, the fullest first. */
  readonly bounds: readonly Bound[];
}

export interface Bound {
  readonly name: string;
  readonly share: number;
}

/** Of memory and of a core: the rest is for the sessions of one that died, for bursts and for garbage. */
export const room = { memory: 0.8, core: 0.6 } as const;
/** The fullest shard has so much more than its share (shared/README.md, "Slots"). */
const unevenness = 1.08;
/** More in one shard was never measured. */
export const sessionsMeasured = 5_000;
/** Connects that a shard begins in a second. */
const connectsPerSecond = 50;
/** A server with more takes minutes to load its file, and as much again while it rewrites it. */
const redisBytes = 25 * 1024 ** 3;
/** Members that placement and membership were simulated with. */
const membersSimulated = 1_000;
/** Below that a shard's share is a matter of luck. */
const slotsEachLeast = 16;
const [briefSeconds, daySeconds] = [900, 86_400];

/** How many processes, and how much Redis. Each formula is a line of deploy/docs/capacity.md. */
export function planOf({ sessions, perSecond, shardBytes }: Demand, costs: UnitCosts): Plan {
  const all = sum(platforms, (platform) => sessions[platform]);
  const ofSessions = (read: (platform: Platform) => number): number => sum(platforms, (platform) => sessions[platform] * read(platform));
  const ofWork = (read: (work: Work) => number): number => sum(works, (work) => perSecond[work] * read(work));

  const sessionBytes = ofSessions((platform) => costs.session[platform].shardBytes);
  const shardCores =
    ofSessions((platform) => costs.session[platform].idleCpuMsPerHour) / 3_600_000 + ofWork((work) => costs.work[work].shardCpuMs) / 1_000;
  const asked = {
    memory: (unevenness * sessionBytes) / Math.max(1, room.memory * shardBytes - costs.emptyShardBytes),
    processor: (unevenness * shardCores) / room.core,
    measured: (unevenness * all) / sessionsMeasured,
  };
  const because = (["memory", "processor", "measured"] as const).reduce((most, one) => (asked[one] > asked[most] ? one : most));
  const working = Math.max(1, Math.ceil(asked[because]));
  const shards = working + 1;

  const routerCores = ofWork((work) => costs.work[work].routerCpuMs) / 1_000;
  const routers = Math.max(1, Math.ceil(routerCores / room.core)) + 1;

  const dataBytes =
    ofSessions((platform) => costs.session[platform].redisBytes) +
    ofWork((work) => costs.work[work].briefBytes * briefSeconds + costs.work[work].dayBytes * daySeconds);
  const maxmemoryBytes = dataBytes / room.memory;
  const redisCores = ofWork((work) => costs.work[work].redisCpuMs) / 1_000;
  const servers = Math.max(Math.ceil(maxmemoryBytes / redisBytes), Math.ceil(redisCores / room.core));

  const connectMs = all === 0 ? 0 : ofSessions((platform) => costs.session[platform].connectCpuMs) / all;
  /** A shard's own limit, or its core. */
  const secondsFor = (count: number): number => count * Math.max(1 / connectsPerSecond, connectMs / 1_000);
  const each = (unevenness * all) / shards;
  return {
    sessions: all,
    shards: {
      count: shards,
      because,
      sessionsEach: Math.ceil(each),
      bytesEach: costs.emptyShardBytes + (unevenness * sessionBytes) / shards,
      coresEach: (unevenness * shardCores) / shards,
    },
    routers: { count: routers, coresEach: routerCores / routers },
    redis: {
      // The fewest that a Redis Cluster has.
      masters: servers <= 1 ? 1 : Math.max(3, servers),
      dataBytes,
      maxmemoryBytes,
      cores: redisCores,
      cacheCores: ofWork((work) => costs.work[work].cacheCpuMs) / 1_000,
      fileBytesPerDay: ofWork((work) => costs.work[work].fileBytes) * daySeconds,
    },
    back: { oneShardSeconds: secondsFor(each / (shards - 1)), allSeconds: secondsFor(each) },
    bounds: [
      { name: "memory of one Redis", share: maxmemoryBytes / redisBytes },
      { name: "core of one Redis", share: redisCores / room.core },
      { name: "slots by shard", share: slotsEachLeast / (slotCount / shards) },
      { name: "members", share: (shards + routers) / membersSimulated },
    ].sort((a, b) => b.share - a.share),
  };
}

function sum<T>(of: readonly T[], read: (one: T) => number): number {
  return of.reduce((total, one) => total + read(one), 0);
}
