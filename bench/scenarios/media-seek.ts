import { setTimeout as sleep } from "node:timers/promises";
import { chunkBytes } from "../../shared/limits.js";
import { loggedIn } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { coldFiles, fetchedParts, type ColdFile } from "../download/cold-files.js";
import type { Downloaded, PlannedDownload } from "../download/download-plan.js";
import { Downloader } from "../download/downloader.js";
import { gatewayCache } from "../gateway-redis.js";
import { metricOf, scrape } from "../metrics.js";
import type { Scenario } from "../scenario.js";

const wasteBar = "chunks fetched by chunks of requested ranges";

/**
 * 200 viewers seek in films: each requests random ranges and closes most connections early. A session may have 16 streams, so there are 13
 * sessions. The cache holds all films, so that no eviction counts as waste.
 */
export const mediaSeek: Scenario = {
  name: "media-seek",
  about: "200 clients at random places of 13 files, each range left midway",
  bars: [{ name: wasteBar, unit: "", limit: { atMost: 1.1 } }],
  quick: "2 seeks of each client instead of 6",
  gateway: { shards: 2 },
  async run(gateway, _load, signal, size) {
    const seeks = { full: 6, quick: 2 }[size];
    const films: ColdFile[] = [];
    for (let session = 0; session < sessionCount; session++)
      films.push(...(await coldFiles(gateway, await loggedIn(gateway, "alice"), 1, filmBytes)));
    const lanes = Array.from({ length: clients }, (_, client) => seeksOf(films[client % sessionCount], seeks));
    const cache = await gatewayCache(gateway);
    const downloads = new Downloader(signal);
    try {
      await cache.config("SET", "maxmemory", String(cacheBytes));
      const before = { fetched: await fetchedParts(gateway), ahead: await readAhead(gateway) };
      const result = await downloads.run({ lanes });
      // Requests in flight when the last client left finish in this time.
      await sleep(settleMs);
      const fetched = (await fetchedParts(gateway)) - before.fetched;
      const ahead = await readAhead(gateway);
      const count = (outcome: keyof typeof ahead): number => ahead[outcome] - before.ahead[outcome];
      const requested = chunksOf(lanes, (download) => lengthOf(download));
      const received = chunksOf(lanes, (_, done) => done?.bytes ?? 0, result.lanes);
      const responses = result.lanes.flat();
      const refused = responses.filter(({ status }) => status !== 206).length;
      return {
        values: { [wasteBar]: fetched / requested },
        figures: [
          { what: "chunks fetched", unit: "", value: fetched, how: "`upload.getFile` at the sandbox" },
          { what: "chunks of requested ranges", unit: "", value: requested, how: "different ones, over all clients of a film" },
          {
            what: "chunks of which a client got a byte",
            unit: "",
            value: received,
            how: "different ones; the rest of their ranges nobody read",
          },
          {
            what: "chunks fetched by chunks of which a client got a byte",
            unit: "",
            value: fetched / received,
            how: "what readers that leave make a gateway fetch for nothing",
          },
          { what: "read-ahead used", unit: "chunks", value: count("used"), how: "gateway_router_media_read_ahead_chunks_total" },
          { what: "read-ahead unused", unit: "chunks", value: count("unused"), how: "fetched, and not read by the stream it was for" },
          { what: "read-ahead given up", unit: "chunks", value: count("aborted"), how: "the client left before they came" },
          {
            what: "time to the first byte",
            unit: "ms",
            value: { samples: responses.filter(({ status }) => status === 206).map(({ firstByteSeconds }) => firstByteSeconds * 1000) },
            how: "200 clients at once",
          },
          { what: "ranges that were refused", unit: "", value: refused, how: "503 when the session has 16 streams" },
        ],
        notes: [
          `the cache Redis may take ${cacheBytes / 2 ** 30} GiB, and evicted ${/evicted_keys:(\d+)/.exec(await cache.info("stats"))?.[1] ?? "?"} chunks`,
          `${clients} clients, ${seeks} ranges each of 1 to ${rangeChunksMax} chunks at random places; each is read to a random point and its connection closed there`,
          `${sessionCount} sessions, each with a film of ${filmBytes / 2 ** 20} MiB`,
        ],
      };
    } finally {
      cache.disconnect();
      await downloads.stop();
    }
  },
};

const clients = 200;
const sessionCount = 13;
const filmBytes = 128 * 2 ** 20;
const cacheBytes = 3 * 2 ** 30;
const rangeChunksMax = 16;
const settleMs = 3_000;

interface Seek extends PlannedDownload {
  readonly start: number;
  readonly end: number;
}

function seeksOf(film: ColdFile | undefined, count: number): Seek[] {
  if (film === undefined) throw new Error("no film");
  return Array.from({ length: count }, () => {
    const start = Math.floor(Math.random() * (film.size - chunkBytes));
    const end = Math.min(film.size - 1, start + Math.ceil(Math.random() * rangeChunksMax * chunkBytes) - 1);
    return { url: film.url, start, end, range: `bytes=${start}-${end}`, closeAfterBytes: Math.ceil(Math.random() * (end - start + 1)) };
  });
}

const lengthOf = ({ start, end }: Seek): number => end - start + 1;

/** Returns the different chunks that hold the first `bytes` of each range. */
function chunksOf(
  lanes: readonly (readonly Seek[])[],
  bytes: (seek: Seek, done: Downloaded | undefined) => number,
  results?: readonly (readonly Downloaded[])[],
): number {
  const chunks = new Set<string>();
  for (const [lane, seeks] of lanes.entries()) {
    for (const [index, seek] of seeks.entries()) {
      const length = bytes(seek, results?.[lane]?.[index]);
      for (let at = seek.start; at < seek.start + length; at = (Math.floor(at / chunkBytes) + 1) * chunkBytes)
        chunks.add(`${seek.url} ${Math.floor(at / chunkBytes)}`);
    }
  }
  return chunks.size;
}

async function readAhead({ adminPorts }: Gateway): Promise<Record<"used" | "unused" | "aborted", number>> {
  const text = await scrape(adminPorts[0] ?? 0);
  const of = (outcome: string): number => metricOf(text, "gateway_router_media_read_ahead_chunks_total", `outcome="${outcome}"`);
  return { used: of("used"), unused: of("unused"), aborted: of("aborted") };
}
