import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { chunkBytes } from "../../shared/limits.js";
import { loggedIn } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { BareGramJs, type BareDownload } from "../baseline/bare-gramjs.js";
import { coldChannel, coldFiles, fetchedParts, requireWhole, type ColdFile } from "../download/cold-files.js";
import { Downloader } from "../download/downloader.js";
import { messageWaits } from "../download/message-waits.js";
import type { Figure } from "../figure.js";
import { metricOf, scrape } from "../metrics.js";
import type { Scenario } from "../scenario.js";

const speedBar = "speed by GramJS's own";

/**
 * One client downloads an uncached file through the whole gateway. The baseline is GramJS's own download from the same sandbox, with its
 * largest parts. They alternate with a new file each round.
 */
export const mediaCold: Scenario = {
  name: "media-cold",
  about: "GET of a media link, a 64 MiB file that is in no cache, one client",
  bars: [{ name: speedBar, unit: "", limit: { atLeast: 4 } }],
  quick: "2 rounds",
  gateway: { shards: 1 },
  async run(gateway, load, signal, size) {
    const caller = await loggedIn(gateway, "alice");
    const { rounds, waits } = { full: { rounds: 7, waits: 4 }, quick: { rounds: 2, waits: 1 } }[size];
    const files = await coldFiles(gateway, caller, rounds + 1, fileBytes);
    const bare = await BareGramJs.start(gateway, "alice", signal);
    const downloads = new Downloader(signal);
    try {
      const done: Round[] = [];
      for (const [index, file] of files.entries()) {
        // The first file warms both sides up, and its bytes are compared.
        const round = await measure(gateway, { bare, downloads, file, oursFirst: index % 2 === 0, digest: index === 0 });
        if (index > 0) done.push(round);
      }
      const messages = await messageWaits({ gateway, load, caller, downloads, rounds: waits });
      return {
        figures: [...figuresOf(done), ...messages],
        values: { [speedBar]: done.map(ratioOf) },
        notes: [
          `${rounds} rounds, each with a file of its own, who begins changes from round to round; values over rounds are the median (least–most)`,
          "sandbox, shard, router, Redis and client share the machine's cores",
          "the baseline decrypts in JavaScript, one request of 512 KiB after the other, as the installed library does",
        ],
      };
    } finally {
      await downloads.stop();
      await bare.stop();
    }
  },
};

const fileBytes = 64 * 1024 * 1024;
const settleMs = 300;

interface Round {
  readonly ours: {
    readonly seconds: number;
    readonly firstByteSeconds: number;
    readonly shardCpu: number;
    readonly routerCpu: number;
    readonly clientCpu: number;
    /** CPU seconds of all processes. */
    readonly machineCpu: number;
  };
  readonly bare: BareDownload;
  readonly bareOwnParts: BareDownload;
  readonly fetchedPerChunk: number;
}

interface Plan {
  readonly bare: BareGramJs;
  readonly downloads: Downloader;
  readonly file: ColdFile;
  readonly oursFirst: boolean;
  readonly digest: boolean;
}

async function measure(gateway: Gateway, { bare, downloads, file, oursFirst, digest }: Plan): Promise<Round> {
  const fromBare = async (method: "iterDownload" | "downloadMedia", hashed: boolean): Promise<BareDownload> => {
    await sleep(settleMs);
    const result = await bare.download({ channel: coldChannel, messageId: Number(file.messageId), method, digest: hashed });
    requireWhole(file, result);
    return result;
  };
  const ours = async (): Promise<{ ours: Round["ours"]; fetchedPerChunk: number }> => {
    await sleep(settleMs);
    const [fetchedBefore, cpuBefore] = [await fetchedParts(gateway), await cpuOf(gateway)];
    const machineBefore = machineCpuSeconds();
    const result = await downloads.one({ url: file.url, digest });
    const machineCpu = machineCpuSeconds() - machineBefore;
    requireWhole(file, result);
    const cpu = await cpuOf(gateway);
    return {
      ours: {
        seconds: result.seconds,
        firstByteSeconds: result.firstByteSeconds,
        shardCpu: cpu.shard - cpuBefore.shard,
        routerCpu: cpu.router - cpuBefore.router,
        clientCpu: result.cpuSeconds,
        machineCpu,
      },
      fetchedPerChunk: ((await fetchedParts(gateway)) - fetchedBefore) / (file.size / chunkBytes),
    };
  };
  const bareOwnParts = await fromBare("downloadMedia", false);
  await fromBare("iterDownload", digest);
  if (oursFirst) {
    const mine = await ours();
    return { ...mine, bare: await fromBare("iterDownload", false), bareOwnParts };
  }
  const theirs = await fromBare("iterDownload", false);
  return { ...(await ours()), bare: theirs, bareOwnParts };
}

