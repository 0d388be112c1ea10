import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../shared/limits.js";
import { loggedIn, request, type Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { startBaseline } from "../baseline/baseline-server.js";
import { compare, speedRatios } from "../compare.js";
import type { PlannedRequest } from "../load/plan.js";
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
    const links = await mediaLinks(gateway, sessionCount);
    const target = routerTarget(gateway);
    // Descriptions are cached by session, chunks by file: the first link brings the file in, each of the others its description.
    const chunks: Uint8Array[] = [];
    for (let chunk = 0; chunk < chunkCount; chunk++) chunks.push((await fetchWhole(target, chunkRequest(links[0] ?? "", chunk))).body);
    for (const link of links) await fetchWhole(target, chunkRequest(link, 0));

    const answer = await fetchWhole(target, chunkRequest(links[0] ?? "", 0));
    const bare = await startBaseline("bare uWebSockets.js", { ...answer, body: Buffer.concat(chunks), ranged: true }, signal);
    try {
      const lanes = Array.from({ length: 256 }, (_, lane) => laneOf(links[lane % links.length] ?? "", lane));
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

const fileBytes = 64 * 1024 * 1024;
const chunkCount = fileBytes / chunkBytes;
const sessionCount = 24;
/** Logins that run at once. */
const loginsAtOnce = 4;
/** Different chunks that one connection asks for. */
const laneLength = 16;

/** The same video as each of several sessions of one account is shown it, as paths. */
async function mediaLinks(gateway: Gateway, count: number): Promise<string[]> {
  const { docs } = (await request(`${gateway.sandbox}/media?platform=telegram`)).body as { docs: { size: number; chatId: string }[] };
  const chatId = docs.find(({ size }) => size === fileBytes)?.chatId ?? "";
  const links: string[] = [];
  while (links.length < count) {
    const some = Array.from({ length: Math.min(loginsAtOnce, count - links.length) }, async () => await mediaLink(await loggedIn(gateway, "alice"), chatId));
    links.push(...(await Promise.all(some)));
  }
  return links;
}

async function mediaLink(caller: Caller, chatId: string): Promise<string> {
  const { docs } = (await caller.get(`/channel/message?channelId=${chatId}&limit=100`)).body as { docs: ChannelMessage[] };
  const video = docs.find(({ size }) => size === fileBytes);
  if (video === undefined) throw new Error("no 64 MiB video among the channel's messages");
  return new URL(video.url, caller.gateway.telegram[0]).pathname;
}

/** Each connection goes round other chunks of the file. */
function laneOf(link: string, lane: number): PlannedRequest[] {
  return Array.from({ length: laneLength }, (_, step) => chunkRequest(link, (lane * 5 + step * 8) % chunkCount));
}

function chunkRequest(path: string, chunk: number): PlannedRequest {
  return { path, headers: { range: `bytes=${chunk * chunkBytes}-${(chunk + 1) * chunkBytes - 1}` } };
}

/** Chunks that the router had to fetch so far. */
async function coldChunks(gateway: Gateway): Promise<number> {
  const chunks = "gateway_router_media_chunks_total";
  return (await readMetric(gateway, chunks, 'source="redis"')) + (await readMetric(gateway, chunks, 'source="shard"'));
}
