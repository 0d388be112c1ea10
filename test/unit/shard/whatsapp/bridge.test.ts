import { randomBytes, randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as own from "whatsapp-rust-bridge";
import * as original from "whatsapp-rust-bridge-original";

const cases = 1_000;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const root = join(import.meta.dirname, "../../../..");

function outcome(work: () => Uint8Array): string {
  try {
    return hex(work());
  } catch {
    return "refused";
  }
}

describe("our stand-in for whatsapp-rust-bridge", () => {
  it("is what the library loads, and has all that the library takes from it", () => {
    const library = createRequire(import.meta.url).resolve("@whiskeysockets/baileys");
    const folder = join(library, "..");
    const taken = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/\{([^}]*)\} from '(whatsapp-rust-bridge)'/g)])
      .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
    expect([...taken].sort()).toEqual(["LTHashAntiTampering", "expandAppStateKeys", "hkdf", "md5"]);
    expect(Object.keys(own).sort()).toEqual([...taken].sort());
    expect(createRequire(library).resolve("whatsapp-rust-bridge")).toBe(join(root, "shard/whatsapp/bridge/index.js"));
  });

  it("digests as the original", () => {
    for (const size of [0, 1, 55, 56, 63, 64, 65, 1_000_000])
      expect(hex(own.md5(Buffer.alloc(size, 7)))).toBe(hex(original.md5(Buffer.alloc(size, 7))));
    for (let n = 0; n < cases; n++) {
      const bytes = randomBytes(randomInt(500));
      expect(hex(own.md5(bytes))).toBe(hex(original.md5(bytes)));
    }
  });

  it.each([0, 1, 31, 32, 33, 64, 8_159, 8_160, 8_161])("derives %i bytes as the original, or refuses as it", (length) => {
    expect(outcome(() => own.hkdf(Buffer.from("key"), length, {}))).toBe(outcome(() => original.hkdf(Buffer.from("key"), length, {})));
  });

  it("derives keys as the original, with and without salt and name", () => {
    const names = [undefined, "", "WhatsApp Image Keys", "é 日本 👋", "x".repeat(300)];
    for (let n = 0; n < cases; n++) {
      const key = randomBytes(randomInt(200));
      const info = names[n % names.length];
      const options = { ...(n % 3 > 0 && { salt: randomBytes(randomInt(100)) }), ...(info !== undefined && { info }) };
      const length = randomInt(400);
      expect(hex(own.hkdf(key, length, options))).toBe(hex(original.hkdf(key, length, options)));
    }
  });

  it("expands app-state keys as the original", () => {
    for (let n = 0; n < cases; n++) {
      const key = randomBytes(n < 100 ? n : 32);
      const [ours, theirs] = [own.expandAppStateKeys(key), original.expandAppStateKeys(key)];
      for (const part of ["indexKey", "valueEncryptionKey", "valueMacKey", "snapshotMacKey", "patchMacKey"] as const) {
        expect(ours[part]).toHaveLength(32);
        expect(hex(ours[part])).toBe(hex(theirs[part]));
      }
    }
  });

  it("sums as the original, and leaves what it was given alone", () => {
    const [ours, theirs] = [new own.LTHashAntiTampering(), new original.LTHashAntiTampering()];
    for (let n = 0; n < cases; n++) {
      const base = [Buffer.alloc(128), Buffer.alloc(128, 0xff), randomBytes(128)][n % 3] ?? Buffer.alloc(128);
      const items = (count: number): Buffer[] => Array.from({ length: count }, () => randomBytes(n % 2 === 0 ? 32 : randomInt(80)));
      const [subtract, add] = [items(randomInt(6)), items(randomInt(6))];
      const before = hex(base);
      expect(hex(ours.subtractThenAdd(base, subtract, add))).toBe(hex(theirs.subtractThenAdd(base, subtract, add)));
      expect(hex(base)).toBe(before);
    }
  });

  it.each([0, 1, 127, 129, 256])("refuses a sum of %i bytes in the original's words", (size) => {
    // The original throws a string.
    const sentence = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    expect(sentence(() => new own.LTHashAntiTampering().subtractThenAdd(Buffer.alloc(size), [], []))).toBe(
      sentence(() => new original.LTHashAntiTampering().subtractThenAdd(Buffer.alloc(size), [], [])),
    );
  });
});
