import { setTimeout as sleep } from "node:timers/promises";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { startBaseline } from "../baseline/baseline-server.js";
import { PingPong } from "../baseline/ping-pong.js";
import { operationNames, operationsOf, type Operation, type Sender } from "../commands/operations.js";
import { speedRatios, type Comparison, type Measurement, type Round } from "../compare.js";
import type { Figure } from "../figure.js";
import { redisSocket } from "../gateway-redis.js";
import type { LoadGenerator } from "../load/load-generator.js";
import { meetAll } from "../load/send-round.js";
import { StoredLogins, type StoredLogin } from "../logins/stored-logins.js";
import { gatewayProcess } from "../profile/gateway-process.js";
import { profileProcess } from "../profile/profile-process.js";
import type { ProfileSummary } from "../profile/profile-summary.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { inspectable, ShardProbe } from "../shard/shard-probe.js";
import { spread } from "../spread.js";
import type { Target } from "../target.js";

const rateLeast = 0.6;

/**
 * Compares one shard's commands with a bare ping-pong over the same Redis, payload and concurrency. Then measures latency and cost at half
 * the reached rate, in alternation with a bare server. Profiles requests that miss a bar.
 */
export const commands: Scenario = {
  name: "commands",
  about: "GET /session, POST /typing and POST /message of both platforms beside a bare ping-pong over Redis streams",
  bars: operationNames.flatMap((what) => {
    const { waitMost, costMost } = halfBarsOf(what);
    return [
      { name: rateOf(what), unit: "", limit: { atLeast: rateLeast } },
      { name: waitOf(what), unit: "", limit: { atMost: waitMost } },
      ...(costMost === undefined ? [] : [{ name: costOf(what), unit: "", limit: { atMost: costMost } }]),
    ];
  }),
  quick: "one round of 2 s, no profiles",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, load, signal, size) {
    const store = await StoredLogins.open(gateway);
    const pingPong = PingPong.start(redisSocket(gateway), signal);
    const bare = await startBaseline("bare uWebSockets.js", { status: 200, headers: {}, body: Buffer.from("{}") }, signal);
    try {
      const logins = { telegram: await store.add("telegram", sessionCount), whatsapp: await store.add("whatsapp", sessionCount) };
      const probe = new ShardProbe(gateway);
      await probe.restart();
      await store.connected([...logins.telegram, ...logins.whatsapp], 120_000, signal);
      await sleep(settleMs, undefined, { signal });
      const world = { gateway, load, probe, pingPong, bare, size: sizes[size], signal };
      const all: Measured[] = [];
      for (const platform of platforms) {
        const senders = await sendersOf(platform, logins[platform]);
        for (const operation of await operationsOf(gateway, platform, senders)) all.push(await measureOperation(world, operation));
      }
      return {
        comparisons: all.map(({ comparison }) => comparison),
        figures: all.flatMap(({ figures }) => figures),
        values: Object.assign({}, ...all.map(({ values }) => values)) as Record<string, readonly number[]>, // The keys are those of the objects above.
        profiles: all.flatMap(({ profiles }) => profiles),
        notes: [
          `${sessionCount} sessions of each platform in one shard, one request of each at a time`,
          `half of the rate that was reached, ${drivenMost} a second at the most: what the driver of the open loop does with ease`,
          "CPU is that of router and shard, or of the two processes of the ping-pong; load, Redis and sandbox (which speaks the platform's protocol) share the cores with the product, and Redis alone with the ping-pong",
        ],
      };
    } finally {
      await bare.stop();
      await pingPong.stop();
      store.close();
    }
  },
};

const baseline = "ping-pong";
const sessionCount = 64;
const metContacts = 4;
const settleMs = 3_000;
const sizes = {
  full: { rounds: 3, seconds: 4, halfRounds: 3, halfSeconds: 5, profileSeconds: 4 },
  quick: { rounds: 1, seconds: 2, halfRounds: 1, halfSeconds: 2, profileSeconds: 0 },
};

function rateOf(what: string): string {
  return `rate by ping-pong: ${what}`;
}

function waitOf(what: string): string {
  return `p99 at half load by bare uWebSockets.js: ${what}`;
}

function costOf(what: string): string {
  return `CPU at half load by that at full: ${what}`;
}

/** Reads are served from memory, so the distance to the full rate does not affect their cost. */
function halfBarsOf(what: string): { readonly waitMost: number; readonly costMost?: number } {
  if (what.startsWith("GET /session")) return { waitMost: 2 };
  return { waitMost: what.startsWith("POST /typing") ? 3 : 4, costMost: 1.2 };
}
/** At a higher rate the load process itself would be measured. */
const drivenMost = 4_000;

interface World {
  readonly gateway: Gateway;
  readonly load: LoadGenerator;
  readonly probe: ShardProbe;
  readonly pingPong: PingPong;
  /** A bare server, to measure the share of the load process and the machine in a latency. */
  readonly bare: Target;
  readonly size: (typeof sizes)["full"];
  readonly signal: AbortSignal;
}

interface Measured {
  readonly comparison: Comparison;
  readonly figures: readonly Figure[];
  /** Values by the names of the bars. */
  readonly values: Readonly<Record<string, readonly number[]>>;
  readonly profiles: readonly ProfileSummary[];
}

