import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import type { CpuProfile } from "./profile-summary.js";

type Frame = CpuProfile["nodes"][number]["callFrame"];

/** Returns the profile with the original file of each function, because a process runs one bundled file. */
export async function unbundle(profile: CpuProfile): Promise<CpuProfile> {
  const urls = new Set(profile.nodes.map(({ callFrame }) => callFrame.url));
  const places = new Map<string, (frame: Frame) => Frame>();
  for (const url of urls) {
    const map = `${url}.map`;
    if (!url.startsWith("file:") || !existsSync(fileURLToPath(map))) continue;
    // The build has just written this file, so it is complete.
    places.set(url, placesIn(url, JSON.parse(await readFile(fileURLToPath(map), "utf8")) as SourceMapPayload));
  }
  return {
    ...profile,
    nodes: profile.nodes.map((node) => ({ ...node, callFrame: places.get(node.callFrame.url)?.(node.callFrame) ?? node.callFrame })),
  };
}

/** Returns a function that maps a function of a bundle to its source, as a path of the build. The map has no lines of libraries. */
export function placesIn(url: string, payload: SourceMapPayload): (frame: Frame) => Frame {
  const map = new SourceMap(payload);
  const build = url.slice(0, url.lastIndexOf("/dist/") + "/dist/".length);
  return (frame) => {
    const entry = map.findEntry(frame.lineNumber, frame.columnNumber);
    if (!("originalSource" in entry) || typeof entry.originalSource !== "string") return frame;
    return { ...frame, url: build + entry.originalSource.replace(/^(\.\.\/)+/, ""), lineNumber: entry.originalLine };
  };
}
