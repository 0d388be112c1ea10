import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { idleFigures } from "../capacity/cost-figures.js";
import type { Figure } from "../figure.js";
import { StoredLogins } from "../logins/stored-logins.js";
import { metricOf } from "../metrics.js";
import type { Findings } from "../scenario.js";
import { ShardProbe, type Usage } from "./shard-probe.js";

export interface IdleOptions {
  readonly platform: Platform;
  readonly sessions: number;
  readonly idleSeconds: number;
  /** Bounds the wait for all connections. */
  readonly connectMs: number;
}

/**
 * Measures the cost of idle sessions: the shard without sessions, then after a restart with all of them. Returns the difference per
 * session.
 */
export async function measureIdle(
  gateway: Gateway,
  { platform, sessions: count, idleSeconds, connectMs }: IdleOptions,
  signal: AbortSignal,
): Promise<Findings> {
  const probe = new ShardProbe(gateway);
  const start = await probe.usage();
  const emptyCpu = (await cpuOverTime(probe, emptySeconds, signal)).cpu * (idleSeconds / emptySeconds);
  const empty = await probe.usageAfterGc();

  const store = await StoredLogins.open(gateway);
  try {
    const logins = await store.add(platform, count);
    const startedAt = await probe.restart();
    const connectedAt = await store.connected(logins, connectMs, signal);
    const connected = await probe.usage();
    await sleep(settleSeconds * 1000, undefined, { signal });
    const { cpu: idleCpu, longestBlockMs } = await cpuOverTime(probe, idleSeconds, signal);
    const before = await probe.usage();
    const full = await probe.usageAfterGc();
    // All sessions must still be connected, or the measurement does not count.
    await store.connected(logins, backMs, signal);
    const lost =
      metricOf(full.text, `gateway_shard_${platform}_connection_ends_total`) -
      metricOf(connected.text, `gateway_shard_${platform}_connection_ends_total`);
    const each = (read: (usage: Usage) => number): number => (read(full) - read(empty)) / count / 1024;
    const hours = idleSeconds / 3600;
    const figures: Figure[] = [
      {
        what: idleFigures.shardBytes.what,
        unit: "KiB",
        value: each(({ rssBytes }) => rssBytes),
        how: `(${mib(full.rssBytes)} with ${count} sessions - ${mib(empty.rssBytes)} with none) / ${count}, both after a full garbage collection`,
      },
      {
        what: "RSS per session before the collection",
        unit: "KiB",
        value: (before.rssBytes - empty.rssBytes) / count / 1024,
        how: `${mib(before.rssBytes)} as the process stood after ${settleSeconds + idleSeconds} s idle`,
      },
      {
        what: "JavaScript heap per session",
        unit: "KiB",
        value: each(({ heapBytes }) => heapBytes),
        how: `heap in use, ${mib(full.heapBytes)} - ${mib(empty.heapBytes)}`,
      },
      {
        what: "external memory per session",
        unit: "KiB",
        value: each(({ externalBytes }) => externalBytes),
        how: `buffers, ${mib(full.externalBytes)} - ${mib(empty.externalBytes)}`,
      },
      {
        what: idleFigures.idleCpuMsPerHour.what,
        unit: "CPU s",
        value: (idleCpu - emptyCpu) / hours / count,
        how: `${idleCpu.toFixed(2)} CPU s in ${idleSeconds} s with all sessions idle, less ${emptyCpu.toFixed(2)} that the empty shard takes in as long`,
      },
      {
        what: "shard when all are idle",
        unit: "% of a core",
        value: (idleCpu / idleSeconds) * 100,
        how: "the same, all sessions together",
      },
      {
        what: "all connected after a restart",
        unit: "s",
        value: ((connectedAt.at(-1) ?? 0) - startedAt) / 1000,
        how: "from the new process's first sign to the last stored state `connected`; the shard begins 50 connects a second at most",
      },
      {
        what: "half connected after a restart",
        unit: "s",
        value: ((connectedAt[Math.floor(count / 2)] ?? 0) - startedAt) / 1000,
        how: "likewise",
      },
      {
        what: idleFigures.connectCpuMs.what,
        unit: "CPU ms",
        value: ((connected.cpuSeconds - start.cpuSeconds) * 1000) / count,
        how: `${connected.cpuSeconds.toFixed(1)} CPU s of the new process from its start to the last login, less ${start.cpuSeconds.toFixed(1)} for the start of a shard without sessions`,
      },
      {
        what: "connections that ended by themselves",
        unit: "",
        value: lost,
        how: "after all were connected, garbage collection included; all came back",
      },
      {
        what: "longest block of the event loop while connecting",
        unit: "ms",
        value: connected.longestBlockMs,
        how: "from start to the last login",
      },
      { what: "longest block of the event loop when idle", unit: "ms", value: longestBlockMs, how: "while all sessions were idle" },
    ];
    return {
      figures,
      notes: [`${count} sessions in one shard, real clients against the sandbox in load mode, logins made up by the sandbox`],
    };
  } finally {
    store.close();
  }
}

async function cpuOverTime(probe: ShardProbe, seconds: number, signal: AbortSignal): Promise<{ cpu: number; longestBlockMs: number }> {
  const from = await probe.usage();
  await sleep(seconds * 1000, undefined, { signal });
  const to = await probe.usage();
  // The sleep takes a little longer than requested.
  return { cpu: ((to.cpuSeconds - from.cpuSeconds) * seconds * 1000) / (to.at - from.at), longestBlockMs: to.longestBlockMs };
}

const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const emptySeconds = 10;
/** Excludes the work that follows a login (names, pictures). */
const settleSeconds = 15;
/** For sessions that lost their connection. */
const backMs = 60_000;
