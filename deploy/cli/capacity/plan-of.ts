import { platforms, type Platform } from "../../../shared/contract/platform.js";
import { slotCount } from "../../../shared/limits.js";
import { works, type UnitCosts, type Work } from "./unit-costs.js";

/** Load that a deployment must carry. */
export interface Demand {
  readonly sessions: Readonly<Record<Platform, number>>;
  readonly perSecond: Readonly<Record<Work, number>>;
  /** Memory limit of one shard's container. */
  readonly shardBytes: number;
}

export interface Plan {
  readonly sessions: number;
  readonly shards: {
    readonly count: number;
    /** Resource that requires this number of shards. */
    readonly because: "memory" | "processor" | "measured";
    readonly sessionsEach: number;
    readonly bytesEach: number;
    readonly coresEach: number;
  };
  readonly routers: { readonly count: number; readonly coresEach: number };
  readonly redis: {
    /** More than one means a Redis Cluster. */
    readonly masters: number;
    readonly dataBytes: number;
    readonly maxmemoryBytes: number;
    readonly cores: number;
    readonly cacheCores: number;
    readonly fileBytesPerDay: number;
  };
  readonly back: {
    /** Time until the other shards have reconnected the sessions of one dead shard. */
    readonly oneShardSeconds: number;
    /** Time until every session is reconnected after a full restart. */
    readonly allSeconds: number;
  };
  /** Limits that more processes cannot raise, the most exhausted first. */
  readonly bounds: readonly Bound[];
}

export interface Bound {
  readonly name: string;
  readonly share: number;
}

/** Usable share of memory and of a core. The rest is for the sessions of a dead shard, for bursts and for garbage. */
export const room = { memory: 0.8, core: 0.6 } as const;
/** Load of the fullest shard, as a multiple of the average (shared/README.md, "Slots"). */
const unevenness = 1.08;
/** Most sessions that were ever measured in one shard. */
export const sessionsMeasured = 5_000;
/** Connections that a shard starts per second. */
const connectsPerSecond = 50;
/** A larger Redis takes minutes to load its file, and doubles its memory while it rewrites the file. */
const redisBytes = 25 * 1024 ** 3;
/** Members in the largest simulation of placement and membership. */
const membersSimulated = 1_000;
/** With fewer slots per shard the distribution becomes too uneven. */
const slotsEachLeast = 16;
const [briefSeconds, daySeconds] = [900, 86_400];

/** Calculates the number of processes and the size of Redis. Each formula is a line of deploy/docs/capacity.md. */
export function planOf({ sessions, perSecond, shardBytes }: Demand, costs: UnitCosts): Plan {
  const all = sum(platforms, (platform) => sessions[platform]);
  const ofSessions = (read: (platform: Platform) => number): number => sum(platforms, (platform) => sessions[platform] * read(platform));
  const ofWork = (read: (work: Work) => number): number => sum(works, (work) => perSecond[work] * read(work));

  const sessionBytes = ofSessions((platform) => costs.session[platform].shardBytes);
  const shardCores =
    ofSessions((platform) => costs.session[platform].idleCpuMsPerHour) / 3_600_000 + ofWork((work) => costs.work[work].shardCpuMs) / 1_000;
  const needed = {
    memory: (unevenness * sessionBytes) / Math.max(1, room.memory * shardBytes - costs.emptyShardBytes),
    processor: (unevenness * shardCores) / room.core,
    measured: (unevenness * all) / sessionsMeasured,
  };
  const because = (["memory", "processor", "measured"] as const).reduce((most, one) => (needed[one] > needed[most] ? one : most));
  const working = Math.max(1, Math.ceil(needed[because]));
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
  /** Limited by the shard's connection rate or by its core. */
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
      // A Redis Cluster needs at least 3 masters.
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
