import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { operationsOf, type Operation } from "../commands/operations.js";
import type { LoadGenerator } from "../load/load-generator.js";
import { meetAll } from "../load/send-round.js";
import { StoredLogins } from "../logins/stored-logins.js";
import { metricOf, scrape } from "../metrics.js";
import { readMetric } from "../router-target.js";
import { restartShard } from "../shard/restart-shard.js";
import type { CpuQuota } from "./cpu-quota.js";

/** A gateway with a number of shards, the sessions spread over them, and the request that all sessions send. */
export interface SizedGateway {
  readonly gateway: Gateway;
  readonly shards: number;
  readonly operation: Operation;
  /** Share of all sessions that the fullest shard has. */
  readonly fullestShare: number;
}

/** Cost of some work. CPU is in seconds. */
export interface Worked {
  readonly seconds: number;
  readonly perSecond: number;
  readonly shardCpu: number;
  readonly routerCpu: number;
  readonly loadCpuShare: number;
}

export const sessionCount = 96;
const metContacts = 2;
const settleMs = 3_000;
const readyMs = 60_000;

/** Logs the sessions in, and limits each shard to its share if there is a quota. */
export async function prepared(gateway: Gateway, shards: number, quota: CpuQuota | undefined, signal: AbortSignal): Promise<SizedGateway> {
  const store = await StoredLogins.open(gateway);
  try {
    const logins = await store.add("telegram", sessionCount);
    // A shard finds new sessions when it acquires their slots. These restarts release all slots.
    await Promise.all(namesOf(shards).map((name) => restartShard(gateway, name)));
    await eventually(
      "every shard ready",
      async () => (await Promise.all(gateway.adminPorts.map((port) => fetch(`http://127.0.0.1:${port}/readyz`)))).every(({ ok }) => ok),
      readyMs,
    );
    await gateway.settled();
    await store.connected(logins, 120_000, signal);
    await sleep(settleMs, undefined, { signal });
    const senders = logins.map((login, index) => ({
      login,
      phones: Array.from({ length: metContacts }, (_, n) => logins[(index + n + 1) % logins.length]?.phone ?? ""),
    }));
    await meetAll(
      logins,
      senders.map(({ phones }) => phones),
    );
    const operation = (await operationsOf(gateway, "telegram", senders)).find(({ what }) => what.startsWith("POST /typing"));
    if (operation === undefined) throw new Error("no such request");
    const hosted = await Promise.all(
      shardPorts(gateway, shards).map(async (port) => metricOf(await scrape(port), "gateway_shard_sessions", 'state="connected"')),
    );
    for (const name of namesOf(shards)) await quota?.limit(await gateway.shardPid(name));
    return { gateway, shards, operation, fullestShare: Math.max(...hosted) / sessionCount };
  } finally {
    store.close();
  }
}

/** Sends the same number of requests, whatever the number of shards. */
export async function worked(
  { gateway, shards, operation: { origin, lanes } }: SizedGateway,
  load: LoadGenerator,
  requests: number,
): Promise<Worked> {
  const [shardBefore, routerBefore] = [await shardCpu(gateway, shards), await routerCpu(gateway)];
  const startedAt = performance.now();
  const { loadCpuShare } = await load.run({ origin, connections: sessionCount, lanes, seconds: mostSeconds, requests });
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    seconds,
    perSecond: requests / seconds,
    shardCpu: (await shardCpu(gateway, shards)) - shardBefore,
    routerCpu: (await routerCpu(gateway)) - routerBefore,
    loadCpuShare,
  };
}

const mostSeconds = 120;

function namesOf(shards: number): string[] {
  return Array.from({ length: shards }, (_, index) => `shard-${index + 1}`);
}

/** The ports of the routers come first. */
function shardPorts({ adminPorts }: Gateway, shards: number): readonly number[] {
  return adminPorts.slice(-shards);
}

async function shardCpu(gateway: Gateway, shards: number): Promise<number> {
  const all = await Promise.all(shardPorts(gateway, shards).map(async (port) => metricOf(await scrape(port), "process_cpu_seconds_total")));
  return all.reduce((sum, one) => sum + one, 0);
}

function routerCpu(gateway: Gateway): Promise<number> {
  return readMetric(gateway, "process_cpu_seconds_total");
}
