import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { loggedIn } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { coldFiles } from "../download/cold-files.js";
import { SlowReaders } from "../download/slow-readers.js";
import { readMetric } from "../router-target.js";
import type { Scenario } from "../scenario.js";

const memoryBar = "router resident memory per reader";

/**
 * Clients that read at 50 KB/s, each a file of its own that is far longer than what the kernel's socket buffers take: each of their streams stands still and holds its two chunks.
 * What counts is how much the router's process grows by them, its cache of chunks included, which is empty before. The kernel's buffers are no
 * memory of the process; they are told beside it.
 */
export const mediaSlowReaders: Scenario = {
  name: "media-slow-readers",
  about: "500 clients that read different files at 50 KB/s",
  bars: [{ name: memoryBar, unit: "MiB", limit: { atMost: 1.2 } }],
  quick: "15 s",
  gateway: { shards: 2, env: { MEDIA_STREAMS: "600" } },
  async run(gateway, _load, signal, size) {
    const { readers, seconds } = { full: { readers: 500, seconds: 45 }, quick: { readers: 500, seconds: 15 } }[size];
    const urls = await filesOf(gateway, readers);
    await idle(gateway, signal);
    const before = await memoryOf(gateway);
    const slow = new SlowReaders(signal);
    try {
      await slow.start({ urls, bytesPerSecond: 50_000 });
      await allStandStill(gateway, readers, signal);
      await slow.look();
      const samples: number[] = [];
      let kernel = 0;
      for (let second = 0; second < seconds; second++) {
        await sleep(1_000, undefined, { signal });
        const now = await memoryOf(gateway);
        samples.push((now.resident - before.resident) / readers);
        kernel = Math.max(kernel, (now.kernel - before.kernel) / readers);
      }
      const { open, lost, bytesPerSecond } = await slow.look();
      const streams = await readMetric(gateway, "gateway_router_media_streams_open");
      if (lost > 0 || open !== readers || streams !== readers) throw new Error(`${open} readers of ${readers} are left, and ${streams} streams`);
      const mebibytes = samples.map((bytes) => bytes / mebibyte);
      return {
        values: { [memoryBar]: Math.max(...mebibytes) },
        figures: [
          { what: "router memory before, resident", unit: "MiB", value: before.resident / mebibyte, how: "no chunk in its cache, no stream" },
          { what: memoryBar, unit: "MiB", value: { samples: mebibytes }, how: "one sample a second while all streams are open; the cache of up to 256 MiB of chunks is in it" },
          { what: "kernel's socket buffers per reader", unit: "MiB", value: kernel / mebibyte, how: "TCP memory of the whole machine, both ends, the largest sample; no memory of the router's" },
          { what: "pace of a reader", unit: "KB/s", value: bytesPerSecond / 1000, how: "mean of all readers" },
        ],
        notes: [`${readers} readers of as many files of ${fileBytes / mebibyte} MiB, for ${seconds} s`, "MEDIA_STREAMS=600: a router takes 400 streams at once by default"],
      };
    } finally {
      await slow.stop();
    }
  },
};

const mebibyte = 1024 * 1024;
/** More than the kernel takes for a client that does not read. */
const fileBytes = 24 * mebibyte;
/** The newest messages that a session is shown. */
const filesAtOnce = 90;
/** A session may have 16 streams. */
const filesOfSession = 15;

/** Links to new files, each session's share of them no more than it may stream at once. */
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

/** The same files as another session of the account is shown them. */
async function linksTo(messageIds: ReadonlySet<string>, session: Awaited<ReturnType<typeof loggedIn>>): Promise<string[]> {
  const chats = (await session.get("/channel")).body as { docs: { id: string; username?: string }[] };
  for (const { id } of chats.docs) {
    const { docs } = (await session.get(`/channel/message?channelId=${id}&limit=100`)).body as { docs: { id: string; url: string; size: number }[] };
    const links = docs.filter((message) => messageIds.has(message.id) && message.size === fileBytes).map(({ url }) => new URL(url, session.gateway.telegram[0]).href);
    if (links.length === messageIds.size) return links;
  }
  throw new Error("a session is not shown the new files");
}

/** Garbage of the logins is gone when the resident memory no longer falls. */
async function idle(gateway: Gateway, signal: AbortSignal): Promise<void> {
  for (let last = Number.POSITIVE_INFINITY, round = 0; round < 10; round++) {
    const { resident } = await memoryOf(gateway);
    if (resident >= last) return;
    last = resident;
    await sleep(1_000, undefined, { signal });
  }
}

/** Until all streams are open and the router has stopped fetching, or almost: then every stream waits for its reader. */
async function allStandStill(gateway: Gateway, readers: number, signal: AbortSignal): Promise<void> {
  const chunks = async (): Promise<number> => await readMetric(gateway, "gateway_router_media_chunks_total");
  let last = -1;
  for (let second = 0; second < standStillSeconds; second++) {
    const now = await chunks();
    if ((await readMetric(gateway, "gateway_router_media_streams_open")) === readers && now - last < readers / 4) return;
    last = now;
    await sleep(1_000, undefined, { signal });
  }
  throw new Error("the streams never came to a stand");
}

const standStillSeconds = 240;

interface Memory {
  readonly resident: number;
  readonly kernel: number;
}

async function memoryOf(gateway: Gateway): Promise<Memory> {
  const pages = /^TCP:.* mem (\d+)/m.exec(await readFile("/proc/net/sockstat", "utf8"))?.[1];
  return { resident: await readMetric(gateway, "process_resident_memory_bytes"), kernel: Number(pages ?? 0) * 4096 };
}
