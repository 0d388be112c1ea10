import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepSecrets, readSecrets } from "../../../../deploy/supervisor/secrets.js";
import { parseKeyRing } from "../../../../shared/config/key-ring.js";

const nothing = { apiKeys: undefined, credKeys: undefined, mediaKeys: undefined };
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "secrets-"))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("readSecrets", () => {
  it("makes keys at the first start, for the owner's eyes alone, and finds them again", () => {
    const first = readSecrets(folder, nothing);
    expect(parseKeyRing(first.credKeys).get("a")).toHaveLength(32);
    expect(parseKeyRing(first.mediaKeys).get("a")).toHaveLength(32);
    expect(first.apiKeys).toBe(`admin:${first.adminKey}`);
    expect(() => statSync(join(folder, "secrets.json"))).toThrow("ENOENT");
    keepSecrets(folder, first);
    expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(readSecrets(folder, nothing)).toEqual({ ...first, made: undefined });
  });

  it("prefers what the environment gives, and writes nothing when it gives all", () => {
    const given = { apiKeys: "create:x", credKeys: "c", mediaKeys: "m" };
    expect(readSecrets(folder, given)).toEqual({ ...given, adminKey: undefined, made: undefined });
    expect(() => statSync(join(folder, "secrets.json"))).toThrow("ENOENT");
    expect(readSecrets(folder, { ...nothing, credKeys: "c" })).toMatchObject({ credKeys: "c", adminKey: expect.any(String) });
  });

  it("refuses keys that somebody has shortened, and repeats none of them", () => {
    const made = readSecrets(folder, nothing);
    keepSecrets(folder, made);
    const stored = JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8")) as Record<string, string>;
    for (const [name, why] of [
      ["adminKey", "has a key of fewer than 16 characters (the first)"],
      ["credKeys", "must be a list of id:base64 with ids of one letter or digit"],
      ["mediaKeys", "must be a list of id:base64 with ids of one letter or digit"],
    ] as const) {
      writeFileSync(join(folder, "secrets.json"), JSON.stringify({ ...stored, [name]: "abc" }));
      expect(() => readSecrets(folder, nothing)).toThrow(
        new Error(`${join(folder, "secrets.json")} cannot be used, because its ${name} ${why}: restore it from a backup`),
      );
    }
  });

  it.each(["", "{", "{}", '{"credKeys":"a"}'])("does not replace a file that it cannot read: %s", (text) => {
    writeFileSync(join(folder, "secrets.json"), text);
    expect(() => readSecrets(folder, nothing)).toThrow("cannot be read");
    expect(readFileSync(join(folder, "secrets.json"), "utf8")).toBe(text);
  });
});
