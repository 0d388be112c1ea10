import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import LibraryCache from "../../../../shard/whatsapp/network/library-cache.js";
import { eventually } from "../../../harness/eventually.js";
import { toSocketConfig } from "../../../../shard/whatsapp/network/socket-config.js";

const root = join(import.meta.dirname, "../../../..");
const library = join(root, "node_modules/@whiskeysockets/baileys/lib");
const source = (name: string): string => readFileSync(join(library, name), "utf8");

describe("the library's cache", () => {
  it.each(["shard/main.js", "deploy/all-in-one/main.js", "test/harness/in-process.js"])(
    "is ours in the programs of the build: %s",
    (program) => {
      const built = readFileSync(join(root, "dist", program), "utf8");
      expect(built).toMatch(/\bidentityAssertDebounce\s*=\s*new LibraryCache\d*\(/);
      expect(built).not.toContain("CacheableMemory");
    },
  );

  it("remembers a key for the given seconds, until it is closed", async () => {
    const cache = new LibraryCache({ stdTTL: 60 });
    expect(cache.get("a")).toBeUndefined();
    cache.set("a", true);
    expect(cache.get("a")).toBe(true);
    cache.close();
    expect(cache.get("a")).toBeUndefined();
    const short = new LibraryCache({ stdTTL: 0.01 });
    short.set("a", true);
    await eventually("forgotten", () => short.get("a") === undefined);
  });

  it("the library still makes a cache of its own for each connection: without that, drop library-cache.ts", () => {
    const config = toSocketConfig.toString();
    for (const option of ["userDevicesCache", "msgRetryCounterCache", "placeholderResendCache", "callOfferCache"])
      expect(config).toContain(`${option}:`);
    const made = ["chats", "messages-recv", "messages-send"].flatMap((name) =>
      [...source(`Socket/${name}.js`).matchAll(/const (\w+) = (?:config\.(\w+) \|\|\s+)?new NodeCache\(/g)].map((match) => match.slice(1)),
    );
    expect(made).toEqual([
      ["placeholderResendCache", "placeholderResendCache"],
      ["msgRetryCache", "msgRetryCounterCache"],
      ["callOfferCache", "callOfferCache"],
      ["identityAssertDebounce", undefined],
      ["userDevicesCache", "userDevicesCache"],
    ]);
    const uses = ["Socket/messages-recv.js", "Utils/identity-change-handler.js"].flatMap((name) =>
      [...source(name).matchAll(/\b(?:identityAssertDebounce|debounceCache)\.(\w+)\(/g)].map(([, method]) => method),
    );
    expect(uses.sort()).toEqual(["close", "get", "set"]);
  });
});
