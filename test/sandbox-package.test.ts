import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, importsOf } from "./source-imports.js";

/** Checks the rules of test/sandbox/README.md, "A package of its own", for imports of the sandbox and by others. */
const root = resolve(import.meta.dirname, "..");

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
const program = read("package.json") as Manifest;
const sandbox = read("test/sandbox/package.json") as Manifest;
const { packages } = read("package-lock.json") as { packages: Record<string, { version?: string }> };

const ofTests = /^test\/sandbox\/test\//;
const inside = filesOf("test/sandbox").flatMap(importsOf);
const outside = ["router", "shard", "shared", "deploy", "bench", "test"]
  .flatMap((folder) => filesOf(folder))
  .filter((file) => !file.startsWith("test/sandbox/"))
  .flatMap(importsOf);
const isOurs = (target: string): boolean => /^(\.\.|router|shard|shared|deploy|bench|test)\//.test(target);
const names = (imports: typeof inside): string[] => {
  const targets = imports.map(({ target }) => target).filter((target) => !isOurs(target) && !/^node:/.test(target));
  return [...new Set(targets.map((target) => target.split("/", target.startsWith("@") ? 2 : 1).join("/")))].sort();
};

describe("the sandbox's package", () => {
  it("is a workspace of the program, of its version, licence and Node", () => {
    expect(program.workspaces).toContain("test/sandbox");
    const { version, license, engines } = program;
    expect(sandbox).toMatchObject({ version, license, engines });
  });

  it("names what its sources import, and apart from it what its tests need besides", () => {
    const needed = names(inside.filter(({ file }) => !ofTests.test(file)));
    expect(needed.length).toBeGreaterThan(5);
    expect(needed.filter((name) => builtinModules.includes(name))).toEqual([]);
    expect(Object.keys(sandbox.dependencies)).toEqual(needed);
    expect(Object.keys(sandbox.devDependencies)).toEqual(
      names(inside.filter(({ file }) => ofTests.test(file))).filter((name) => !needed.includes(name)),
    );
  });

  it("shares one copy of each with the program", () => {
    expect(Object.keys(packages).filter((path) => path.startsWith("test/sandbox/"))).toEqual([]);
    const used = { ...sandbox.dependencies, ...sandbox.devDependencies };
    const installed = Object.keys(used).map((name) => [name, packages[`node_modules/${name}`]?.version]);
    expect(used).toEqual(Object.fromEntries(installed));
    const declared = Object.entries({ ...program.devDependencies, ...program.dependencies }).filter(([name]) => name in used);
    expect(declared.length).toBeGreaterThan(5);
    expect(declared.filter(([name, version]) => used[name] !== version)).toEqual([]);
  });
});

describe("imports", () => {
  it("of the sandbox stay inside of it, and its sources know no test of it", () => {
    expect(inside.length).toBeGreaterThan(300);
    expect(inside.filter(({ target }) => isOurs(target) && !target.startsWith("test/sandbox/"))).toEqual([]);
    expect(inside.filter(({ file, target }) => !ofTests.test(file) && ofTests.test(target))).toEqual([]);
  });

  it("from outside are of what the package exports, and all of that is used", () => {
    const used = outside.filter(({ target }) => target.startsWith("test/sandbox/"));
    const targets = [...new Set(used.map(({ target }) => target.replace("test/sandbox", ".")))].sort();
    expect(targets).toEqual(Object.keys(sandbox.exports ?? {}).sort());
  });

  it("by the package's name lead to the same files", () => {
    for (const [name, file] of Object.entries(sandbox.exports ?? {})) {
      expect(file).toBe(name.replace(/\.js$/, ".ts"));
      expect(existsSync(join(root, "test/sandbox", file))).toBe(true);
    }
  });

  it("of the program itself know no sandbox", () => {
    const product = outside.filter(({ file }) => /^(router|shard|shared|deploy)\//.test(file));
    expect(product.length).toBeGreaterThan(300);
    expect(product.filter(({ target }) => /test\/sandbox|trunkline-sandbox/.test(target))).toEqual([]);
  });
});
