import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Bar } from "../bar.js";
import type { Figure } from "../figure.js";
import { StoredLogins } from "../logins/stored-logins.js";
import { metricOf } from "../metrics.js";
import type { Findings } from "../scenario.js";
import { cpuShare, ShardProbe } from "./shard-probe.js";

/** `counts` lists three session counts of the shard, ascending, which are measured one after the other. */
export interface CrowdOptions {
  readonly platform: Platform;
  readonly counts: readonly [number, number, number];
  /** Excludes the work that follows a login (names, pictures). */
  readonly settleSeconds: number;
  readonly idleSeconds: number;
  /** Bounds each wait for all connections. */
  readonly connectMs: number;
}

/** The same sizes on both platforms. */
export const crowdSizes = {
  full: { counts: [100, 1_000, 10_000], settleSeconds: 15, idleSeconds: 60, connectMs: 1_800_000 },
  quick: { counts: [50, 100, 300], settleSeconds: 3, idleSeconds: 3, connectMs: 1_800_000 },
} as const;

const costs = ["memory", "idle CPU", "CPU of a connect"] as const;
type Cost = (typeof costs)[number];

/**
 * The cost of a further session among many, divided by the cost among few. It exceeds 1 if the cost grows faster than the number of
 * sessions.
 */
const flatness = (cost: Cost): string => `${cost} of a further session: among most by among few`;
const pause = "longest block of the event loop while most connect";

export const crowdBars: readonly Bar[] = [
  ...costs.map((cost) => ({ name: flatness(cost), unit: "", limit: { atMost: 1.2 } })),
  { name: pause, unit: "ms", limit: { atMost: 200 } },
];

/** Totals of a shard with `count` sessions. */
interface Crowd {
  readonly count: number;
  readonly connectSeconds: number;
  readonly connectBlockMs: number;
  readonly idleBlockMs: number;
  readonly totals: Readonly<Record<Cost, number>>;
}

/** Measures the cost of idle sessions in one shard with few, more and most sessions. Restarts the shard for each. */
export async function measureCrowd(gateway: Gateway, options: CrowdOptions, signal: AbortSignal): Promise<Findings> {
  const { platform, counts } = options;
  const probe = new ShardProbe(gateway);
  const store = await StoredLogins.open(gateway);
  try {
    const crowds: Crowd[] = [];
    let stored = 0;
    for (const count of counts) {
      await store.add(platform, count - stored, { from: stored });
      stored = count;
      crowds.push(await crowdOf(probe, count, options, signal));
    }
    return {
      figures: [...crowds.flatMap(figuresOf), ...steps(crowds).flatMap(stepFigures)],
      values: judged(crowds),
      notes: [
        `${counts.join(", ")} ${platform} sessions in one shard, real clients against the sandbox in load mode, logins made up by the sandbox; the shard begins 50 connects a second at most`,
        `idle for ${options.idleSeconds} s each time; memory after a full garbage collection`,
      ],
    };
  } finally {
    store.close();
  }
}

async function crowdOf(
  probe: ShardProbe,
  count: number,
  { platform, settleSeconds, idleSeconds, connectMs }: CrowdOptions,
  signal: AbortSignal,
): Promise<Crowd> {
  const startedAt = await probe.restart();
  let connected = await probe.usage();
  let connectBlockMs = connected.longestBlockMs;
  while (metricOf(connected.text, "gateway_shard_sessions", `platform="${platform}",state="connected"`) < count) {
    if (connected.at - startedAt > connectMs) throw new Error(`fewer than ${count} sessions are connected after ${connectMs} ms`);
    await sleep(pollMs, undefined, { signal });
    // Each reading resets the histogram of lags.
    connected = await probe.usage();
    connectBlockMs = Math.max(connectBlockMs, connected.longestBlockMs);
  }
  await sleep(settleSeconds * 1_000, undefined, { signal });
  const from = await probe.usage();
  await sleep(idleSeconds * 1_000, undefined, { signal });
  const to = await probe.usage();
  const kept = await probe.usageAfterGc();
  return {
    count,
    connectSeconds: (connected.at - startedAt) / 1_000,
    connectBlockMs,
    idleBlockMs: to.longestBlockMs,
    totals: {
      memory: kept.rssBytes / 1_024,
      "idle CPU": cpuShare(from, to) * 3_600,
      "CPU of a connect": connected.cpuSeconds * 1_000,
    },
  };
}

const units: Readonly<Record<Cost, string>> = { memory: "KiB", "idle CPU": "CPU s an hour", "CPU of a connect": "CPU ms" };

/** The cost of a further session among few, and among most. */
interface Step {
  readonly from: Crowd;
  readonly to: Crowd;
}

function steps(crowds: readonly Crowd[]): Step[] {
  return crowds.slice(1).flatMap((to, index) => {
    const from = crowds[index];
    return from === undefined ? [] : [{ from, to }];
  });
}

function further({ from, to }: Step, cost: Cost): number {
  return (to.totals[cost] - from.totals[cost]) / (to.count - from.count);
}

function stepFigures(step: Step): Figure[] {
  return costs.map((cost) => ({
    what: `${cost} of a further session, ${step.from.count} to ${step.to.count}`,
    unit: units[cost],
    value: further(step, cost),
    how: "the difference of the two shards by that of their sessions",
  }));
}

function figuresOf({ count, connectSeconds, connectBlockMs, idleBlockMs, totals }: Crowd): Figure[] {
  return [
    ...costs.map((cost) => ({
      what: `${cost}, the shard with ${count} sessions`,
      unit: units[cost],
      value: totals[cost],
      how: "the whole process",
    })),
    {
      what: `all ${count} connected after a restart`,
      unit: "s",
      value: connectSeconds,
      how: "from the new process's first sign to the last connected session",
    },
    {
      what: `longest block of the event loop while ${count} connect`,
      unit: "ms",
      value: connectBlockMs,
      how: "Node's own histogram in the shard, from its start",
    },
    { what: `longest block of the event loop, ${count} idle`, unit: "ms", value: idleBlockMs, how: "likewise" },
  ];
}

function judged(crowds: readonly Crowd[]): Record<string, number> {
  const [few, most] = steps(crowds);
  const last = crowds.at(-1);
  if (few === undefined || most === undefined || last === undefined) throw new Error("three counts of sessions are needed");
  return {
    ...Object.fromEntries(costs.map((cost) => [flatness(cost), further(most, cost) / further(few, cost)])),
    [pause]: last.connectBlockMs,
  };
}

const pollMs = 500;
