import { platforms } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { operationsOf, platformNames, type Operation } from "../commands/operations.js";
import { sendersOf } from "../commands/senders.js";
import type { Figure } from "../figure.js";
import type { LoadGenerator } from "../load/load-generator.js";
import type { LoadResult } from "../load/plan.js";
import { loginsOfBoth } from "../logins/logins-of-both.js";
import { StoredLogins } from "../logins/stored-logins.js";
import { quantile } from "../quantile.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { inspectable, type ShardProbe } from "../shard/shard-probe.js";

const tail = (platform: string): string => `p99.9 of POST /typing, ${platform}`;

/** Measures the slowest of a thousand commands at a constant rate at which router and shard together use half a core. */
export const typingTail: Scenario = {
  name: "typing-tail",
  about: "POST /typing of both platforms at a constant rate that costs router and shard half a core, 64 sessions of each in one shard",
  bars: platforms.map((platform) => ({ name: tail(platformNames[platform]), unit: "ms", limit: { atMost: 100 } })),
  quick: "10 s",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, load, signal, size) {
    const store = await StoredLogins.open(gateway);
    try {
      const { logins, probe } = await loginsOfBoth(gateway, store, sessionCount, signal);
      const figures: Figure[] = [];
      const values: Record<string, number> = {};
      for (const platform of platforms) {
        const operations = await operationsOf(gateway, platform, await sendersOf(platform, logins[platform]));
        const typing = operations.find(({ what }) => what.startsWith("POST /typing"));
        if (typing === undefined) throw new Error("no request to measure");
        const name = platformNames[platform];
        const steady = await halfACore({ gateway, load, probe, typing }, seconds[size]);
        values[tail(name)] = quantile(steady.latencies ?? [], 0.999);
        figures.push(...figuresOf(name, steady));
      }
      return { figures, values, notes: ["sandbox, Redis and load share the machine's cores; latencies count from the due time"] };
    } finally {
      store.close();
    }
  },
};

const sessionCount = 64;
const seconds = { full: 60, quick: 10 };
const firstRate = 100;
const trialSeconds = 4;
const coreShare = 0.5;

interface World {
  readonly gateway: Gateway;
  readonly load: LoadGenerator;
  readonly probe: ShardProbe;
  readonly typing: Operation;
}

interface Steady extends LoadResult {
  readonly coreShare: number;
  readonly longestBlockMs: number;
}

/** A request costs less at a higher rate, so the rate is found in two steps. */
async function halfACore(world: World, forSeconds: number): Promise<Steady> {
  let rate = firstRate;
  for (let step = 0; step < 2; step++) rate *= coreShare / (await steadily(world, rate, trialSeconds)).coreShare;
  return await steadily(world, rate, forSeconds);
}

async function steadily({ gateway, load, probe, typing }: World, ratePerSecond: number, forSeconds: number): Promise<Steady> {
  const router = routerTarget(gateway);
  const [routerBefore, before] = [await router.cpuSeconds(), await probe.usage()];
  const { origin, lanes } = typing;
  const result = await load.run({ origin, lanes, connections: sessionCount, seconds: forSeconds, ratePerSecond, keepLatencies: true });
  const [routerAfter, after] = [await router.cpuSeconds(), await probe.usage()];
  const cpuSeconds = routerAfter - routerBefore + after.cpuSeconds - before.cpuSeconds;
  return { ...result, coreShare: (cpuSeconds * 1_000) / (after.at - before.at), longestBlockMs: after.longestBlockMs };
}

function figuresOf(name: string, { requestsPerSecond, p50Ms, p99Ms, coreShare: share, longestBlockMs }: Steady): Figure[] {
  const how = "the rate is constant, whatever becomes of the requests";
  return [
    { what: `POST /typing, ${name}: rate`, unit: "1/s", value: requestsPerSecond, how },
    { what: `POST /typing, ${name}: CPU of router and shard`, unit: "cores", value: share, how },
    { what: `POST /typing, ${name}: p50`, unit: "ms", value: p50Ms, how },
    { what: `POST /typing, ${name}: p99`, unit: "ms", value: p99Ms, how },
    { what: `POST /typing, ${name}: longest block of the shard's event loop`, unit: "ms", value: longestBlockMs, how },
  ];
}
