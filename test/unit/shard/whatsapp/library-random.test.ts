import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeWAMessage, unpadRandomMax16 } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { createHash, randomBytes } from "../../../../shard/whatsapp/network/library-random.js";

const root = join(import.meta.dirname, "../../../..");
const generics = readFileSync(join(root, "node_modules/@whiskeysockets/baileys/lib/Utils/generics.js"), "utf8");

describe("random bytes of the library's generics", () => {
  it.each([
    ["shard/main.js", true],
    ["test/harness/in-process.js", true],
    ["test/sandbox/main.js", false],
  ])("come from our block in the programs of the build, but for the sandbox: %s", (program, isOurs) => {
    const built = readFileSync(join(root, "dist", program), "utf8");
    const [, draw] = /\bwriteRandomPadMax16\d*\s*=[^;]*?\bpad\s*=\s*(\w+)\(1\)/.exec(built) ?? [];
    expect(draw).toMatch(/^randomBytes\d*$/);
    expect(new RegExp(`\\bvar\\s+${draw}\\s*=\\s*randomNonce\\d*;`).test(built)).toBe(isOurs);
  });

  it("have the requested length, and pad a message so that the library removes the padding", () => {
    for (const bytes of [1, 2, 4, 16, 18]) expect(randomBytes(bytes)).toHaveLength(bytes);
    expect(createHash("sha256").update("").digest("hex")).toMatch(/^e3b0c442/);
    expect(unpadRandomMax16(encodeWAMessage({ conversation: "hi" }))).toEqual(new Uint8Array([10, 2, 104, 105]));
  });

  it("the library still takes nothing else from that module, and none of the bytes is a key: without that, drop library-random.ts", () => {
    expect(generics).toContain("import { createHash, randomBytes } from 'crypto';");
    const uses = [...generics.matchAll(/^.*\brandomBytes\(\d+\).*$/gm)].map(([line]) => line.trim());
    expect(uses).toEqual([
      "const pad = randomBytes(1);",
      "return Uint16Array.from(randomBytes(2))[0] & 16383;",
      "const random = randomBytes(16);",
      "export const generateMessageID = () => '3EB0' + randomBytes(18).toString('hex').toUpperCase();",
      "const bytes = randomBytes(4);",
    ]);
  });
});
