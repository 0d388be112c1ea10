import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { loggedIn } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { coldFiles } from "../download/cold-files.js";
import { Downloader } from "../download/downloader.js";
import { SlowReaders } from "../download/slow-readers.js";
import { readMetric } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { lacksTcpMemory } from "../tcp-memory.js";

const memoryBar = "router resident memory per reader";

/**
 * Clients read different long files at 50 KB/s, so each stream stands still and holds its two chunks. Measures the growth of the router's
 * process, whose chunk cache is full beforehand. Kernel buffers are reported separately.
 */
export const mediaSlowReaders: Scenario = {
  name: "media-slow-readers",
  about: "500 clients that read different files at 50 KB/s",
  bars: [{ name: memoryBar, unit: "MiB", limit: { atMost: 1.2 } }],
  quick: "15 s",
  gateway: { shards: 2, env: { MEDIA_STREAMS: "600" } },
  lacks: () => lacksTcpMemory(readersMost),
  async run(gateway, _load, signal, size) {
    const { readers, seconds } = { full: { readers: readersMost, seconds: 30 }, quick: { readers: readersMost, seconds: 15 } }[size];
    const urls = await filesOf(gateway, readers);
    const empty = await memoryOf(gateway);
    await fillCache(gateway, signal);
    await idle(gateway, signal);
    const before = await memoryOf(gateway);
    const slow = new SlowReaders(signal);
    try {
      await slow.start({ urls, bytesPerSecond: 50_000 });
      await sleep(settleMs, undefined, { signal });
      await slow.state();
      const samples: number[] = [];
      let [kernel, fewest] = [0, readers];
      for (let second = 0; second < seconds; second++) {
        await sleep(1_000, undefined, { signal });
        const now = await memoryOf(gateway);
        const streams = await readMetric(gateway, "gateway_router_media_streams_open");
        // On a busy machine some streams may fail. Only the open ones count.
        if (streams < readers * leastOpen) throw new Error(`only ${streams} streams of ${readers} are open`);
        fewest = Math.min(fewest, streams);
        samples.push((now.resident - before.resident) / streams);
        kernel = Math.max(kernel, (now.kernel - before.kernel) / streams);
      }
      const { bytesPerSecond } = await slow.state();
      const mebibytes = samples.map((bytes) => bytes / mebibyte);
      return {
        values: { [memoryBar]: Math.max(...mebibytes) },
        figures: [
          { what: "router memory, resident", unit: "MiB", value: empty.resident / mebibyte, how: "no chunk in its cache, no stream" },
          {
            what: "router memory before the readers, resident",
            unit: "MiB",
            value: before.resident / mebibyte,
            how: "its cache full of other files' chunks (256 MiB), no stream",
          },
          {
            what: memoryBar,
            unit: "MiB",
            value: { samples: mebibytes },
            how: "what is above that, one sample a second while all streams are open",
          },
          {
            what: "kernel's socket buffers per reader",
            unit: "MiB",
            value: kernel / mebibyte,
            how: "TCP memory of the whole machine, both ends, the largest sample; no memory of the router's",
          },
          { what: "pace of a reader", unit: "KB/s", value: bytesPerSecond / 1000, how: "mean of all readers" },
        ],
        notes: [
          `${readers} readers of as many files of ${fileBytes / mebibyte} MiB, for ${seconds} s`,
          `${fewest} streams or more were open at every sample, and the memory is shared by those`,
          "MEDIA_STREAMS=600: a router takes 400 streams at once by default",
        ],
      };
    } finally {
      await slow.stop();
    }
  },
};

const readersMost = 500;
const leastOpen = 0.95;
const mebibyte = 1024 * 1024;
/** More than the kernel buffers, plus what a reader reads until the last reader has begun. */
const fileBytes = 64 * mebibyte;
/** Number of newest messages that a session gets. */
const filesAtOnce = 90;
/** A session may have 16 streams. */
const filesOfSession = 15;

/** Reads more than fits into the router's cache. */
async function fillCache(gateway: Gateway, signal: AbortSignal): Promise<void> {
  const owner = await loggedIn(gateway, "alice");
  const downloads = new Downloader(signal);
  try {
    for (const { url } of await coldFiles(gateway, owner, filesInCache, fileBytes)) await downloads.one({ url });
  } finally {
    await downloads.stop();
  }
}

/** 320 MiB in total. */
const filesInCache = 5;

/** Returns links to new files, for each session no more than it may stream at once. */
async function filesOf(gateway: Gateway, count: number): Promise<string[]> {
  const urls: string[] = [];
  const owner = await loggedIn(gateway, "alice");
  while (urls.length < count) {
    const wanted = Math.min(filesAtOnce, count - urls.length);
    const made = await coldFiles(gateway, owner, wanted, fileBytes);
    for (let from = 0; from < wanted; from += filesOfSession) {
      const session = await loggedIn(gateway, "alice");
      const ids = new Set(made.slice(from, from + filesOfSession).map(({ messageId }) => messageId));
      urls.push(...(await linksTo(ids, session)));
    }
  }
  return urls;
}

/** Returns links to the same files for another session of the account. */
async function linksTo(messageIds: ReadonlySet<string>, session: Awaited<ReturnType<typeof loggedIn>>): Promise<string[]> {
  const chats = (await session.get("/channel")).body as { docs: { id: string; username?: string }[] };
  for (const { id } of chats.docs) {
    const { docs } = (await session.get(`/channel/message?channelId=${id}&limit=100`)).body as {
      docs: { id: string; url: string; size: number }[];
    };
    const links = docs
      .filter((message) => messageIds.has(message.id) && message.size === fileBytes)
      .map(({ url }) => new URL(url, session.gateway.telegram[0]).href);
    if (links.length === messageIds.size) return links;
  }
  throw new Error("a session is not shown the new files");
}

/** Waits until the resident memory stops falling, so that garbage of the logins is gone. */
async function idle(gateway: Gateway, signal: AbortSignal): Promise<void> {
  for (let last = Number.POSITIVE_INFINITY, round = 0; round < 10; round++) {
    const { resident } = await memoryOf(gateway);
    if (resident >= last) return;
    last = resident;
    await sleep(1_000, undefined, { signal });
  }
}

/** By then the kernel's buffers are full, and every stream waits for its reader. */
const settleMs = 10_000;

interface Memory {
  readonly resident: number;
  readonly kernel: number;
}

async function memoryOf(gateway: Gateway): Promise<Memory> {
  const pages = /^TCP:.* mem (\d+)/m.exec(await readFile("/proc/net/sockstat", "utf8"))?.[1];
  return { resident: await readMetric(gateway, "process_resident_memory_bytes"), kernel: Number(pages ?? 0) * 4096 };
}
