import { measuredCosts } from "./measured-costs.js";

/** A live shard, as it reports itself. */
export interface ShardLoad {
  readonly name: string;
  readonly host: string;
  readonly sessions: number;
  readonly memoryBytes: number;
}

export interface RedisLoad {
  readonly usedBytes: number;
  /** `maxmemory`; 0 means no limit. */
  readonly maxBytes: number;
}

export interface ShardCapacity extends ShardLoad {
  /** Measured on this shard if it has enough sessions, otherwise the benchmark's value. */
  readonly bytesPerSession: number;
  readonly isMeasured: boolean;
  /** Idle sessions that still fit. */
  readonly more: number;
}

export interface Capacity {
  readonly sessions: number;
  readonly shards: readonly ShardCapacity[];
  /** Sum over all shards. */
  readonly more: number;
  readonly redis: (RedisLoad & { readonly bytesPerSession: number | null; readonly more: number | null }) | null;
}

/** Resident memory of a shard without sessions, and of one idle session on the platform that needs more. */
export const model = {
  emptyBytes: measuredCosts.emptyShardBytes,
  sessionBytes: Math.max(...Object.values(measuredCosts.session).map(({ shardBytes }) => shardBytes)),
} as const;
/** With fewer sessions the memory per session cannot be measured. */
const measuredFrom = 500;
/** Usable share of `maxmemory`: file rewrites and growing streams need the rest. */
const redisShare = 0.8;

/** Calculates how many idle sessions fit by memory alone. `budgetBytes` is the memory limit of one shard. */
export function capacityOf(loads: readonly ShardLoad[], budgetBytes: number, redis: RedisLoad | undefined): Capacity {
  const sessions = loads.reduce((sum, { sessions: of }) => sum + of, 0);
  const shards = loads.map((load) => shardCapacity(load, budgetBytes));
  return {
    sessions,
    shards,
    more: shards.reduce((sum, { more }) => sum + more, 0),
    redis: redis === undefined ? null : redisCapacity(redis, sessions),
  };
}

function shardCapacity(load: ShardLoad, budgetBytes: number): ShardCapacity {
  const isMeasured = load.sessions >= measuredFrom;
  const measured = (load.memoryBytes - model.emptyBytes) / Math.max(1, load.sessions);
  const bytesPerSession = Math.round(isMeasured ? Math.max(measured, model.sessionBytes / 2) : model.sessionBytes);
  return {
    ...load,
    bytesPerSession,
    isMeasured,
    more: Math.max(0, Math.floor((budgetBytes - Math.max(load.memoryBytes, model.emptyBytes)) / bytesPerSession)),
  };
}

function redisCapacity({ usedBytes, maxBytes }: RedisLoad, sessions: number): Capacity["redis"] {
  const bytesPerSession = sessions >= measuredFrom ? Math.round(usedBytes / sessions) : null;
  const more =
    maxBytes === 0 || bytesPerSession === null ? null : Math.max(0, Math.floor((redisShare * maxBytes - usedBytes) / bytesPerSession));
  return { usedBytes, maxBytes, bytesPerSession, more };
}
