import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../shared/limits.js";
import { loggedIn, request, type Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { PlannedRequest } from "../load/plan.js";

/** A video of the sandbox that everybody may read. */
const fileBytes = 64 * 1024 * 1024;
export const videoChunks = fileBytes / chunkBytes;
/** Logins that run at once. */
const loginsAtOnce = 4;
/** Different chunks that one connection asks for. */
const laneLength = 16;

/** The same video as each of several sessions of one account is shown it, as paths. */
export async function videoLinks(gateway: Gateway, count: number): Promise<string[]> {
  const { docs } = (await request(`${gateway.sandbox}/media?platform=telegram`)).body as { docs: { size: number; chatId: string }[] };
  const chatId = docs.find(({ size }) => size === fileBytes)?.chatId ?? "";
  const links: string[] = [];
  while (links.length < count) {
    const some = Array.from({ length: Math.min(loginsAtOnce, count - links.length) }, async () => await videoLink(await loggedIn(gateway, "alice"), chatId));
    links.push(...(await Promise.all(some)));
  }
  return links;
}

async function videoLink(caller: Caller, chatId: string): Promise<string> {
  const { docs } = (await caller.get(`/channel/message?channelId=${chatId}&limit=100`)).body as { docs: ChannelMessage[] };
  const video = docs.find(({ size }) => size === fileBytes);
  if (video === undefined) throw new Error("no 64 MiB video among the channel's messages");
  return new URL(video.url, caller.gateway.telegram[0]).pathname;
}

/** What 256 connections ask for: each goes round other chunks of the file, by one of the links. */
export function videoLanes(links: readonly string[]): PlannedRequest[][] {
  return Array.from({ length: 256 }, (_, lane) => laneOf(links[lane % links.length] ?? "", lane));
}

function laneOf(link: string, lane: number): PlannedRequest[] {
  return Array.from({ length: laneLength }, (_, step) => chunkRequest(link, (lane * 5 + step * 8) % videoChunks));
}

/** One whole chunk. */
export function chunkRequest(path: string, chunk: number): PlannedRequest {
  return { path, headers: { range: `bytes=${chunk * chunkBytes}-${(chunk + 1) * chunkBytes - 1}` } };
}
