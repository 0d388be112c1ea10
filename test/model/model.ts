import { Cluster, type RouterProcess } from "./cluster.js";
import { modelCommands } from "./facts.js";
import { beginFault, type FaultKind } from "./faults.js";
import { allGuards, type Guards } from "./guards.js";
import type { Report } from "./report.js";
import { slots } from "./sessions.js";
import { Violation } from "./truth.js";
import { World } from "./world.js";

export interface ModelOptions {
  readonly seed: number;
  readonly steps: number;
  readonly guards?: Guards;
}

const faultsForMs = { least: 30_000, most: 120_000 };
const betweenFaultsMs = { least: 200, most: 7_000 };
const betweenCallsMs = { least: 200, most: 2_500 };
/** Share of the callers that leave before their response arrives. */
const leaving = 0.03;
/**
 * After the last fault every session reconnects within this time: silence that counts as death, the platform's wait twice, and a reserve.
 */
const recoveryMs = 150_000;
const lookMs = 1_000;

/** Runs the cluster for `steps` steps. Throws a `Violation` that names the seed and the last events. */
export function runModel({ seed, steps, guards = allGuards }: ModelOptions): Report {
  const world = new World(seed);
  const cluster = new Cluster(world, guards);
  const counts = new Map<FaultKind, number>();
  let rounds = 0;
  try {
    while (world.steps < steps) {
      recover(cluster, steps);
      cluster.truth.forget();
      cluster.redis.store.expire();
      disturb(cluster, steps, counts);
      rounds += 1;
    }
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Violation(`seed ${seed}, step ${world.steps}: ${error.message}\n${world.trace(200).join("\n")}`);
  }
  const { counts: commands } = cluster.truth;
  return { seed, steps: world.steps, seconds: world.now / 1_000, rounds, faults: counts, repeats: cluster.redis.link.repeats, commands };
}

/** Causes faults, and calls from both routers, until the last fault is over. */
function disturb(cluster: Cluster, steps: number, counts: Map<FaultKind, number>): void {
  const { world } = cluster;
  const { random } = world;
  const endsAt = world.now + random.between(faultsForMs.least, faultsForMs.most);
  let calmAt = endsAt;
  const fault = (): void => {
    if (world.now >= endsAt) return;
    const begun = beginFault(cluster);
    if (begun !== undefined) {
      counts.set(begun.kind, (counts.get(begun.kind) ?? 0) + 1);
      calmAt = Math.max(calmAt, world.now + begun.ms);
    }
    world.after(random.between(betweenFaultsMs.least, betweenFaultsMs.most), fault);
  };
  fault();
  for (const process of cluster.routers) keepCalling(cluster, process, endsAt);
  while (world.now < calmAt && world.steps < steps) world.runUntil(calmAt, steps);
}

function keepCalling(cluster: Cluster, process: RouterProcess, endsAt: number): void {
  const { world } = cluster;
  const { random } = world;
  const call = (): void => {
    if (world.now >= endsAt) return;
    const command = random.pick(modelCommands);
    const { router } = process;
    if (command !== undefined && router.machine.state === "running") {
      const id = cluster.call(process, random.below(slots), command, () => undefined);
      if (random.chance(leaving)) world.after(random.between(1, 3_000), () => router.machine.state === "running" && router.cancel(id));
    }
    world.after(random.between(betweenCallsMs.least, betweenCallsMs.most), call);
  };
  call();
}

/** Requires progress after the last fault: every slot has an owner, every session is connected, every command is done. */
function recover(cluster: Cluster, steps: number): void {
  const { world, truth } = cluster;
  const since = world.now;
  let why = idle(cluster);
  while (why !== undefined && world.steps < steps) {
    if (world.now - since > recoveryMs) truth.fail(`no progress: ${why} ${recoveryMs / 1_000} s after the last fault`);
    world.runUntil(world.now + lookMs, steps);
    why = idle(cluster);
  }
  if (world.steps >= steps) return;
  let waiting = 0;
  for (const router of cluster.routers) {
    for (let slot = 0; slot < slots; slot++) {
      for (const command of modelCommands) {
        waiting += 1;
        cluster.call(router, slot, command, (isOk, what) => {
          waiting -= 1;
          if (!isOk) truth.fail(`no progress: a calm cluster answered ${command} with ${what}`);
        });
      }
    }
  }
  const endsAt = world.now + recoveryMs;
  while (waiting > 0 && world.steps < steps) {
    if (world.now > endsAt) truth.fail("no progress: commands of a calm cluster have no answer");
    world.runUntil(world.now + lookMs, steps);
  }
}

/** Returns the reason why the cluster is not idle, or `undefined` when it is. */
function idle(cluster: Cluster): string | undefined {
  for (const { router } of cluster.routers) if (router.pending.size > 0) return `${router.pending.size} calls have no outcome`;
  for (let slot = 0; slot < slots; slot++) {
    const owners = cluster.shards.filter(({ shard }) => shard.slots.token(slot) !== undefined);
    if (owners.length !== 1) return `slot ${slot} has ${owners.length} owners`;
    if (owners[0]?.shard.sessions.get(slot)?.isConnected !== true) return `session ${slot} is not connected`;
  }
  return undefined;
}
