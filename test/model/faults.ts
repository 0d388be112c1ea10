import type { Cluster, ShardProcess } from "./cluster.js";
import type { Random } from "./random.js";
import { dropMs } from "./timing.js";

/** Starts a fault, which ends by itself. Returns its duration in ms, or `undefined` when the fault cannot happen now. */
type Fault = (cluster: Cluster, random: Random) => number | undefined;

const secondMs = 1_000;
const restartMs = { least: 200, most: 4_000 };
/** After this hang the supervisor kills its child. */
const hangMs = 10_000;

/** All kinds of faults. The weight says how often a kind is chosen. */
export const faults = {
  crash: { weight: 5, begin: crash },
  freeze: { weight: 4, begin: freeze },
  "host freeze": { weight: 2, begin: freezeHost },
  "host cut": { weight: 3, begin: cutHost },
  "redis cut": { weight: 3, begin: cutFromRedis },
  "redis cut in flight": { weight: 4, begin: cutInFlight },
  "host lost": { weight: 1, begin: loseHost },
  stop: { weight: 2, begin: stop },
  failover: { weight: 3, begin: failOver },
  "clock step": { weight: 2, begin: stepClock },
  "refused writes": { weight: 1, begin: refuseWrites },
  "lost replies": { weight: 5, begin: loseReplies },
  "slow redis": { weight: 1, begin: slowDown },
  "lost connection": { weight: 2, begin: dropWires },
  "router restart": { weight: 1, begin: restartRouter },
} as const satisfies Readonly<Record<string, { readonly weight: number; readonly begin: Fault }>>;

export type FaultKind = keyof typeof faults;

const kinds = (Object.keys(faults) as FaultKind[]).flatMap((kind) => Array.from({ length: faults[kind].weight }, () => kind));

/** Starts a random fault. Returns its kind and its duration in ms. */
export function beginFault(cluster: Cluster): { readonly kind: FaultKind; readonly ms: number } | undefined {
  const { random } = cluster.world;
  const kind = random.pick(kinds);
  const ms = kind && faults[kind].begin(cluster, random);
  if (kind === undefined || ms === undefined) return undefined;
  cluster.world.note("fault", kind, Math.round(ms));
  return { kind, ms };
}

function crash(cluster: Cluster, random: Random): number | undefined {
  const process = random.pick(cluster.shards.filter(({ machine }) => machine.isAlive));
  return process && kill(cluster, process);
}

/** The kernel closes the process's sockets. The supervisor buries the process and starts the next one. */
function kill(cluster: Cluster, process: ShardProcess): number {
  const { world, platform, supervisors } = cluster;
  const { machine, shard, name, hostNumber } = process;
  const { incarnation } = shard.lease;
  machine.kill();
  platform.closeAll(machine);
  cluster.redis.listeners.delete(shard);
  for (const { with: sharing, router } of cluster.routers) if (sharing === process) cluster.redis.listeners.delete(router);
  const ms = world.random.between(restartMs.least, restartMs.most);
  world.after(world.random.between(1, 200), () => supervisors[hostNumber]?.reaped(name, incarnation));
  world.after(ms, () => {
    if (process.machine === machine && machine.place.lostSince === undefined) cluster.restartShard(process);
  });
  return ms;
}

function freeze(cluster: Cluster, random: Random): number | undefined {
  const process = random.pick(cluster.shards.filter(({ machine }) => machine.state === "running"));
  if (process === undefined) return undefined;
  const { machine } = process;
  const ms = random.chance(0.5) ? random.between(100, 8_000) : random.between(8_000, 70_000);
  machine.freeze();
  // Unless its supervisor kills it, the process stays frozen for longer than its lease lasts.
  const isKilled = ms > hangMs && random.chance(0.5);
  cluster.world.after(isKilled ? hangMs : ms, () => {
    if (isKilled && machine.isAlive) kill(cluster, process);
    cluster.platform.dropSilent();
    machine.thaw();
  });
  return isKilled ? hangMs + restartMs.most : ms;
}

function freezeHost(cluster: Cluster, random: Random): number {
  const machines = cluster.machinesOf(random.below(cluster.places.length)).filter(({ state }) => state === "running");
  const ms = random.between(500, 60_000);
  for (const machine of machines) machine.freeze();
  cluster.world.after(ms, () => {
    cluster.platform.dropSilent();
    for (const machine of machines) machine.thaw();
  });
  return ms;
}

/** Cuts a host from Redis and from the platform. */
function cutHost(cluster: Cluster, random: Random): number | undefined {
  const place = random.pick(cluster.places);
  if (place === undefined || place.cutSince !== undefined || place.lostSince !== undefined) return undefined;
  const ms = random.chance(0.5) ? random.between(200, 6_000) : random.between(6_000, 60_000);
  const since = cluster.world.now;
  place.cutSince = since;
  cluster.world.after(ms, () => {
    cluster.platform.dropSilent();
    for (const { machine } of cluster.shards) if (machine.place === place) machine.reconnected(since);
    place.cutSince = undefined;
    if (place.redisCutSince === undefined) cluster.redis.link.heal(place);
  });
  return ms;
}

