import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Platform } from "../shared/contract/platform.js";
import { silentLog } from "../shared/log/logger.js";
import { deleteSession } from "../shard/session/commands/delete-session.js";
import { resetSession } from "../shard/session/commands/reset-session.js";
import type { ReportedEnd } from "../shard/session/connection-end.js";
import type { Connector } from "../shard/session/connector.js";
import type { AnyPlatform, PlatformRegistry } from "../shard/session/platform-adapter.js";
import { Session } from "../shard/session/session.js";
import type { ConnectorContext } from "../shard/session/session-context.js";
import { openLimiter, TestContext, timing } from "./platform/session-context.js";
import { circlesOf, filesOf, foldersOf, graphOf, importsOf } from "./source-imports.js";

const root = resolve(import.meta.dirname, "..");

/** The shard's files that serve every platform: all but the platforms' folders, and the tables that list the platforms. */
const neutral = /^shard\/(?!(telegram|whatsapp)\/|(platforms|config|metrics)\.ts)/;

/** The router's files that serve every platform. Settings, metrics, the API document and the console's forms name platforms. */
const neutralInRouter = /^router\/(?!(telegram|whatsapp)\/|(apis|config|metrics)\.ts|openapi\/|console\/app\/)/;

/** The shared files that serve every platform: all but the platforms' contracts, their names, and the table of all commands. */
const neutralInShared = /^shared\/(?!contract\/((telegram|whatsapp)\/|(platform|commands)\.ts))/;

/** Shared files that may name a platform: a typed row per platform, a platform's name in Redis, or the root, which passes on settings. */
const rowsOfPlatforms = [
  "shard/shard.ts",
  "shared/bus/envelope-bytes.ts",
  "shared/cluster/cluster-keys.ts",
  "shared/cluster/process-report.ts",
  "shared/config/telegram-app.ts",
  "shared/contract/webhook-events.ts",
  "shared/process/settings.ts",
  "shared/redis/keys.ts",
];

