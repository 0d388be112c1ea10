import { spawnSync } from "node:child_process";
import { builtinModules } from "node:module";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeArguments } from "../../../../deploy/supervisor/process-start.js";

const dist = join(import.meta.dirname, "../../../../dist");

/** The built main files of processes, and the built gateway for tests in one process. */
describe.each([
  ["deploy/supervisor/main.js", []],
  ["deploy/cli/main.js", []],
  ["router/main.js", []],
  ["shard/main.js", ["whatsapp-rust-bridge"]],
  ["test/sandbox/main.js", ["sharp", "whatsapp-rust-bridge"]],
  ["test/harness/in-process.js", ["sharp", "whatsapp-rust-bridge"]],
])("the program of %s", (main, apart) => {
  const text = readFileSync(join(dist, main), "utf8");

  it("is one file: it imports Node's own modules, and native packages and nothing optional", () => {
    const imported = [...text.matchAll(/(?<![\w$.])(?:import|export)\b[^;"'()]*?"([^"]+)"(?=;)/g)].map(([, name = ""]) => name);
    expect(imported.length).toBeGreaterThan(5);
    const packages = imported.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
    expect([...new Set(packages)].sort()).toEqual(apart);
  });

  it("leads stacks to the sources, which stand where its map says", () => {
    const { sources } = JSON.parse(readFileSync(join(dist, `${main}.map`), "utf8")) as { sources: string[] };
    const own = sources.filter((source) => !source.includes("node_modules"));
    expect(own.length).toBeGreaterThan(20);
    for (const source of own) expect(readFileSync(join(dist, dirname(main), source), "utf8").length).toBeGreaterThan(0);
  });
});

it("a stack of a process's program has lines of the sources", () => {
  const { stderr } = spawnSync(process.execPath, [...nodeArguments["test/sandbox"], join(dist, "test/sandbox/main.js")], {
    env: { SANDBOX_PORT: "none" },
    encoding: "utf8",
  });
  const source = readFileSync(join(dist, "../test/sandbox/main.ts"), "utf8").split("\n");
  const line = source.findIndex((text) => text.includes("throw new Error(`SANDBOX_PORT")) + 1;
  expect(stderr).toMatch(new RegExp(`at readPort \\(\\S*/test/sandbox/main\\.ts:${line}:\\d+\\)`));
});

it.each(["shard/main.js", "test/harness/in-process.js"])(
  "GramJS is in %s once, so that what is replaced of it is replaced for all of it",
  (program) => {
    const text = readFileSync(join(dist, program), "utf8");
    expect(text.match(/"node_modules\/telegram\/Helpers\.js"\(/g)).toHaveLength(1);
    expect(text.match(/(?:\$requireFrom|createRequire\w*)\([^;]*"telegram/g)).toBeNull();
  },
);

it.each(["router", "shard"])(
  "what the metrics' library is built on is in the file of a %s, and is not read from seventy others",
  (folder) => {
    const text = readFileSync(join(dist, folder, "main.js"), "utf8");
    expect(text.match(/(?:\b|__)require\(\s*"@opentelemetry\/api"/g)).toBeNull();
    expect(text).toContain('"node_modules/@opentelemetry/api/build/src/index.js"(');
  },
);

it("the thousands of numbers of the integers' library are not copied for those that import it", () => {
  const text = readFileSync(join(dist, "shard/main.js"), "utf8");
  expect(text).toContain("require_BigInteger()");
  expect(text.match(/__toESM\(\s*require_BigInteger\(\)/g)).toBeNull();
});

it("the shard's modules read the classes of Telegram's schema without a copy of the library's names for each", () => {
  const text = readFileSync(join(dist, "shard/main.js"), "utf8");
  expect(text).toContain("instanceof Api.UpdateShortSentMessage");
  expect(text.match(/import_telegram\w*\.Api\b/g)).toBeNull();
});

it.each(["deploy/supervisor", "router", "shard"])("V8 keeps the text of %s with one byte for each character", (folder) => {
  const text = readFileSync(join(dist, folder, "main.js"), "utf8");
  expect(text.match(/[^\u0000-\u00ff]/gu)).toBeNull();
});

it("V8 compiles a class of WhatsApp's messages when it is called, not with its module", () => {
  const text = readFileSync(join(dist, "shard/main.js"), "utf8");
  const library = readFileSync(join(dist, "../node_modules/@whiskeysockets/baileys/WAProto/index.js"), "utf8");
  const classes = library.match(/ = \(function\(\) \{$/gm)?.length;
  expect(classes).toBeGreaterThan(600);
  expect(text.match(/=\s*\$call\d*\(\s*function\(\)\s*\{/g)).toHaveLength(classes ?? 0);
});
