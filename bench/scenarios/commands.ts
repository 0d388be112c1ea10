import { setTimeout as sleep } from "node:timers/promises";
import { platforms } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { operationsOf, type Operation } from "../commands/operations.js";
import { sendersOf } from "../commands/senders.js";
import type { Comparison, Measurement, Round } from "../compare.js";
import type { LoadGenerator } from "../load/load-generator.js";
import { loginsOfBoth } from "../logins/logins-of-both.js";
import { StoredLogins } from "../logins/stored-logins.js";
import { gatewayProcess } from "../profile/gateway-process.js";
import { profileProcess } from "../profile/profile-process.js";
import type { ProfileSummary } from "../profile/profile-summary.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { inspectable, type ShardProbe } from "../shard/shard-probe.js";

/**
 * Measures the rate, the waits and the CPU of one shard's commands with one request of each session at a time. There is no baseline: to
 * see what a change costs, run two checkouts in turns. `conversation-*` compare with the libraries.
 */
export const commands: Scenario = {
  name: "commands",
  about: "GET /session, POST /typing and POST /message of both platforms, 64 sessions of each in one shard",
  quick: "2 rounds of 2 s, no profiles",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, load, signal, size) {
    const store = await StoredLogins.open(gateway);
    try {
      const { logins, probe } = await loginsOfBoth(gateway, store, sessionCount, signal);
      const world = { gateway, load, probe, size: sizes[size], signal };
      const comparisons: Comparison[] = [];
      const profiles: ProfileSummary[] = [];
      for (const platform of platforms) {
        const senders = await sendersOf(platform, logins[platform]);
        for (const operation of await operationsOf(gateway, platform, senders)) {
          comparisons.push(await measureOperation(world, operation));
          if (world.size.profileSeconds > 0) profiles.push(...(await profilesOf(world, operation)));
        }
      }
      return {
        comparisons,
        profiles,
        notes: [
          `${sessionCount} sessions of each platform in one shard, one request of each at a time`,
          "CPU is that of router and shard; load, Redis and sandbox (which speaks the platform's protocol) share the cores with them",
        ],
      };
    } finally {
      store.close();
    }
  },
};

const sessionCount = 64;
const sizes = { full: { rounds: 5, seconds: 4, profileSeconds: 4 }, quick: { rounds: 2, seconds: 2, profileSeconds: 0 } };

interface World {
  readonly gateway: Gateway;
  readonly load: LoadGenerator;
  readonly probe: ShardProbe;
  readonly size: (typeof sizes)["full"];
  readonly signal: AbortSignal;
}

async function measureOperation(world: World, operation: Operation): Promise<Comparison> {
  const { size, signal } = world;
  const { name } = routerTarget(world.gateway);
  await loaded(world, operation, warmUpSeconds);
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round++) {
    signal.throwIfAborted();
    rounds.push({ [name]: await loaded(world, operation, size.seconds) });
  }
  return { what: operation.what, connections: sessionCount, rounds };
}

const warmUpSeconds = 2;

/** Runs as fast as the sessions' connections allow. */
async function loaded({ gateway, load, probe }: World, { origin, lanes }: Operation, seconds: number): Promise<Measurement> {
  await sleep(pauseMs);
  const router = routerTarget(gateway);
  const cpu = async (): Promise<number> => (await router.cpuSeconds()) + (await probe.usage()).cpuSeconds;
  const before = await cpu();
  const result = await load.run({ origin, connections: sessionCount, lanes, seconds });
  return { ...result, cpuMicrosPerRequest: (((await cpu()) - before) * 1e6) / result.requests };
}

const pauseMs = 200;

async function profilesOf(world: World, operation: Operation): Promise<ProfileSummary[]> {
  const work = (): Promise<Measurement> => loaded(world, operation, world.size.profileSeconds);
  const router = await profileProcess(`the router, ${operation.what}`, await gatewayProcess(world.gateway, "router/main.js"), work);
  if (operation.what.startsWith("GET")) return [router];
  return [router, await profileProcess(`the shard, ${operation.what}`, await world.gateway.shardPid("shard-1"), work)];
}