/** Rules of imports (.github/CONTRIBUTING.md, "The tree"). The first row that matches a file's folder decides. */
const ours: { from: RegExp; mayNot: RegExp; why: string }[] = [
  { from: /^router\//, mayNot: /^(shard|test|bench|deploy)\//, why: "a router knows no shard" },
  { from: /^shard\//, mayNot: /^(router|test|bench|deploy)\//, why: "a shard knows no router" },
  { from: /^shared\//, mayNot: /^(router|shard|test|bench|deploy)\//, why: "what both share knows neither" },
  { from: /^deploy\/(?!all-in-one\/)/, mayNot: /^(router|shard|test|bench)\//, why: "a supervisor knows processes by their files only" },
  { from: /^shared\/contract\//, mayNot: /^shared\/(?!contract\/|limits\.js)/, why: "the contract does no I/O" },
  { from: /^shared\/limits\.ts/, mayNot: /./, why: "limits depend on nothing" },
  { from: /^(router|shared|shard)\/.*whatsapp\//, mayNot: /telegram\//, why: "the platforms do not know each other" },
  { from: /^(router|shared|shard)\/.*telegram\//, mayNot: /whatsapp\//, why: "the platforms do not know each other" },
  { from: /^shard\/(telegram|whatsapp)\//, mayNot: /^shard\/(cluster|bus)\//, why: "an adapter knows the ports, not the host" },
  { from: neutral, mayNot: /^(shard|shared\/contract)\/(telegram|whatsapp)\//, why: "what serves every platform knows none" },
  { from: neutralInRouter, mayNot: /^(router|shared\/contract)\/(telegram|whatsapp)\//, why: "what serves every platform knows none" },
  { from: neutralInShared, mayNot: /^shared\/contract\/(telegram|whatsapp)\//, why: "what serves every platform knows none" },
  {
    from: /^(?!router\/main\.ts|deploy\/all-in-one\/main\.ts)/,
    mayNot: /^router\/router\.js/,
    why: "a composition root is imported by a main alone",
  },
  {
    from: /^(?!shard\/main\.ts|deploy\/all-in-one\/main\.ts)/,
    mayNot: /^shard\/shard\.js/,
    why: "a composition root is imported by a main alone",
  },
];

/** Each third-party library is used in one folder. Tests and the sandbox may use any library. */
const libraries: { library: RegExp; only: RegExp }[] = [
  // The benchmarks compare with the plain engine.
  { library: /^(@btc-vision\/uwebsockets|uWebSockets)\.js$/, only: /^(router\/http\/|bench\/baseline\/)/ },
  // The benchmarks compare with the unpatched libraries.
  { library: /^telegram(\/|$)|^big-integer$/, only: /^(shard\/telegram\/|bench\/baseline\/)/ },
  { library: /^@whiskeysockets\/baileys/, only: /^(shard\/whatsapp\/|bench\/baseline\/)/ },
  { library: /^(piscina|qrcode)$/, only: /^shard\/files\/image\// },
  // A login at a terminal reads the gateway's picture, and `bench/console` shrinks its own pictures.
  { library: /^sharp$/, only: /^(bench\/console\/|shard\/files\/image\/|deploy\/cli\/login\/)/ },
  { library: /^commander$/, only: /^deploy\/cli\// },
  { library: /^string-width$/, only: /^deploy\/cli\/output\// },
  { library: /^ioredis$/, only: /^shared\/redis\// },
  { library: /^prom-client$/, only: /^shared\/process\/metrics\// },
  { library: /^undici$/, only: /^shard\/(files\/download|egress|webhook)\// },
  { library: /^socks$/, only: /^shard\/egress\// },
  { library: /^ipaddr\.js$/, only: /^(shard\/(files\/download|webhook)\/|router\/telegram\/create-session)/ },
  { library: /^autocannon$/, only: /^bench\// },
  { library: /^d3-scale$/, only: /^bench\/chart\// },
  { library: /^@opentelemetry\//, only: /^shared\/process\/trace\/open-telemetry\.ts/ },
  { library: /^(preact|@preact\/signals)(\/|$)/, only: /^router\/console\/app\// },
  { library: /^pino$/, only: /^shared\/log\// },
  { library: /^lru-cache$/, only: /^(router\/(media|sessions)|shard)\// },
];

const imports = ["router", "shard", "shared", "deploy", "bench"].flatMap((folder) => filesOf(folder)).flatMap(importsOf);

const graph = graphOf(imports);
const testImports = filesOf("test").flatMap(importsOf);

describe("imports", () => {
  it("are found at all", () => {
    expect(imports.length).toBeGreaterThan(300);
  });
  it.each(ours)("$why: $from", ({ from, mayNot }) => {
    expect(
      imports.filter(({ file, target }) => from.test(file) && target.includes("/") && /\.js$/.test(target) && mayNot.test(target)),
    ).toEqual([]);
  });
  it.each(libraries)("$library only in $only", ({ library, only }) => {
    const users = imports.filter(({ target }) => library.test(target));
    expect(users.filter(({ file }) => !only.test(file))).toEqual([]);
  });
  it("of the product are declared, not there by another library's grace", () => {
    type Declared = Record<"dependencies" | "optionalDependencies", Record<string, string>>;
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Declared;
    const declared = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
    const undeclared = imports.filter(({ file, target }) => {
      if (!/^(router|shard|shared)\//.test(file) || target.startsWith("node:") || /^(router|shard|shared)\//.test(target)) return false;
      return !declared.has(/^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? target);
    });
    expect(undeclared).toEqual([]);
  });
});

describe("shared", () => {
  it("holds what more than one kind of process uses", () => {
    expect(filesOf("shared").filter((file) => usersOf(file).size < 2)).toEqual([]);
  });
});

describe("import circles", () => {
  it("are found, also those of types alone", () => {
    const edges = { a: ["b"], b: ["c", "e"], c: ["d"], d: ["b"], e: [], f: ["f", "a"] };
    expect(circlesOf(new Map(Object.entries(edges)))).toEqual([["b", "c", "d"]]);
    expect(imports).toContainEqual({ file: "router/http/handler.ts", target: "router/http/request.js" });
  });
  it("are nowhere", () => {
    expect(circlesOf(graphOf([...imports, ...testImports]))).toEqual([]);
  });
  it("of a folder lead back to it in no case", () => {
    expect(circlesOf(foldersOf(graph))).toEqual([]);
  });
});

describe("a platform", () => {
  it("is named by its own folder, and by the rows that open, set up and count it", () => {
    const naming = [...filesOf("shard"), ...filesOf("router"), ...filesOf("shared")].filter(
      (file) =>
        [neutral, neutralInRouter, neutralInShared].some((files) => files.test(file)) &&
        codeOf(file).some((line) => /telegram|whatsapp/i.test(line)),
    );
    expect(naming.sort()).toEqual(rowsOfPlatforms);
  });
  it("is a connector, a table of commands and a row of the registry: a third one lives the life that the others live", async () => {
    const steps: string[] = [];
    /** A whole connector. */
    class Pigeon implements Connector {
      lose: () => void = () => undefined;
      constructor(private readonly context: ConnectorContext) {}
      async load(): Promise<void> {
        steps.push("load");
      }
      async connect(signal: AbortSignal): Promise<ReportedEnd> {
        const lost = new Promise<void>((resolve) => (this.lose = resolve));
        await this.context.dispatch({
          type: "logged-in",
          account: { generatedId: "coop-7", name: "Pidge", username: "", phone: "", picture: "" },
        });
        await Promise.race([lost, new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))]);
        return { kind: "lost", established: true, waitMs: 0, cause: new Error("hawk") };
      }
      async forget(): Promise<void> {
        steps.push("forget");
      }
      async logOut(): Promise<void> {
        steps.push("log out");
      }
      async finish(): Promise<void> {
        steps.push("finish");
      }
    }
    const row = {
      open: (context: ConnectorContext) => new Pigeon(context),
      commands: {
        "reset-session": { accepts: isEmpty, run: resetSession },
        "delete-session": { accepts: isEmpty, run: deleteSession },
      },
      dropMs: 0,
      refusalOf: () => undefined,
      onConnectionEnd: (kind) => void steps.push(kind),
    } satisfies AnyPlatform;
    const { open, dropMs, refusalOf } = row;
    // The registry needs a row per name. Without one of them this does not compile.
    const registry: PlatformRegistry<Platform | "pigeon"> = {
      pigeon: row,
      telegram: { open, dropMs, refusalOf, commands: {}, onConnectionEnd: () => undefined },
      whatsapp: { open, dropMs, refusalOf, commands: {}, onConnectionEnd: () => undefined },
    };
    const context = new TestContext();
    const { onConnectionEnd } = registry.pigeon;
    const session = new Session({ context, open, onConnectionEnd, limiter: openLimiter, dropMs: 0, timing });
    const ran = session.run();
    await context.connected();
    session.connector.lose();
    await context.until(({ kind }) => kind === "disconnected");
    await context.connected();
    const { commands } = row;
    const call = { id: "1", signal: session.signal, ending: session.signal, yieldLane: () => undefined, log: silentLog };
    expect(await commands["reset-session"].run(session, {}, call)).toEqual({ id: session.id });
    await context.connected();
    expect(await commands["delete-session"].run(session, {}, call)).toEqual({ id: session.id });
    await ran;
    expect(steps).toEqual(["load", "lost", "log out", "reset", "forget", "log out", "finish"]);
    expect(context.history).toEqual(["logged-in", "connection-lost", "logged-in", "reset", "logged-in", "deleted-by-owner"]);
  });
});

describe("environment", () => {
  it("is read in main files only", () => {
    const readers = ["router", "shard", "shared"]
      .flatMap((folder) => filesOf(folder))
      .filter((file) => codeOf(file).some((line) => /process\.env\b/.test(line)));
    // A started program needs the search path, which is no setting.
    const passesOn = "shard/files/download/bounded-process.ts";
    expect(readers.filter((file) => !file.endsWith("main.ts") && file !== passesOn)).toEqual([]);
  });
});

describe("repeating timers", () => {
  it("come from one place, where what they throw ends no process", () => {
    const makers = ["router", "shard", "shared", "deploy/supervisor"]
      .flatMap((folder) => filesOf(folder))
      .filter((file) => !file.startsWith("router/console/") && codeOf(file).some((line) => /\bsetInterval\(/.test(line)));
    expect(makers).toEqual(["shared/flow/every.ts"]);
  });
});

/**
 * Returns the kinds of process that import a file of `shared/`, directly or through others of `shared/`. Tests and benchmarks do not
 * count.
 */
function usersOf(file: string): ReadonlySet<string> {
  const users = new Set<string>();
  const seen = new Set([file]);
  for (const known of seen) {
    for (const [importer, targets] of graph) {
      if (!targets.includes(known)) continue;
      const folder = importer.split("/")[0] ?? "";
      if (folder === "shared") seen.add(importer);
      else if (folder !== "bench") users.add(folder);
    }
  }
  return users;
}

/** Returns the lines without comments. */
function codeOf(file: string): string[] {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((line) => line.replace(/(?<!:)\/\/.*|^\s*\*.*|\/\*.*\*\//, ""));
}

const isEmpty = (input: unknown): boolean => typeof input === "object";
