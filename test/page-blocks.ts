import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Folders without pages, or with pages that contain no commands. */
const elsewhere = /(^|\/)(node_modules|dist[^/]*|\.git|\.cache|\.data|results|fixtures)(\/|$)/;

/** A fenced block of a page (.github/CONTRIBUTING.md, "Commands in pages"). */
export interface PageBlock {
  readonly page: string;
  /** The line of its first fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The word after the language: `by-hand`, `output`, or nothing. */
  readonly mark: string;
  readonly text: string;
}

export function pageBlocks(): PageBlock[] {
  return pagesIn("").flatMap(blocksOf);
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .map((entry) => ({ entry, path: join(folder, entry.name) }))
    .filter(({ path }) => !elsewhere.test(path))
    .flatMap(({ entry, path }) => (entry.isDirectory() ? pagesIn(path) : path.endsWith(".md") ? [path] : []));
}

function blocksOf(page: string): PageBlock[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^( *)```(\S*) ?(.*)\n([^]*?)^\1```$/gm)].map((found) => {
    const [, indent = "", language = "", mark = "", body = ""] = found;
    const line = text.slice(0, found.index).split("\n").length;
    return { page, line, language, mark, text: body.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
  });
}
