import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { loadedModules } from "./loaded-modules.js";

/** Checks the statement of deploy/docs/licence.md: every shipped licence is compatible with the GPL, version 3. */
const root = resolve(import.meta.dirname, "..");

interface Package {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** The entry is a folder of this repository. */
  readonly link?: boolean;
  readonly license?: unknown;
}

/** Our own packages: the replacement of a package whose compiled part differs from its package.json, and the list of fonts. */
const own = ["shard/whatsapp/bridge", "shard/files/image/fonts"];

/** Our workspaces, which are not in the image for the live platforms. */
const workspaces = ["deploy/client", "test/sandbox"];

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
const { packages } = read("package-lock.json") as { packages: Record<string, Package> };
/** Installed packages state their licence themselves. The lock file states it for packages of other systems. */
const shipped = Object.entries(packages)
  .filter(([path, { dev, link }]) => path !== "" && dev !== true && link !== true && !own.includes(path) && !workspaces.includes(path))
  .map(([path, entry]) => ({
    name: path.replace(/^.*node_modules\//, ""),
    licence: licenceOf(existsSync(join(root, path, "package.json")) ? (read(join(path, "package.json")) as Package) : entry),
  }));

/** A licence may be one name, or several joined by `OR` (one suffices) or `AND` (all apply). */
const compatible = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "Unlicense",
  "Zlib",
  "OFL-1.1",
  "LGPL-3.0-or-later",
  "GPL-3.0",
  "GPL-3.0-or-later",
]);

function licenceOf({ license }: Package): string {
  return typeof license === "string" ? license : "none";
}

function isCompatible(expression: string): boolean {
  const words = expression.replace(/[()]/g, "");
  if (words.includes(" OR ")) return words.split(" OR ").some(isCompatible);
  return words.split(" AND ").every((one) => compatible.has(one));
}

describe("licences", () => {
  it("are found at all", () => {
    expect(shipped.length).toBeGreaterThan(200);
    process.stdout.write(`${JSON.stringify(Object.fromEntries([...counted()].sort(([, a], [, b]) => b - a)), null, 2)}\n`);
  });

  it("of all that is shipped may be combined with the GPL, version 3", () => {
    expect(shipped.filter(({ licence }) => !isCompatible(licence))).toEqual([]);
  });

  it("that oblige whoever passes a copy on are those that its page names", () => {
    const copyleft = shipped
      .filter(({ licence }) => /GPL/.test(licence))
      .map(({ name }) => name.replace(/^@img\/sharp-.*/, "sharp's libvips"));
    expect([...new Set(copyleft)].sort()).toEqual(["@cryptography/aes", "libsignal", "sharp's libvips"]);
    const page = readFileSync(join(root, "deploy/docs/licence.md"), "utf8");
    for (const name of ["@cryptography/aes", "libsignal", "libvips"]) expect(page).toContain(name);
  });

  it("of the program itself is the GPL, version 3 or later, in its own words", () => {
    expect((read("package.json") as Package).license).toBe("GPL-3.0-or-later");
    for (const path of ["", ...workspaces]) expect(packages[path]?.license).toBe("GPL-3.0-or-later");
    const text = readFileSync(join(root, "LICENSE"), "utf8");
    expect(text).toMatch(/^\s+GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007/);
    expect(text).toContain("END OF TERMS AND CONDITIONS");
  });
});

describe("what the processes load", () => {
  const entries = [
    "router/router.js",
    "shard/shard.js",
    "shard/files/image/code-worker.js",
    "shard/files/image/image-worker.js",
    "shared/log/logger.js",
    "deploy/supervisor/supervisor.js",
  ];
  const files = loadedModules(entries.map((entry) => join(root, "dist", entry)));
  const packageOf = (file: string): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  const loaded = new Set(files.flatMap((file) => packageOf(file) ?? []));

  it("is found at all", () => {
    expect(loaded.size).toBeGreaterThan(50);
    for (const name of ["@whiskeysockets/baileys", "libsignal", "telegram", "ioredis"]) expect(loaded).toContain(name);
  });

  it("is shipped, of a licence that is compatible", () => {
    const known = new Map(shipped.map(({ name, licence }) => [name, licence]));
    expect([...loaded].filter((name) => !isCompatible(known.get(name) ?? "unknown"))).toEqual([]);
  });

  it("has our own in the place of whatsapp-rust-bridge, and not the package of that name", () => {
    expect(files).toContain(join(root, "shard/whatsapp/bridge/index.js"));
    expect([...loaded].filter((name) => name.startsWith("whatsapp-rust-bridge"))).toEqual([]);
  });

  it("has nothing that makes spans: that is loaded where an endpoint is set for them", () => {
    // The metrics library uses the interface.
    expect([...loaded].filter((name) => name.startsWith("@opentelemetry/") && name !== "@opentelemetry/api")).toEqual([]);
    expect(shipped.map(({ name }) => name)).toContain("@opentelemetry/sdk-trace-base");
  });

  it("names the Affero GPL nowhere", () => {
    expect(files.filter((file) => packageOf(file) !== undefined && /AGPL|Affero/.test(readFileSync(file, "latin1")))).toEqual([]);
  });

  // Compiled code in a script hides its sources, so each package found here was reviewed.
  it("brings no compiled code in its scripts", () => {
    const webAssembly = /AGFzbQ[A-Za-z0-9+/]{200}/;
    expect([
      ...new Set(files.flatMap((file) => (webAssembly.test(readFileSync(file, "latin1")) ? (packageOf(file) ?? file) : []))),
    ]).toEqual([]);
  });
});

function counted(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { licence } of shipped) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  return counts;
}
