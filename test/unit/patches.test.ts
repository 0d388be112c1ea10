import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Checks the lists of patches to libraries against files, tests and versions. The tests named there prove that a patch works and is
 * needed.
 */
const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Patch {
  readonly name: string;
  /** The text after each `- Word:`, one item per entry. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
}

function patchesOf(path: string): Patch[] {
  return read(path)
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = "", ...rest] = section.split("\n");
      const lines = new Map<string, string[]>();
      for (const [, word = "", text = ""] of rest
        .join("\n")
        .replace(/\n {2}(?=\S)/g, " ")
        .matchAll(/^- ([A-Z][a-z ]+): (.*)$/gm))
        lines.set(word, [...(lines.get(word) ?? []), text]);
      return { name, lines };
    });
}

const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;

/** Returns the version in package.json, or for a transitive package the one in the lock file. */
function versionOf(library: string): string | undefined {
  const pinned = { ...dependencies, ...devDependencies }[library];
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version?: string }> };
  return pinned?.replace(/^npm:.*@/, "") ?? packages[`node_modules/${library}`]?.version;
}

/** Matches uses of a library's inner files, module objects, classes and private parts. GramJS's own folders have an index each. */
const reaches =
  /^(?:import|export) (?!type\b)[^;]*from "telegram\/(?!(?:\w+\/)+index\.js)|createRequire\(|\.prototype\b|= globalThis\.console|baileys\/lib\/|libsignal\/src|_serverKeys|extends (IGE|MTProto\w+|Promised\w+|ConnectionTCP\w+|\w+Codec)\b|signalRepository\.\w+ = |PUBLIC_KEY = /m;

const files = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
const cases = (text: string): { file: string; title: string }[] =>
  [...text.matchAll(/`([^`]+\.test\.ts)`, "([^"]+)"/g)].map(([, file = "", title = ""]) => ({ file, title }));

const isMissing = ({ file, title }: { file: string; title: string }): boolean =>
  !existsSync(join(root, file)) || !read(file).includes(title);

describe.each(["shard/telegram/PATCHES.md", "shard/whatsapp/PATCHES.md"])("%s", (path) => {
  const patches = patchesOf(path);

  it("has every file that reaches into a library", () => {
    const folder = dirname(path);
    const reaching = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name))
      .filter((file) => reaches.test(read(file)));
    const listed = patches.flatMap(({ lines }) => (lines.get("Where") ?? []).flatMap(files));
    expect(reaching.length).toBeGreaterThan(4);
    expect(reaching.filter((file) => !listed.includes(file))).toEqual([]);
  });

  it.each(patches.map((patch) => [patch.name, patch] as const))("%s: says everything", (_, { lines }) => {
    expect([...lines.keys()]).toEqual(["What", "Where", "Library", "Why", "Takes effect", "Still needed", "Upstream"]);
  });

  it.each(patches.map((patch) => [patch.name, patch] as const))("%s: names what would end it upstream", (_, { lines }) => {
    for (const text of lines.get("Upstream") ?? []) expect(text).toMatch(/\w\/[\w-]+#\d+|^none found$|^the fence is ours$/);
  });

  it.each(patches.map((patch) => [patch.name, patch] as const))("%s: names files that exist", (_, { lines }) => {
    const named = (lines.get("Where") ?? []).flatMap(files);
    expect(named).not.toEqual([]);
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(patches.map((patch) => [patch.name, patch] as const))("%s: names the versions that are installed", (_, { lines }) => {
    const named = (lines.get("Library") ?? []).flatMap((text) => [...text.matchAll(/`([^`]+)` (\S+?)(?=,|$)/g)]);
    expect(named).not.toEqual([]);
    expect(named.map(([, library = "", version]) => [library, version])).toEqual(
      named.map(([, library = ""]) => [library, versionOf(library)]),
    );
  });

  it.each(patches.map((patch) => [patch.name, patch] as const))("%s: names tests that exist", (_, { lines }) => {
    const [effect = [], needed = []] = [lines.get("Takes effect"), lines.get("Still needed")];
    expect(effect.every((text) => cases(text).length > 0)).toBe(true);
    expect(needed.every((text) => cases(text).length > 0 || text.startsWith("always"))).toBe(true);
    expect([...effect, ...needed].flatMap(cases).filter(isMissing)).toEqual([]);
  });

  it("its table names files and tests that exist", () => {
    const rows = read(path)
      .split("\n")
      .filter((line) => line.startsWith("| ") && !line.startsWith("| Set "))
      .map((line) => line.split(" | "));
    expect(rows.length).toBeGreaterThan(1);
    for (const [, where = "", , tests = ""] of rows) {
      expect(files(where).filter((file) => existsSync(join(root, file)))).not.toEqual([]);
      expect(cases(tests)).not.toEqual([]);
      expect(cases(tests).filter(isMissing)).toEqual([]);
    }
  });
});
