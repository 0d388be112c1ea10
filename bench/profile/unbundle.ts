import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import type { CpuProfile } from "./profile-summary.js";

type Frame = CpuProfile["nodes"][number]["callFrame"];

/** The same profile with each function where it was written: the main file of a process holds all of its modules. */
export async function unbundle(profile: CpuProfile): Promise<CpuProfile> {
  const urls = new Set(profile.nodes.map(({ callFrame }) => callFrame.url));
  const places = new Map<string, (frame: Frame) => Frame>();
  for (const url of urls) {
    const map = `${url}.map`;
    if (!url.startsWith("file:") || !existsSync(fileURLToPath(map))) continue;
    const [text, payload] = await Promise.all([url, map].map((file) => readFile(fileURLToPath(file), "utf8")));
    places.set(url, placesIn(url, text ?? "", JSON.parse(payload ?? "") as SourceMapPayload)); // As esbuild has just written it.
  }
  return {
    ...profile,
    nodes: profile.nodes.map((node) => ({ ...node, callFrame: places.get(node.callFrame.url)?.(node.callFrame) ?? node.callFrame })),
  };
}

/** Where a function of a bundle comes from: what is ours as a path of the build, with the line of its source. Of libraries the map has a file at most, so the bundle's own headings tell. Pure. */
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

/** Above each library's module a comment names its file. */
function headingsIn(text: string): { line: number; path: string }[] {
  return text.split("\n").flatMap((content, line) => {
    const [, path] = /^\/\/ (node_modules\/\S+)$/.exec(content) ?? [];
    return path === undefined ? [] : [{ line, path }];
  });
}
