import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readRouterSettings } from "../../../router/config.js";
import { readShardSettings } from "../../../shard/config.js";
import { filesOf } from "../../source-imports.js";

const root = resolve(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "deploy/docs/settings.md"), "utf8");
const listed = [...page.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, names = ""]) =>
  [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
);

/** Variables of the operating system, which are no settings. */
const systems = ["PATH", "HOME", "TMPDIR", "CI", "TERM"];

/** Returns the variables that a reader of settings reads. `<NAME>_FILE` belongs to `<NAME>`. */
function askedOf(read: (environment: Record<string, string | undefined>) => unknown): string[] {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        // Some settings are only read with an address of this kind.
        return name === "REDIS_URL" ? "rediss+sentinel://host/main" : undefined;
      },
      ownKeys: () => [],
    },
  );
  try {
    read(environment);
  } catch {
    // A required setting is missing. By now every variable was read.
  }
  return [...asked].filter((name) => !asked.has(name.replace(/_FILE$/, "")) || !name.endsWith("_FILE"));
}

/** Variables that sources read from an environment without such a reader. */
const readDirectly = ["router", "shard", "shared", "deploy", "test/sandbox"]
  .flatMap((folder) => filesOf(folder))
  .filter((file) => !file.startsWith("test/sandbox/test/"))
  .flatMap((file) => [
    ...readFileSync(join(root, file), "utf8").matchAll(/(?:\benv(?:ironment)?|\{ )\["([A-Z][A-Z0-9_]+)"\]|"(TRUNKLINE_[A-Z_]+)"/g),
  ])
  .map(([, name = "", ofOptions = name]) => ofOptions)
  .filter((name) => !systems.includes(name));

/** Variables of the host's reader, found in its source, because it copies the environment. */
const askedByHost = filesOf("deploy")
  .flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/\benv\.\w+\("([A-Z][A-Z0-9_]+)"/g)])
  .map(([, name = ""]) => name);

describe("deploy/docs/settings.md", () => {
  const readers = { router: readRouterSettings, shard: readShardSettings };
  it.each(Object.entries(readers))("lists each setting of a %s", (_, read) => {
    const asked = askedOf(read);
    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it("lists each setting of a host and of the command line", () => {
    expect(askedByHost.length).toBeGreaterThan(10);
    expect(askedByHost.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it("lists what else is read", () => {
    expect(readDirectly).toContain("SANDBOX_PORT");
    expect(readDirectly.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it("lists nothing that is not read, and nothing twice", () => {
    const all = new Set([...askedOf(readRouterSettings), ...askedOf(readShardSettings), ...askedByHost, ...readDirectly]);
    expect(listed.filter((name) => !all.has(name))).toEqual([]);
    expect(listed.filter((name, i) => listed.indexOf(name) !== i)).toEqual([]);
  });
});