async function measureOperation(world: World, operation: Operation): Promise<Measured> {
  const { pingPong, size, signal } = world;
  const product = routerTarget(world.gateway).name;
  await loaded(world, operation, warmUpSeconds);
  await pingPong.run({ ...operation, inFlight: sessionCount, seconds: warmUpSeconds });
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round++) {
    signal.throwIfAborted();
    const ours = (): Promise<Measurement> => loaded(world, operation, size.seconds);
    const bare = (): Promise<Measurement> => pingPong.run({ ...operation, inFlight: sessionCount, seconds: size.seconds });
    // The first side changes from round to round.
    const first = round % 2 === 0 ? await ours() : await bare();
    const second = round % 2 === 0 ? await bare() : await ours();
    rounds.push(round % 2 === 0 ? { [product]: first, [baseline]: second } : { [product]: second, [baseline]: first });
  }
  const comparison = { what: operation.what, connections: sessionCount, rounds };
  const reached = spread(rounds.map((round) => round[product]?.requestsPerSecond ?? 0)).median;
  const fullCost = spread(rounds.map((round) => round[product]?.cpuMicrosPerRequest ?? 0)).median;
  const ratePerSecond = Math.min(reached / 2, drivenMost);
  const half: Measurement[] = [];
  const floor: number[] = [];
  for (let round = 0; round < size.halfRounds; round++) {
    half.push(await loaded(world, operation, size.halfSeconds, ratePerSecond));
    const { p99Ms } = await world.load.run({
      origin: world.bare.origin,
      connections: sessionCount,
      lanes: operation.lanes,
      seconds: size.halfSeconds,
      ratePerSecond,
    });
    floor.push(p99Ms);
  }
  const values: Record<string, readonly number[]> = {
    [rateOf(operation.what)]: speedRatios(comparison, product, baseline),
    [waitOf(operation.what)]: half.map(({ p99Ms }, round) => p99Ms / (floor[round] ?? Number.NaN)),
  };
  const { waitMost, costMost } = halfBarsOf(operation.what);
  if (costMost !== undefined) values[costOf(operation.what)] = half.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest / fullCost);
  const at = (name: string): number => spread(values[name] ?? []).median;
  const missed =
    at(rateOf(operation.what)) < rateLeast ||
    at(waitOf(operation.what)) > waitMost ||
    (costMost !== undefined && at(costOf(operation.what)) > costMost);
  const bareCosts = costMost !== undefined && size.profileSeconds > 0 ? await pingPongCosts(world, operation, reached) : [];
  const how = `open loop, ${ratePerSecond.toFixed(0)} a second, from the moment the request was due`;
  return {
    comparison,
    values,
    figures: [
      { what: `${operation.what}: p99 at half load`, unit: "ms", value: { rounds: half.map(({ p99Ms }) => p99Ms) }, how },
      { what: `${operation.what}: p50 at half load`, unit: "ms", value: { rounds: half.map(({ p50Ms }) => p50Ms) }, how },
      {
        what: `${operation.what}: p99 of bare uWebSockets.js at the same rate`,
        unit: "ms",
        value: { rounds: floor },
        how: "the same requests in turns with ours, answered at once: what driver and machine make of it",
      },
      {
        what: `${operation.what}: CPU of router and shard at half load`,
        unit: "µs",
        value: { rounds: half.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest) },
        how: "by request",
      },
      ...bareCosts,
    ],
    profiles: missed && size.profileSeconds > 0 ? await profiles(world, operation) : [],
  };
}

/** Measures the fixed cost of a low rate in the operating system, Redis and Node: at that rate, exchanges do not share system calls. */
async function pingPongCosts({ pingPong, size }: World, operation: Operation, reached: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [at, ratePerSecond] of [
    ["the product's full rate", reached],
    ["half of it", reached / 2],
  ] as const) {
    const { cpuMicrosPerRequest } = await pingPong.run({ ...operation, inFlight: sessionCount, seconds: size.halfSeconds, ratePerSecond });
    figures.push({
      what: `${operation.what}: CPU of the ping-pong at ${at}`,
      unit: "µs",
      value: cpuMicrosPerRequest,
      how: `by exchange, open loop, ${ratePerSecond.toFixed(0)} a second`,
    });
  }
  return figures;
}

const warmUpSeconds = 1;

/** Runs as fast as the sessions' connections allow, or at a rate. */
async function loaded(
  { gateway, load, probe }: World,
  { origin, lanes }: Operation,
  seconds: number,
  ratePerSecond?: number,
): Promise<Measurement> {
  await sleep(pauseMs);
  const router = routerTarget(gateway);
  const cpu = async (): Promise<number> => (await router.cpuSeconds()) + (await probe.usage()).cpuSeconds;
  const before = await cpu();
  const result = await load.run({
    origin,
    connections: sessionCount,
    lanes,
    seconds,
    ...(ratePerSecond !== undefined && { ratePerSecond }),
  });
  return { ...result, cpuMicrosPerRequest: (((await cpu()) - before) * 1e6) / result.requests };
}

const pauseMs = 200;

async function profiles(world: World, operation: Operation): Promise<ProfileSummary[]> {
  const work = (): Promise<Measurement> => loaded(world, operation, world.size.profileSeconds);
  const router = await profileProcess(`the router, ${operation.what}`, await gatewayProcess(world.gateway, "router/main.js"), work);
  if (operation.what.startsWith("GET")) return [router];
  return [router, await profileProcess(`the shard, ${operation.what}`, await world.gateway.shardPid("shard-1"), work)];
}

/**
 * Each session writes to known recipients: on Telegram to the accounts of other sessions, on WhatsApp to any number that the sandbox
 * accepts.
 */
async function sendersOf(platform: Platform, logins: readonly StoredLogin[]): Promise<Sender[]> {
  const phone = (index: number, n: number): string =>
    platform === "telegram"
      ? (logins[(index + n + 1) % logins.length]?.phone ?? "")
      : `4917${String(index).padStart(5, "0")}${String(n).padStart(4, "0")}`;
  const senders = logins.map((login, index) => ({ login, phones: Array.from({ length: metContacts }, (_, n) => phone(index, n)) }));
  await meetAll(
    logins,
    senders.map(({ phones }) => phones),
  );
  return senders;
}
