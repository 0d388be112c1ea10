import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

export interface Import {
  file: string;
  /** The path from the root for our files, and the package name for others. */
  target: string;
}

/** Returns the TypeScript files below a folder, as paths from the root. */
export function filesOf(folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
  } catch {
    return []; // A folder that does not exist yet has no imports.
  }
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/\b(?:from\s+|import\s*\(?\s*)"([^"]+)"/g)].map(([, name = ""]) => ({
    file,
    target: name.startsWith(".") ? relative(root, resolve(dirname(join(root, file)), name)).replaceAll("\\", "/") : name,
  }));
}

/** Returns our files with the imports of each, types included. */
export function graphOf(imports: readonly Import[]): ReadonlyMap<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { file, target } of imports) {
    if (/^(router|shard|shared|deploy|bench|test)\/.*\.js$/.test(target)) graph.set(file, [...(graph.get(file) ?? []), sourceOf(target)]);
  }
  return graph;
}

function sourceOf(target: string): string {
  const source = target.replace(/\.js$/, ".ts");
  return existsSync(join(root, source)) ? source : `${source}x`;
}

/** Returns the first-level folders of router, shard and shared, with the folders that each imports. */
export function foldersOf(graph: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const folder = folderOf(file);
    const others = targets.map(folderOf).filter((target) => target !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return folders;
}

function folderOf(file: string): string {
  const [top = "", folder = ""] = file.split("/");
  return ["router", "shard", "shared"].includes(top) && file.split("/").length > 2 ? `${top}/${folder}` : top;
}

/** Returns sets of files that all import each other, directly or indirectly (Tarjan's strongly connected components). */
export function circlesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    let low = order.size;
    order.set(file, low);
    open.push(file);
    for (const target of edges.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === order.get(file)) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return circles;
}
