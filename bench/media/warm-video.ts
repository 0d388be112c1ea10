import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../shared/limits.js";
import { loggedIn, request, type Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { receivedFile } from "../../test/harness/received-files.js";
import type { PlannedRequest } from "../load/plan.js";
import { readMetric, routerTarget } from "../router-target.js";
import { fetchWhole, type WholeResponse } from "../target.js";
import { sealedLinksOf } from "./sealed-links-of.js";

/** A 64 MiB video with all of its chunks in the router's memory. */
export interface WarmVideo {
  /** Paths of the same file for several sessions, because a session may have 16 streams at once. */
  readonly links: readonly string[];
  readonly bytes: Uint8Array;
  /** The response to a request for the first chunk. */
  readonly response: WholeResponse;
  /** For 256 connections. Each cycles through other chunks of the file. */
  readonly lanes: readonly (readonly PlannedRequest[])[];
}

export async function warmVideo(gateway: Gateway): Promise<WarmVideo> {
  return await warmed(gateway, await videoLinks(gateway));
}

/** Does the same with a video that a WhatsApp account has received. */
export async function warmReceivedVideo(gateway: Gateway): Promise<WarmVideo> {
  const [first, ...others] = await severalLogins(sessionCount, () => loggedIn(gateway, "alice", "whatsapp"));
  if (first === undefined) throw new Error("no session");
  const video = await receivedFile(first, await sealedLinksOf(gateway), fileBytes);
  return await warmed(gateway, [video.path, ...others.map(video.pathFor)]);
}

async function warmed(gateway: Gateway, links: readonly string[]): Promise<WarmVideo> {
  const target = routerTarget(gateway);
  // Descriptions are cached by session, chunks by file. So the first link loads the file, and each further link only its description.
  const chunks: Uint8Array[] = [];
  for (let chunk = 0; chunk < chunkCount; chunk++) chunks.push((await fetchWhole(target, chunkRequest(links[0] ?? "", chunk))).body);
  for (const link of links) await fetchWhole(target, chunkRequest(link, 0));
  return {
    links,
    bytes: Buffer.concat(chunks),
    response: await fetchWhole(target, chunkRequest(links[0] ?? "", 0)),
    lanes: videoLanes(links),
  };
}

/** Rejects when a requested chunk did not come from the router's memory, because the path was not warm then. */
export async function allWarm<T>(gateway: Gateway, work: () => Promise<T>): Promise<T> {
  const before = await coldChunks(gateway);
  const result = await work();
  const cold = (await coldChunks(gateway)) - before;
  if (cold > 0) throw new Error(`${cold} chunks did not come from memory: this was not the warm path`);
  return result;
}

const fileBytes = 64 * 1024 * 1024;
export const chunkCount = fileBytes / chunkBytes;
const sessionCount = 24;
const laneCount = 256;
/** Logins that run at once. */
const loginsAtOnce = 4;
/** Different chunks that one connection requests. */
const laneLength = 16;

/** Returns the paths of the same video for several sessions of one account. */
export async function videoLinks(gateway: Gateway, count = sessionCount): Promise<string[]> {
  const { docs } = (await request(`${gateway.sandbox}/media?platform=telegram`)).body as { docs: { size: number; chatId: string }[] };
  const chatId = docs.find(({ size }) => size === fileBytes)?.chatId ?? "";
  return await severalLogins(count, async () => await mediaLink(await loggedIn(gateway, "alice"), chatId));
}

async function severalLogins<T>(count: number, logIn: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (done.length < count) done.push(...(await Promise.all(Array.from({ length: Math.min(loginsAtOnce, count - done.length) }, logIn))));
  return done;
}

async function mediaLink(caller: Caller, chatId: string): Promise<string> {
  const { docs } = (await caller.get(`/channel/message?channelId=${chatId}&limit=100`)).body as { docs: ChannelMessage[] };
  const video = docs.find(({ size }) => size === fileBytes);
  if (video === undefined) throw new Error("no 64 MiB video among the channel's messages");
  return new URL(video.url, caller.gateway.telegram[0]).pathname;
}

/** Returns requests for 256 connections. Each cycles through other chunks of the file. */
export function videoLanes(links: readonly string[]): PlannedRequest[][] {
  return Array.from({ length: laneCount }, (_, lane) => laneOf(links[lane % links.length] ?? "", lane));
}

function laneOf(link: string, lane: number): PlannedRequest[] {
  return Array.from({ length: laneLength }, (_, step) => chunkRequest(link, (lane * 5 + step * 8) % chunkCount));
}

export function chunkRequest(path: string, chunk: number): PlannedRequest {
  return { path, headers: { range: `bytes=${chunk * chunkBytes}-${(chunk + 1) * chunkBytes - 1}` } };
}

/** Returns how many chunks the router has fetched so far. */
async function coldChunks(gateway: Gateway): Promise<number> {
  const chunks = "gateway_router_media_chunks_total";
  return (await readMetric(gateway, chunks, 'source="redis"')) + (await readMetric(gateway, chunks, 'source="shard"'));
}