async function cpuOf({ adminPorts }: Gateway): Promise<{ router: number; shard: number }> {
  const [router = "", shard = ""] = await Promise.all(adminPorts.map((port) => scrape(port)));
  return { router: metricOf(router, "process_cpu_seconds_total"), shard: metricOf(shard, "process_cpu_seconds_total") };
}

/** Returns the CPU seconds of the machine since its start, other work included. */
function machineCpuSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;
}

function ratioOf({ ours, bare }: Round): number {
  return bare.seconds / ours.seconds;
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const over = (read: (round: Round) => number): Figure["value"] => ({ rounds: rounds.map(read) });
  const fileMiB = fileBytes / 1024 / 1024;
  const rate = (seconds: number): number => fileMiB / seconds;
  return [
    { what: "download", unit: "MiB/s", value: over(({ ours }) => rate(ours.seconds)), how: "one GET of the whole file, to its last byte" },
    { what: "GramJS, iterDownload", unit: "MiB/s", value: over(({ bare }) => rate(bare.seconds)), how: "the same file, parts of 512 KiB" },
    { what: "ratio", unit: "", value: over(ratioOf), how: "of each round" },
    {
      what: "GramJS, downloadMedia",
      unit: "MiB/s",
      value: over(({ bareOwnParts }) => rate(bareOwnParts.seconds)),
      how: "the same file, parts of 128 KiB, which the library chooses by itself",
    },
    {
      what: "first byte",
      unit: "ms",
      value: over(({ ours }) => ours.firstByteSeconds * 1000),
      how: "the first chunk is in hand before the status line",
    },
    {
      what: "platform fetches by chunk",
      unit: "",
      value: over(({ fetchedPerChunk }) => fetchedPerChunk),
      how: "`upload.getFile` at the sandbox",
    },
    {
      what: "CPU of the shard",
      unit: "CPU ms/MiB",
      value: over(({ ours }) => (ours.shardCpu * 1000) / fileMiB),
      how: "process_cpu_seconds_total, all threads",
    },
    { what: "CPU of the router", unit: "CPU ms/MiB", value: over(({ ours }) => (ours.routerCpu * 1000) / fileMiB), how: "likewise" },
    {
      what: "CPU of the client",
      unit: "CPU ms/MiB",
      value: over(({ ours }) => (ours.clientCpu * 1000) / fileMiB),
      how: "the download process",
    },
    {
      what: "CPU of the machine",
      unit: "CPU ms/MiB",
      value: over(({ ours }) => (ours.machineCpu * 1000) / fileMiB),
      how: "all of these, the sandbox and Redis: a MiB cannot take less time than this by the processors there are",
    },
    {
      what: "processors at work",
      unit: "",
      value: over(({ ours }) => ours.machineCpu / ours.seconds),
      how: `of ${cpus().length}, during the download`,
    },
    {
      what: "CPU of GramJS",
      unit: "CPU ms/MiB",
      value: over(({ bare }) => (bare.cpuSeconds * 1000) / fileMiB),
      how: "platform connection and consumer in one process",
    },
  ];
}
