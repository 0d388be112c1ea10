import { setTimeout as sleep } from "node:timers/promises";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { operationsOf, type Operation } from "../commands/operations.js";
import type { Figure } from "../figure.js";
import { LoadGenerator } from "../load/load-generator.js";
import type { LoadPlan, LoadResult } from "../load/plan.js";
import { meetAll } from "../load/send-round.js";
import { StoredLogins, type StoredLogin } from "../logins/stored-logins.js";
import { SlowCore } from "../scale/slow-core.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";
import { restartShard } from "../shard/restart-shard.js";

/**
 * Two tenants on one shard with a slow core of its own, so that only the shard is scarce. The busy one sends 20 times as much, beyond the
 * shard's capacity. Measures the quiet one's latency with and without that load.
 */
export const fairness: Scenario = {
  name: "fairness",
  about: "POST /typing of a quiet tenant while another one sends 20 times as much to the same shard",
  bars: [{ name: bar(), unit: "", limit: { atMost: 2 } }],
  quick: "one round of 100 requests of the quiet tenant",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1" } },
  async run(gateway, load, signal, size) {
    const { rounds, samples, secondsMax, warmSeconds } = sizes[size];
    const flood = new LoadGenerator(signal);
    // Otherwise the scenario would measure delays of the sandbox, which runs on the same cores.
    flood.yieldCpu();
    let core: SlowCore | undefined;
    try {
      const { quiet, busy } = await tenantsOf(gateway, signal);
      // A slow core takes minutes to compile hot code. Until then the shard only does a tenth of its normal work.
      await warmUp(busy, load, warmSeconds);
      core = await SlowCore.open(coreShare, signal);
      await core?.give(await gateway.shardPid("shard-1"));
      const capacity = (await load.run({ ...closedLoop(busy), seconds: capacitySeconds })).requestsPerSecond;
      const quietRate = capacity * quietPart;
      const seconds = Math.min(samples / quietRate, secondsMax);
      const quietLoad = { origin: quiet.origin, lanes: quiet.lanes, connections: quietSessions, seconds, ratePerSecond: quietRate };
      const alone = (): Promise<LoadResult> => load.run({ ...quietLoad, keepLatencies: true });
      const beside = async (): Promise<Round> => {
        const flooded = flood.run({
          origin: busy.origin,
          lanes: busy.lanes,
          connections: floodConnections,
          seconds: seconds + 2 * leadSeconds,
          ratePerSecond: quietRate * times,
          mayBeRefused: true,
        });
        await sleep(leadSeconds * 1_000, undefined, { signal });
        const loaded = await alone();
        return { loaded, flooded: await flooded };
      };
      // The first flood makes the heap of the process grow.
      await beside();
      await sleep(settleMs, undefined, { signal });
      const done: (Round & { quiet: LoadResult })[] = [];
      for (let round = 0; round < rounds; round++) {
        signal.throwIfAborted();
        const before = round % 2 === 0 ? await alone() : undefined;
        const both = await beside();
        await sleep(settleMs, undefined, { signal });
        done.push({ ...both, quiet: before ?? (await alone()) });
      }
      const written = { loaded: [] as LoadResult[], quiet: [] as LoadResult[] };
      // The first messages introduce the people to the sessions.
      await writeTo(gateway);
      await sleep(2 * settleMs, undefined, { signal });
      for (let round = 0; round < rounds; round++) {
        signal.throwIfAborted();
        written.quiet.push(await alone());
        written.loaded.push(await whileWriting(gateway, alone));
        await sleep(settleMs, undefined, { signal });
      }
      return {
        figures: [...figuresOf(done, capacity, quietRate), ...writtenFigures(written)],
        values: { [bar()]: done.map(({ loaded, quiet: before }) => loaded.p99Ms / before.p99Ms) },
        notes: [
          core === undefined
            ? "no core can be slowed here: the shard shares all of them with everything else, and what is measured is the machine"
            : `the shard has a core to itself of which a spinner leaves it ${coreShare}, evenly; everything else has the other ones`,
          `${quietSessions} sessions of the quiet tenant, ${busySessions} of the busy one; requests at constant rates, whatever becomes of them`,
        ],
      };
    } finally {
      await flood.stop();
      await core?.close();
    }
  },
};

interface Round {
  /** Load of the quiet tenant. */
  readonly loaded: LoadResult;
  /** Load of the busy tenant. */
  readonly flooded: LoadResult;
}

/** Writes messages to the busy tenant's accounts, all at once. */
async function writeTo(gateway: Gateway): Promise<void> {
  await control(gateway, "telegram", "/load/incoming", { prefix: "load", accounts: busySessions, messages: writtenAtOnce });
}