/** Cuts a host from Redis only. Its processes still reach the platform. */
function cutFromRedis(cluster: Cluster, random: Random): number | undefined {
  const place = random.pick(cluster.places);
  if (place === undefined || place.redisCutSince !== undefined || place.lostSince !== undefined) return undefined;
  const ms = random.chance(0.5) ? random.between(200, 6_000) : random.between(6_000, 90_000);
  place.redisCutSince = cluster.world.now;
  cluster.world.after(ms, () => {
    place.redisCutSince = undefined;
    if (place.cutSince === undefined) cluster.redis.link.heal(place);
  });
  return ms;
}

/**
 * Cuts a process of a router and a shard from Redis while the platform, which responds late, has one of its own messages. The cut is
 * longer than the lease, and shorter than the message's deadline.
 */
function cutInFlight(cluster: Cluster, random: Random): number | undefined {
  const { world, platform, redis, routers } = cluster;
  const process = random.pick(routers.flatMap((router) => router.with ?? []));
  if (process?.machine.state !== "running") return undefined;
  const { place } = process.machine;
  const [waitMs, ms] = [15_000, random.between(22_000, 35_000)];
  const endsAt = world.now + waitMs;
  platform.stalledUntil = endsAt + ms;
  const cutSoon = (): void => {
    const isOver = process.machine.place !== place || place.lostSince !== undefined || place.redisCutSince !== undefined;
    if (isOver || world.now >= endsAt) return;
    if (!process.shard.commands.isSendingUnrecorded) return world.after(random.between(100, 300), cutSoon);
    place.redisCutSince = world.now;
    world.after(ms, () => {
      place.redisCutSince = undefined;
      if (place.cutSince === undefined) redis.link.heal(place);
    });
  };
  cutSoon();
  return waitMs + ms;
}

function loseHost(cluster: Cluster, random: Random): number | undefined {
  const hostNumber = random.below(cluster.places.length);
  const place = cluster.places[hostNumber];
  if (place === undefined || place.lostSince !== undefined) return undefined;
  // The host stays away until the platform has dropped its connections. The product does not cover an earlier return.
  const ms = random.between(dropMs, dropMs + 30_000);
  place.lostSince = cluster.world.now;
  for (const machine of cluster.machinesOf(hostNumber)) machine.kill();
  cluster.supervisors[hostNumber]?.machine.kill();
  cluster.world.after(ms, () => cluster.restartHost(hostNumber));
  return ms;
}

/** Sends SIGTERM to a shard, which then starts again. */
function stop(cluster: Cluster, random: Random): number | undefined {
  const process = random.pick(cluster.shards.filter(({ machine }) => machine.state === "running"));
  if (process === undefined) return undefined;
  const { machine } = process;
  let isOver = false;
  const end = (): void => {
    if (isOver || process.machine !== machine || !machine.isAlive) return;
    isOver = true;
    kill(cluster, process);
  };
  process.shard.stop(end);
  const mostMs = 45 * secondMs;
  cluster.world.after(mostMs, end);
  return mostMs + restartMs.most;
}

function failOver({ world, redis }: Cluster, random: Random): number | undefined {
  if (redis.link.trouble.isDown) return undefined;
  const ms = random.chance(0.7) ? random.between(100, 4_000) : random.between(4_000, 25_000);
  const count = redis.failOver(random.between(0, 1_500));
  world.note("redis forgot writes", count);
  world.after(ms, () => redis.comeBack());
  return ms;
}

function stepClock({ redis }: Cluster, random: Random): number {
  redis.steppedMs += random.between(-30_000, 30_000);
  return 0;
}

function refuseWrites({ world, redis }: Cluster, random: Random): number {
  const ms = random.between(500, 20_000);
  redis.store.refusesWrites = true;
  world.after(ms, () => (redis.store.refusesWrites = false));
  return ms;
}

function loseReplies({ world, redis }: Cluster, random: Random): number {
  const ms = random.between(500, 5_000);
  redis.link.trouble.cuts = random.between(0.01, 0.2);
  world.after(ms, () => (redis.link.trouble.cuts = 0));
  return ms;
}

function slowDown({ world, redis }: Cluster, random: Random): number {
  const ms = random.between(500, 8_000);
  redis.link.trouble.slowMs = random.between(20, 1_500);
  world.after(ms, () => (redis.link.trouble.slowMs = 0));
  return ms;
}

/** Lets the platform end some connections. */
function dropWires({ platform }: Cluster, random: Random): number {
  platform.dropSome(() => random.chance(0.3));
  return 0;
}

function restartRouter(cluster: Cluster, random: Random): number | undefined {
  const process = random.pick(cluster.routers.filter((one) => one.with === undefined && one.router.machine.state === "running"));
  if (process === undefined) return undefined;
  process.router.machine.kill();
  cluster.restartRouter(process);
  return 0;
}
