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

/** Variables that are the system's own and no settings of ours. */
const systems = ["PATH", "HOME", "TMPDIR", "CI", "TERM"];

/** What a reader of settings asks its environment for; `<NAME>_FILE` belongs to `<NAME>`. */
function askedOf(read: (environment: Record<string, string | undefined>) => unknown): string[] {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        asked.add(String(name));
        // What stands beside an address is asked for where it is of such a kind.
        return name === "REDIS_URL" ? "rediss+sentinel://host/main" : undefined;
      },
      ownKeys: () => [],
    },
  );
  try {
    read(environment);
  } catch {
    // What is required is missing; by then all has been asked for.
  }
  return [...asked].filter((name) => !asked.has(name.replace(/_FILE$/, "")) || !name.endsWith("_FILE"));
}

/** Names that sources read from an environment without such a reader. */
const readDirectly = ["router", "shard", "shared", "deploy", "test/sandbox"]
  .flatMap((folder) => filesOf(folder))
  .filter((file) => !file.startsWith("test/sandbox/test/"))
  .flatMap((file) => [
    ...readFileSync(join(root, file), "utf8").matchAll(/(?:\benv(?:ironment)?|\{ )\["([A-Z][A-Z0-9_]+)"\]|"(TRUNKLINE_[A-Z_]+)"/g),
  ])
  .map(([, name = "", ofOptions = name]) => ofOptions)
  .filter((name) => !systems.includes(name));

/** The host's reader copies the environment, which would hide what it asks for; the command line reads where it needs something. */
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
