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
    const [text, payload] = await Promise.all([url, map].map((file) => readFile(fileURLToPath(file), "utf8")));
    places.set(url, placesIn(url, text ?? "", JSON.parse(payload ?? "") as SourceMapPayload)); // esbuild has just written this file, so it is complete.
  }
  return {
    ...profile,
    nodes: profile.nodes.map((node) => ({ ...node, callFrame: places.get(node.callFrame.url)?.(node.callFrame) ?? node.callFrame })),
  };
}

/**
 * Returns a function that maps a function of a bundle to its source: for this repository a path of the build with the source line. For
 * libraries, the bundle's own headings name the file, because the map may lack it.
 */
export function placesIn(url: string, text: string, payload: SourceMapPayload): (frame: Frame) => Frame {
  const map = new SourceMap(payload);
  const headings = headingsIn(text);
  const build = url.slice(0, url.lastIndexOf("/dist/") + "/dist/".length);
  return (frame) => {
    const entry = map.findEntry(frame.lineNumber, frame.columnNumber);
    if ("originalSource" in entry && typeof entry.originalSource === "string" && !entry.originalSource.includes("node_modules/"))
      return { ...frame, url: build + entry.originalSource.replace(/^(\.\.\/)+/, ""), lineNumber: entry.originalLine };
    const heading = headings.findLast(({ line }) => line < frame.lineNumber);
    return heading === undefined ? frame : { ...frame, url: build + heading.path, lineNumber: frame.lineNumber - heading.line - 1 };
  };
}

/** In the bundle, a comment above each library module names its file. */
function headingsIn(text: string): { line: number; path: string }[] {
  return text.split("\n").flatMap((content, line) => {
    const [, path] = /^\/\/ (node_modules\/\S+)$/.exec(content) ?? [];
    return path === undefined ? [] : [{ line, path }];
  });
}
