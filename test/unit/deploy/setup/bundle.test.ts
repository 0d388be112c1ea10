import { spawnSync } from "node:child_process";
import { builtinModules } from "node:module";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeArguments } from "../../../../deploy/supervisor/process-start.js";

const dist = join(import.meta.dirname, "../../../../dist");
const { asCachedProgram } = (await import(join(dist, "../deploy/setup/cached-program.mjs"))) as {
  asCachedProgram(text: string, name: string): { program: string; loader: string };
};

/** The main files of processes, and the gateway that tests have in their own, as the build leaves them. */
describe.each([
  ["deploy/supervisor/main.js", [], []],
  ["deploy/cli/main.js", [], []],
  ["router/main.js", [], nodeArguments.router],
  ["shard/main.js", ["whatsapp-rust-bridge"], nodeArguments.shard],
  ["test/sandbox/main.js", ["sharp", "whatsapp-rust-bridge"], nodeArguments["test/sandbox"]],
  ["test/harness/in-process.js", ["sharp", "whatsapp-rust-bridge"], []],
])("the program of %s", (main, apart, args) => {
  const program = main.replace(/\.js$/, ".program.js");
  const text = readFileSync(join(dist, main), "utf8");

  it("is one file: it imports Node's own modules, and native packages and nothing optional", () => {
    const imported = [...text.matchAll(/^(?:import|export) [^;"']*?(?:from )?"([^"]+)";$/gm)].map(([, name = ""]) => name);
    expect(imported.length).toBeGreaterThan(5);
    const packages = imported.filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
    expect([...new Set(packages)].sort()).toEqual(apart);
    // It would have the class of now, where another stands in its place for some moments (`shared-async-storage.ts`).
    expect(imported.filter((name) => /async_hooks/.test(name))).toEqual([]);
  });

  it("leads stacks to the sources, which stand where its map says", () => {
    const { sources } = JSON.parse(readFileSync(join(dist, `${program}.map`), "utf8")) as { sources: string[] };
    const own = sources.filter((source) => !source.includes("node_modules"));
    expect(own.length).toBeGreaterThan(20);
    for (const source of own) expect(readFileSync(join(dist, dirname(program), source), "utf8").length).toBeGreaterThan(0);
  });

  it("is compiled by the build, and processes take what it has compiled", () => {
    const script = `
      import { readFileSync } from "node:fs";
      import { Script } from "node:vm";
      const [text, cachedData] = [readFileSync(process.argv[1], "latin1"), readFileSync(process.argv[1] + ".cache")];
      console.log(new Script(text, { cachedData }).cachedDataRejected, /[^\\0-\\x7f]/.test(text));`;
    const { stdout, stderr } = spawnSync(process.execPath, [...args, "--input-type=module", "-e", script, join(dist, program)], {
      encoding: "utf8",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "false false\n", stderr: "" });
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

it.each([
  ["none", undefined],
  ["half of one", 0.5],
])("a process that finds a cache that it cannot use, %s, compiles what it runs", (_, part) => {
  const root = mkdtempSync(join(dist, "../.cache/bundle-"));
  try {
    const [folder, built] = [join(root, "dist/deploy/supervisor"), join(dist, "deploy/supervisor")];
    mkdirSync(folder, { recursive: true });
    for (const path of ["package.json", "node_modules", "dist/shared"]) symlinkSync(join(dist, "..", path), join(root, path));
    for (const file of ["main.js", "main.program.js"]) copyFileSync(join(built, file), join(folder, file));
    const cache = readFileSync(join(built, "main.program.js.cache"));
    if (part !== undefined) writeFileSync(join(folder, "main.program.js.cache"), cache.subarray(0, cache.length * part));
    const { stderr, status } = spawnSync(process.execPath, [join(folder, "main.js")], { env: { PORT: "none" }, encoding: "utf8" });
    expect({ stderr, status }).toMatchObject({ stderr: expect.stringMatching(/^configuration:\n/) as string, status: 78 });
  } finally {
    rmSync(root, { recursive: true });
  }
});

describe("what a module becomes for a cache", () => {
  it.each([
    ['import { a, b as c } from "x";', "{ a, b: c } = $imports[0]"],
    ['import d from "x";', "{ default: d } = $imports[0]"],
    ['import d, {} from "x";', "{ default: d } = $imports[0]"],
    ['import d, { a } from "x";', "{ default: d } = $imports[0], { a } = $imports[0]"],
    ['import * as all from "x";', "all = $imports[0]"],
    ['import {\n  a,\n  b as c\n} from "x";', "{ a,\n  b: c } = $imports[0]"],
  ])("%j", (text, names) => {
    const { program, loader } = asCachedProgram(`${text}\nbody();\n`, "main.program.js");
    expect(program).toContain(`const ${names}; `);
    expect(loader).toContain('import * as $0 from "x";');
  });
  it("has its lines where they were, what it exports, and no character of two bytes", () => {
    const text = 'first();\nimport {\n  a\n} from "x";\nconst own = /\u2026/;\nexport {\n  own,\n  a as other\n};\nlast();\n';
    const { program, loader } = asCachedProgram(text, "main.program.js");
    const lines = program.split("\n");
    expect([lines[0]?.endsWith("first();"), lines[4], lines[9]]).toEqual([true, "const own = /\\u2026/;", "last();"]);
    expect(program).toContain("return { own: own, other: a };");
    expect(loader).toContain("export const other = $exports.other;");
  });
  it("asks its loader for what is imported later", () => {
    const { program } = asCachedProgram('const x = await import("x"), y = { import() {} };\ny.import("z");\n', "main.program.js");
    expect(program).toContain('const x = await $import("x"), y = { import() {} };\ny.import("z");\n');
  });
  it.each(['export * from "x";', 'import x from "y" with { type: "json" };', "await import(name);"])(
    "is not made of what it does not know: %s",
    (text) => {
      expect(() => asCachedProgram(text, "main.program.js")).toThrow(`no name is known for ${text}`);
    },
  );
});

it.each(["shard/main.program.js", "test/harness/in-process.program.js"])(
  "GramJS is in %s once, so that what is replaced of it is replaced for all of it",
  (program) => {
    const text = readFileSync(join(dist, program), "utf8");
    expect(text.match(/^\/\/ node_modules\/telegram\/Helpers\.js$/gm)).toHaveLength(1);
    expect(text.match(/\$requireFrom\([^)]*\)\("telegram|createRequire[^\n]*"telegram/g)).toBeNull();
  },
);

it.each(["router", "shard"])(
  "what the metrics' library is built on is in the file of a %s, and is not read from seventy others",
  (folder) => {
    const text = readFileSync(join(dist, folder, "main.program.js"), "utf8");
    expect(text.match(/\brequire\("@opentelemetry\/api"\)|__require\("@opentelemetry\/api"\)/g)).toBeNull();
    expect(text).toContain("// node_modules/@opentelemetry/api/build/src/index.js\n");
  },
);

it("the thousands of numbers of the integers' library are not copied for those that import it", () => {
  const text = readFileSync(join(dist, "shard/main.program.js"), "utf8");
  expect(text).toContain("require_BigInteger()");
  expect(text.match(/__toESM\(require_BigInteger\(\)/g)).toBeNull();
});

describe("Telegram's schema", () => {
  /** GramJS's parser as it comes and as it is in a program, side by side. */
  const said = (expression: string): unknown => {
    const script = `
      import { readFileSync } from "node:fs";
      import { createRequire } from "node:module";
      import { isDeepStrictEqual } from "node:util";
      import { withParsedSchemas } from "./deploy/setup/parsed-schema.mjs";
      const path = process.cwd() + "/node_modules/telegram/tl/generationHelpers.js";
      const require = createRequire(path);
      const text = readFileSync(path, "utf8");
      const load = (source) => {
        const exports = {};
        new Function("exports", "require", source)(exports, require);
        return exports.parseTl;
      };
      const [parsed, ready] = [load(text), load(withParsedSchemas(path, text))];
      const schemas = ["./apiTl.js", "./schemaTl.js"].map((name) => require(name));
      console.log(JSON.stringify(${expression}));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: join(dist, ".."),
      encoding: "utf8",
    });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as unknown;
  };

  it("is in the programs as the library would parse it, each time anew", () => {
    expect(said("schemas.map((schema) => [...parsed(schema, 109)].length > 10)")).toEqual([true, true]);
    expect(said("schemas.map((schema) => isDeepStrictEqual([...ready(schema, 109)], [...parsed(schema, 109)]))")).toEqual([true, true]);
    const changed =
      "(() => { for (const { argsConfig } of ready(schemas[0])) for (const arg of Object.values(argsConfig)) arg.isVector = 1; })()";
    expect(said(`[${changed}, isDeepStrictEqual([...ready(schemas[0])], [...parsed(schemas[0])])]`)).toEqual([null, true]);
  });

  it("of another text is parsed there as before", () => {
    const other = JSON.stringify("boolFalse#bc799737 = Bool;\nping#7abe77ec ping_id:long = Pong;\n");
    expect(said(`isDeepStrictEqual([...ready(${other})], [...parsed(${other})])`)).toBe(true);
    expect(said("isDeepStrictEqual([...ready(schemas[1], 1, [], new Set())], [...parsed(schemas[1], 1, [], new Set())])")).toBe(true);
  });

  it("the library still parses in every process that starts: without that, drop parsed-schema.mjs", () => {
    const api = readFileSync(join(dist, "../node_modules/telegram/tl/api.js"), "utf8");
    expect(api).toContain("parseTl(fileContent");
    expect(readFileSync(join(dist, "shard/main.program.js"), "utf8").match(/new Map\(\[\[require_apiTl\(\)/g)).toHaveLength(1);
  });
});

describe("the padding of WhatsApp's messages", () => {
  const path = join(dist, "../node_modules/@whiskeysockets/baileys/lib/Utils/generics.js");

  it("is as long as the library has it: 1 to 16 bytes of their own number, all as often", async () => {
    const { withPooledPadding } = (await import(join(dist, "../deploy/setup/pooled-padding.mjs"))) as {
      withPooledPadding(path: string, text: string): string;
    };
    const text = withPooledPadding(path, readFileSync(path, "utf8"));
    // The function alone: what else its module imports has no place outside of its folder.
    const body = /export const (writeRandomPadMax16 = [^]*?\n\};)/.exec(text)?.[1] ?? "";
    const imported = text.split("\n", 1)[0] ?? "";
    const script = `${imported}
      const ${body}
      const padded = Array.from({ length: 16_000 }, () => writeRandomPadMax16(Buffer.from("ab")));
      const counts = Array.from({ length: 17 }, (_, length) => padded.filter((one) => one.equals(Buffer.concat([Buffer.from("ab"), Buffer.alloc(length, length)]))).length);
      console.log(JSON.stringify(counts));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    if (stdout === "") throw new Error(stderr);
    const [none, ...counts] = JSON.parse(stdout) as number[];
    expect(none).toBe(0);
    expect(counts).toHaveLength(16);
    expect(counts.reduce((sum, count) => sum + count)).toBe(16_000);
    // Of 1,000 each; ten standard deviations.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(310);
  });

  it.each(["shard/main.program.js", "test/sandbox/main.program.js"])("comes from numbers that are ready, in %s", (program) => {
    expect(readFileSync(join(dist, program), "utf8").match(/const pad = .*;/g)).toEqual(["const pad = [$randomInt(256)];"]);
  });

  it("the library still asks for a byte each time: without that, drop pooled-padding.mjs", () => {
    expect(readFileSync(path, "utf8")).toContain("const pad = randomBytes(1);");
  });
});
