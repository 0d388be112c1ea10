import type { Gateway } from "../../test/harness/gateway.js";
import { startBaseline } from "../baseline/baseline-server.js";
import { compare, speedRatios } from "../compare.js";
import { chunkRequest, videoChunks, videoLanes, videoLinks } from "../download/shared-video.js";
import { readMetric, routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { fetchWhole } from "../target.js";

/**
 * Whole chunks of one 64 MiB video, all of them in the router's memory, against the bare engine that sends the same ranges of the same file. A single
 * buffer sent again and again would stay in the processor's cache: the baseline has the whole file too. A session may have 16 streams at once, so
 * 256 connections need many sessions; they all read the same file.
 */
export const mediaWarm: Scenario = {
  name: "media-warm",
  about: "GET of a media link, one 512 KiB range a request, from router memory",
  bars: [16, 256].map((connections) => ({ name: speedAt(connections), unit: "", limit: { atLeast: 0.9 } })),
  quick: "3 rounds of 2.5 s",
  async run(gateway, load, signal, size) {
    const links = await videoLinks(gateway, sessionCount);
    const target = routerTarget(gateway);
    // Descriptions are cached by session, chunks by file: the first link brings the file in, each of the others its description.
    const chunks: Uint8Array[] = [];
    for (let chunk = 0; chunk < videoChunks; chunk++) chunks.push((await fetchWhole(target, chunkRequest(links[0] ?? "", chunk))).body);
    for (const link of links) await fetchWhole(target, chunkRequest(link, 0));

    const answer = await fetchWhole(target, chunkRequest(links[0] ?? "", 0));
    const bare = await startBaseline("bare uWebSockets.js", { ...answer, body: Buffer.concat(chunks), ranged: true }, signal);
    try {
      const lanes = videoLanes(links);
      const coldBefore = await coldChunks(gateway);
      const comparisons = [];
      for (const connections of [16, 256]) comparisons.push(await compare(load, { targets: [target, bare], lanes, connections, ...{ full: { rounds: 5, seconds: 4 }, quick: { rounds: 3, seconds: 2.5 } }[size] }));
      const cold = (await coldChunks(gateway)) - coldBefore;
      if (cold > 0) throw new Error(`${cold} chunks did not come from memory: this was not the warm path`);
      return { comparisons, values: Object.fromEntries(comparisons.map((one) => [speedAt(one.connections), speedRatios(one, target.name, bare.name)])), notes: [`${links.length} sessions read the same file`, "every chunk came from router memory"] };
    } finally {
      await bare.stop();
    }
  },
};

function speedAt(connections: number): string {
  return `speed by bare uWebSockets.js, ${connections} clients`;
}

const sessionCount = 24;

/** Chunks that the router had to fetch so far. */
async function coldChunks(gateway: Gateway): Promise<number> {
  const chunks = "gateway_router_media_chunks_total";
  return (await readMetric(gateway, chunks, 'source="redis"')) + (await readMetric(gateway, chunks, 'source="shard"'));
}
