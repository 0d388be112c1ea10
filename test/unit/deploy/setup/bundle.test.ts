import { builtinModules } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const dist = join(import.meta.dirname, "../../../../dist");

/** The main files of processes, as the build leaves them. */
describe.each([
  ["deploy/supervisor", []],
  ["router", []],
  ["shard", ["whatsapp-rust-bridge"]],
  ["test/sandbox", ["sharp", "whatsapp-rust-bridge"]],
])("the program in %s", (folder, apart) => {
  const text = readFileSync(join(dist, folder, "main.js"), "utf8");

  it("is one file: it imports Node's own modules, and native packages and nothing optional", () => {
    const imported = [...text.matchAll(/^(?:import|export) [^;"']*?(?:from )?"([^"]+)";$/gm)].map(([, name = ""]) => name);
    expect(imported.length).toBeGreaterThan(5);
    const packages = imported.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
    expect([...new Set(packages)].sort()).toEqual(apart);
  });

  it("leads stacks to the sources, which stand where its map says", () => {
    const { sources } = JSON.parse(readFileSync(join(dist, folder, "main.js.map"), "utf8")) as { sources: string[] };
    const own = sources.filter((source) => !source.includes("node_modules"));
    expect(own.length).toBeGreaterThan(20);
    for (const source of own) expect(readFileSync(join(dist, folder, source), "utf8").length).toBeGreaterThan(0);
  });
});

it("GramJS is in a shard's file once, so that what is replaced of it is replaced for all of it", () => {
  const text = readFileSync(join(dist, "shard/main.js"), "utf8");
  expect(text.match(/^\/\/ node_modules\/telegram\/Helpers\.js$/gm)).toHaveLength(1);
  expect(text.match(/\$requireFrom\([^)]*\)\("telegram|createRequire[^\n]*"telegram/g)).toBeNull();
});
