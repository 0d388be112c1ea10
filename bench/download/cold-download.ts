import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import { metricOf, scrape } from "../metrics.js";
import { requireWhole, type ColdFile } from "./cold-files.js";
import type { Downloader } from "./downloader.js";

/** One download of an uncached file through the whole gateway, with the CPU seconds of its parts. */
export interface ColdDownload {
  readonly seconds: number;
  readonly firstByteSeconds: number;
  /** CPU seconds of the process of router and shard. */
  readonly gatewayCpu: number;
  readonly clientCpu: number;
  /** CPU seconds of all processes. */
  readonly machineCpu: number;
}

/** `digest`: also compares the bytes with the file's. */
export async function coldDownload(
  gateway: Gateway,
  downloads: Downloader,
  file: Omit<ColdFile, "messageId">,
  digest: boolean,
): Promise<ColdDownload> {
  await sleep(settleMs);
  const cpuBefore = await cpuOf(gateway);
  const machineBefore = machineCpuSeconds();
  const result = await downloads.one({ url: file.url, digest });
  const machineCpu = machineCpuSeconds() - machineBefore;
  requireWhole(file, result);
  const cpu = await cpuOf(gateway);
  return {
    seconds: result.seconds,
    firstByteSeconds: result.firstByteSeconds,
    gatewayCpu: cpu - cpuBefore,
    clientCpu: result.cpuSeconds,
    machineCpu,
  };
}

/** Returns the figures of the gateway's downloads. `of` is a part of their names. */
export function coldFigures(downloads: readonly ColdDownload[], fileMiB: number, of = ""): Figure[] {
  const figure = (what: string, unit: string, read: (one: ColdDownload) => number, how: string): Figure => ({
    what: `${what}${of}`,
    unit,
    value: { rounds: downloads.map(read) },
    how,
  });
  const perMiB = (cpuSeconds: number): number => (cpuSeconds * 1000) / fileMiB;
  return [
    figure("download", "MiB/s", ({ seconds }) => fileMiB / seconds, "one GET of the whole file, to its last byte"),
    figure("first byte", "ms", (one) => one.firstByteSeconds * 1000, "the first chunk is in hand before the status line"),
    figure("CPU of router and shard", "CPU ms/MiB", ({ gatewayCpu }) => perMiB(gatewayCpu), "process_cpu_seconds_total, all threads"),
    figure("CPU of the client", "CPU ms/MiB", ({ clientCpu }) => perMiB(clientCpu), "the download process"),
    figure(
      "CPU of the machine",
      "CPU ms/MiB",
      ({ machineCpu }) => perMiB(machineCpu),
      "all of these, the sandbox and Redis: a MiB cannot take less time than this by the processors there are",
    ),
    figure("processors at work", "", (one) => one.machineCpu / one.seconds, `of ${cpus().length}, during the download`),
  ];
}

/** The aftermath of the previous download must not count. */
export const settleMs = 300;

/** The shard's port has the metrics of the process that it shares with the router. */
async function cpuOf({ adminPorts: [, shard = 0] }: Gateway): Promise<number> {
  return metricOf(await scrape(shard), "process_cpu_seconds_total");
}

/** Returns the CPU seconds of the machine since its start, other work included. */
function machineCpuSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;
}
