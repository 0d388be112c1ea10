import { chunkBytes } from "../../shared/limits.js";
import { loggedIn } from "../../test/harness/api.js";
import { coldFiles, fetchedParts, requireWhole } from "../download/cold-files.js";
import { Downloader } from "../download/downloader.js";
import { metricOf, scrape } from "../metrics.js";
import type { Scenario } from "../scenario.js";

const fetchesBar = "platform fetches by chunk";

/**
 * 64 clients request one uncached file at the same moment. A session may have 16 streams per router, so there are four routers. Requests
 * are joined across routers at the shard that owns the session.
 */
export const mediaSingleFlight: Scenario = {
  name: "media-single-flight",
  about: "64 clients on one file that is in no cache, over four routers",
  bars: [{ name: fetchesBar, unit: "", limit: { exactly: 1 } }],
  quick: "one round, a file of 16 MiB",
  gateway: { routers: 4, shards: 2 },
  async run(gateway, _load, signal, size) {
    const { rounds, fileBytes } = { full: { rounds: 3, fileBytes: 64 * 2 ** 20 }, quick: { rounds: 1, fileBytes: 16 * 2 ** 20 } }[size];
    const caller = await loggedIn(gateway, "alice");
    const files = await coldFiles(gateway, caller, rounds, fileBytes);
    const downloads = new Downloader(signal);
    const fetches: number[] = [];
    const seconds: number[] = [];
    const alreadyStored = (): Promise<number> => sumOf(gateway.adminPorts, "gateway_shard_telegram_chunks_stored_already_total");
    const storedBefore = await alreadyStored();
    try {
      for (const file of files) {
        const before = await fetchedParts(gateway);
        const path = new URL(file.url).pathname;
        const urls = gateway.telegram.map((base) => new URL(path, base).href);
        const { lanes, elapsedSeconds } = await downloads.run({
          lanes: Array.from({ length: clients }, (_, client) => [{ url: urls[client % urls.length] ?? "", digest: client < urls.length }]),
        });
        for (const [result] of lanes) if (result !== undefined) requireWhole(file, result);
        fetches.push(((await fetchedParts(gateway)) - before) / (fileBytes / chunkBytes));
        seconds.push(elapsedSeconds);
      }
    } finally {
      await downloads.stop();
    }
    const mib = (clients * fileBytes) / 2 ** 20;
    return {
      values: { [fetchesBar]: fetches },
      figures: [
        {
          what: "sent to all clients",
          unit: "MiB/s",
          value: { rounds: seconds.map((one) => mib / one) },
          how: `${clients} clients, all bytes of ${fileBytes / 2 ** 20} MiB each; one client process counts them`,
        },
        {
          what: "chunks that were there by the time they were asked for",
          unit: "",
          value: (await alreadyStored()) - storedBefore,
          how: "a router had looked into the cache just before they came: answered without a fetch",
        },
      ],
      notes: [
        `${rounds} rounds with a file each; one client of each router is compared byte by byte`,
        "one session: two shards, of which one owns it",
      ],
    };
  },
};

const clients = 64;

async function sumOf(adminPorts: readonly number[], metric: string): Promise<number> {
  const texts = await Promise.all(adminPorts.map((port) => scrape(port)));
  return texts.reduce((sum, text) => sum + metricOf(text, metric), 0);
}
