import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BinaryNode, decodeDecompressedBinaryNode, encodeBinaryNode as byLibrary } from "@whiskeysockets/baileys";
import * as constants from "@whiskeysockets/baileys/lib/WABinary/constants.js";
import { describe, expect, it } from "vitest";
import { encodeBinaryNode } from "../../../../shard/whatsapp/network/encode-binary-node.js";
import { Draw } from "../../../harness/draw.js";

const root = join(import.meta.dirname, "../../../..");

const draw = new Draw(1);
const random = (below: number): number => draw.below(below);
const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
const chars = (alphabet: string, most: number): string => Array.from({ length: random(most) }, () => pick([...alphabet])).join("");
const tokens = Object.keys(constants.TOKEN_MAP);
const texts: readonly (() => string)[] = [
  () => pick(tokens),
  () => "",
  () => chars("0123456789", 140),
  () => chars("0123456789-.", 20),
  () => chars("0123456789ABCDEF", 140),
  () => chars("0123456789abcdef", 40),
  () => chars("aé€😀\ud800 \0", 400),
  () =>
    `${chars("0123456789", 16)}${pick(["", ":0", ":7", ":300", ":x", "_1", "_x", "_1:2"])}@${pick(["s.whatsapp.net", "lid", "g.us", "hosted", "hosted.lid", "broadcast", "", "other"])}`,
];
const text = (): string => pick(texts)();

function node(depth: number): BinaryNode {
  const attrs = Object.fromEntries(Array.from({ length: random(5) }, () => [text(), pick([text(), text(), text(), undefined, null, 7])]));
  const children = (): unknown[] => Array.from({ length: random(4) }, () => pick([node(depth - 1), node(depth - 1), undefined, {}]));
  const content = pick([
    () => undefined,
    text,
    () => Buffer.from(chars("abc", 300)),
    () => new Uint8Array(random(300)),
    ...(depth > 0 ? [children, children] : []),
  ])();
  return { tag: text() || "a", attrs, content } as BinaryNode; // The library's own JavaScript also passes unchecked values.
}

/** Names that every JavaScript object has. The library mistakes them for protocol tokens and writes a zero. */
const ofEachObject = ["constructor", "toString", "__proto__", "valueOf", "hasOwnProperty"];

describe("a node of WhatsApp's binary XML", () => {
  it("has the library's bytes, whatever is in it", () => {
    let differing = 0;
    for (let n = 0; n < 10_000; n++) {
      const given = node(3);
      if (!encodeBinaryNode(given).equals(byLibrary(given))) differing += 1;
    }
    expect(differing).toBe(0);
  });

  it("has them for every word that both sides know", () => {
    expect(tokens.length).toBeGreaterThan(1_000);
    const given = { tag: "words", attrs: {}, content: tokens.map((tag) => ({ tag, attrs: {}, content: tag })) };
    // The empty token is a tag that no node can have.
    given.content = given.content.filter(({ tag }) => tag !== "");
    expect(encodeBinaryNode(given)).toEqual(byLibrary(given));
  });

  it.each([0, 1, 127, 128, 255, 256, 65_535, 65_536, (1 << 20) - 1, 1 << 20, 3 << 20])(
    "has them for %i bytes, and for as long a text",
    (length) => {
      for (const content of [Buffer.alloc(length, 7), "é".repeat(length / 2)]) {
        const given = { tag: "enc", attrs: { v: "2" }, content };
        expect(encodeBinaryNode(given).equals(byLibrary(given))).toBe(true);
      }
    },
  );

  it.each([0, 1, 255, 256, 65_535])("has them for %i children", (count) => {
    const given = { tag: "list", attrs: {}, content: Array.from({ length: count }, () => ({ tag: "item", attrs: {} })) };
    expect(encodeBinaryNode(given).equals(byLibrary(given))).toBe(true);
  });

  it("has nothing of the node before it, and one that failed leaves nothing behind", () => {
    const [long, short] = [
      { tag: "a", attrs: {}, content: Buffer.alloc(200_000, 1) },
      { tag: "b", attrs: { id: "1" } },
    ];
    const first = encodeBinaryNode(long);
    const kept = Buffer.from(first);
    expect(() =>
      encodeBinaryNode({ tag: "a", attrs: { id: "9" }, content: [{ tag: "b", attrs: {}, content: 5 }] } as unknown as BinaryNode),
    ).toThrow('invalid children for header "b": 5 (number)');
    expect(encodeBinaryNode(short)).toEqual(byLibrary(short));
    expect(first.equals(kept)).toBe(true);
  });

  it.each([
    [{ attrs: {} }, "Invalid node: tag cannot be undefined"],
    [{ tag: "a", attrs: {}, content: ["text"] }, "Invalid node: tag cannot be undefined"],
    [{ tag: "a", attrs: {}, content: [Buffer.from("x")] }, "Invalid node: tag cannot be undefined"],
    [{ tag: "a", attrs: {}, content: null }, 'invalid children for header "a": null (object)'],
    [{ tag: "a", attrs: {}, content: 7 }, 'invalid children for header "a": 7 (number)'],
  ])("%j is refused as by the library", (given, message) => {
    expect(() => byLibrary(given as unknown as BinaryNode)).toThrow(message);
    expect(() => encodeBinaryNode(given as unknown as BinaryNode)).toThrow(message);
  });

  it("with more children than its list can say is refused, where the library sends another number of them", () => {
    const children = Array.from({ length: 65_536 }, () => ({ tag: "item", attrs: {} }));
    expect(() => encodeBinaryNode({ tag: "list", attrs: {}, content: children })).toThrow("a list of 65536 is too long for a frame");
  });

  it.each(ofEachObject)("keeps the text %s, which the library loses", (value) => {
    const given = { tag: "subject", attrs: { value } };
    const read = (bytes: Buffer): unknown => decodeDecompressedBinaryNode(bytes.subarray(1), constants).attrs.value;
    expect(read(encodeBinaryNode(given))).toBe(value);
    expect(read(byLibrary(given))).not.toBe(value);
  });
});

describe("the programs of the build", () => {
  it.each([
    ["shard/main.js", true],
    ["test/harness/in-process.js", true],
    ["test/sandbox/main.js", false],
  ])("have ours in the library's place, but for the sandbox: %s", (program, isOurs) => {
    const built = readFileSync(join(root, "dist", program), "utf8");
    expect([/\bFrameWriter=class\b/.test(built), built.includes("encodeBinaryNodeInner")]).toEqual([isOurs, !isOurs]);
  });

  it("the library still puts a frame's bytes into an array, one by one: without that, drop encode-binary-node.ts and frame-writer.ts", () => {
    const encoder = readFileSync(join(root, "node_modules/@whiskeysockets/baileys/lib/WABinary/encode.js"), "utf8");
    expect(encoder).toMatch(/for \(const b of bytes\) \{\s+buffer\.push\(b\);/);
  });
});
