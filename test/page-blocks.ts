import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Where pages with commands are; the rest of the tree has no fenced commands, or is nobody's to read. */
const folders = ["", ".github", "bench", "deploy", "router", "router/docs", "shard", "shared", "shared/redis", "test/sandbox"];

/** A fenced block of a page (.github/CONTRIBUTING.md, "Commands in pages"). */
export interface PageBlock {
  readonly page: string;
  /** Of its first fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `by-hand`, `output`, or nothing. */
  readonly mark: string;
  readonly text: string;
}

export function pageBlocks(): PageBlock[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .flatMap((name) => blocksOf(join(folder, name))),
  );
}

function blocksOf(page: string): PageBlock[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^( *)```(\S*) ?(.*)\n([^]*?)^\1```$/gm)].map((found) => {
    const [, indent = "", language = "", mark = "", body = ""] = found;
    const line = text.slice(0, found.index).split("\n").length;
    return { page, line, language, mark, text: body.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
  });
}