/** Repeats the messages while `load` runs. */
async function whileWriting(gateway: Gateway, load: () => Promise<LoadResult>): Promise<LoadResult> {
  const ended = new AbortController();
  const writing = (async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await writeTo(gateway);
      await sleep(writesEveryMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  try {
    return await load();
  } finally {
    ended.abort();
    await writing;
  }
}

function bar(): string {
  return "p99 of the quiet tenant under load by its p99 alone";
}

/** Small enough that router, sandbox, Redis and load do not run short of the other core. */
const coreShare = 0.5;
const quietSessions = 16;
const busySessions = 64;
const times = 20;
/** Share of the shard's capacity. The busy tenant requests much more than the whole capacity. */
const quietPart = 1 / 16;
/** More per session than a shard queues, so that the shard rejects the excess and the sender does not hold it back. */
const floodConnections = 1_024;
const leadSeconds = 2;
const settleMs = 3_000;
const writtenAtOnce = 200;
const writesEveryMs = 4_000;
/** Requests of the quiet tenant per round. There are enough that its p99 is not only the worst latency. */
const sizes = {
  full: { rounds: 5, samples: 1_000, secondsMax: 60, warmSeconds: 4 },
  quick: { rounds: 1, samples: 100, secondsMax: 10, warmSeconds: 2 },
};

interface Tenants {
  readonly quiet: Operation;
  readonly busy: Operation;
}

async function tenantsOf(gateway: Gateway, signal: AbortSignal): Promise<Tenants> {
  const store = await StoredLogins.open(gateway);
  try {
    const logins = await store.add("telegram", quietSessions + busySessions, {
      tenantOf: (number) => (number < busySessions ? busyTenant : defaultTenant),
    });
    // A shard finds new sessions when it acquires their slots.
    await restartShard(gateway, "shard-1");
    await store.connected(logins, 120_000, signal);
    await sleep(settleMs, undefined, { signal });
    return {
      quiet: await typingOf(gateway, logins.slice(busySessions)),
      busy: await typingOf(gateway, logins.slice(0, busySessions)),
    };
  } finally {
    store.close();
  }
}

const busyTenant = "busy" as TenantName;

async function typingOf(gateway: Gateway, logins: readonly StoredLogin[]): Promise<Operation> {
  const senders = logins.map((login, index) => ({ login, phones: [logins[(index + 1) % logins.length]?.phone ?? ""] }));
  await meetAll(
    logins,
    senders.map(({ phones }) => phones),
  );
  const operation = (await operationsOf(gateway, "telegram", senders)).find(({ what }) => what.startsWith("POST /typing"));
  if (operation === undefined) throw new Error("no such request");
  return operation;
}

/** Each session sends its next request after the last response. */
function closedLoop({ origin, lanes }: Operation): Pick<LoadPlan, "origin" | "lanes" | "connections"> {
  return { origin, lanes, connections: busySessions };
}

/** Runs until the rate stops growing; a cold shard does half as much. */
async function warmUp(busy: Operation, load: LoadGenerator, seconds: number): Promise<void> {
  let before = 0;
  for (let run = 0; run < runsMax; run++) {
    const { requestsPerSecond: rate } = await load.run({ ...closedLoop(busy), seconds });
    if (run >= runsLeast && rate < before * (1 + stillGrows)) break;
    before = rate;
  }
}

const runsLeast = 4;
const runsMax = 8;
const stillGrows = 0.05;
const capacitySeconds = 8;

function writtenFigures({ loaded, quiet }: Readonly<Record<"loaded" | "quiet", readonly LoadResult[]>>): Figure[] {
  const how = `${writtenAtOnce} messages at once come in for the busy tenant, every ${writesEveryMs / 1_000} s`;
  const over = (results: readonly LoadResult[], read: (one: LoadResult) => number): Figure["value"] => ({ rounds: results.map(read) });
  return [
    { what: "quiet tenant, alone: p99, before messages", unit: "ms", value: over(quiet, ({ p99Ms }) => p99Ms), how: "as above" },
    { what: "quiet tenant, beside messages: p50", unit: "ms", value: over(loaded, ({ p50Ms }) => p50Ms), how },
    { what: "quiet tenant, beside messages: p99", unit: "ms", value: over(loaded, ({ p99Ms }) => p99Ms), how: "the same" },
  ];
}

function figuresOf(done: readonly (Round & { quiet: LoadResult })[], capacity: number, quietRate: number): Figure[] {
  const over = (read: (one: (typeof done)[number]) => number): Figure["value"] => ({ rounds: done.map(read) });
  return [
    { what: "what the shard can do", unit: "1/s", value: capacity, how: "the busy tenant's sessions, each one request at a time" },
    {
      what: "quiet tenant, alone: p50",
      unit: "ms",
      value: over(({ quiet }) => quiet.p50Ms),
      how: `${quietRate.toFixed(1)} requests a second`,
    },
    { what: "quiet tenant, alone: p99", unit: "ms", value: over(({ quiet }) => quiet.p99Ms), how: "the same" },
    { what: "quiet tenant, under load: p50", unit: "ms", value: over(({ loaded }) => loaded.p50Ms), how: "the same" },
    { what: "quiet tenant, under load: p99", unit: "ms", value: over(({ loaded }) => loaded.p99Ms), how: "the same" },
    {
      what: "busy tenant, answered",
      unit: "1/s",
      value: over(({ flooded }) => flooded.requestsPerSecond),
      how: `of ${(quietRate * times).toFixed(0)} a second that it asked for`,
    },
    { what: "busy tenant: p50", unit: "ms", value: over(({ flooded }) => flooded.p50Ms), how: "of what was answered with 200" },
    {
      what: "busy tenant, refused",
      unit: "requests",
      value: over(({ flooded }) => flooded.refused ?? 0),
      how: "503, within the same time",
    },
  ];
}
