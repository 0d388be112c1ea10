import { randomBytes } from "node:crypto";
import { SessionCipher, SessionBuilder, ProtocolAddress } from "libsignal";
import { describe, expect, it } from "vitest";
import { fromJson, toJsonBytes } from "../../../../shard/whatsapp/keys/json-bytes.js";
import { packJson, packValue, unpackJson } from "../../../../shard/whatsapp/keys/packed-json.js";
import { signalDevice } from "./signal-device.js";

const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const through = (value: unknown): unknown => JSON.parse(unpackJson(packJson(text(value))));

describe("packed JSON", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["true and false", [true, false]],
    ["integers", [0, 1, -1, 127, 128, 16_383, 16_384, 1_763_839_000_123, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
    ["other numbers", [0.5, -1.25, 1e300, 2 ** 60]],
    ["texts", ["", "a", "ä€😀", "x".repeat(300), "_sessions", "pubKey", "not a name of ours"]],
    ["base64 of every length", [1, 2, 3, 9, 32, 33, 200].map((length) => randomBytes(length).toString("base64"))],
    [
      "what only looks like base64",
      ["AAAAAAAAAAAB=", "abcdefghijklmnop=", "AAAAAAAAAAAAAAA", "AAAAAAAAAAAAAB==", "abc-defghijk", "abcd efghijkl"],
    ],
    [
      "base64 that comes again",
      (([a, b]) => ({ [a ?? ""]: [a, b, { c: a }], [b ?? ""]: b }))([9, 33].map((length) => randomBytes(length).toString("base64"))),
    ],
    ["bytes", { type: "Buffer", data: randomBytes(33).toString("base64") }],
    ["empty bytes", { type: "Buffer", data: "" }],
    [
      "what only looks like bytes",
      [{ type: "Buffer" }, { type: "Buffer", data: 5 }, { type: "Buffer", data: "-" }, { data: "", type: "Buffer" }],
    ],
    ["lists and objects within each other", { a: [{ b: [[], {}] }], "": { "1": 2 } }],
  ])("gives %s back", (_, value) => {
    expect(through(value)).toEqual(value);
  });

  it("packs a value like its text, without what is undefined, of any length", () => {
    const value = { a: undefined, b: [{ c: 5, d: undefined }], key: randomBytes(3_000).toString("base64") };
    expect(packValue(value)).toEqual(packJson(text(value)));
  });

  it("gives back a name that assignments would not take", () => {
    expect(unpackJson(packJson(Buffer.from('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
  });

  it("refuses what is cut off, goes on behind its end, or has a part of a later version", () => {
    const packed = packJson(text({ rootKey: randomBytes(32).toString("base64"), list: [1, 2, "three"] }));
    for (let length = 1; length < packed.length; length++) expect(() => unpackJson(packed.subarray(0, length))).toThrow();
    expect(() => unpackJson(Buffer.concat([packed, Buffer.of(0)]))).toThrow("end of buffer not reached");
    // Refers to a second repeated text, but only one exists.
    expect(() => unpackJson(Buffer.from("d40201", "hex"))).toThrow("not known");
  });

  it("gives the library its own session back, in less than half of the bytes", async () => {
    const [own, theirs] = [signalDevice(), signalDevice()];
    const address = new ProtocolAddress("628", 0);
    await new SessionBuilder(own.storage, address).initOutgoing(theirs.bundle);
    await new SessionCipher(own.storage, address).encrypt(Buffer.from("hello"));
    const session = own.sessions.get(address.toString());
    const before = toJsonBytes(session);
    const packed = packJson(before);
    expect(fromJson(unpackJson(packed))).toEqual(fromJson(before.toString()));
    expect(packed.length).toBeLessThan(before.length / 2);
  });

  it("reads what it once wrote for ever", () => {
    const key = Buffer.alloc(9, 1).toString("base64");
    const value = {
      _sessions: { [key]: { registrationId: 5, currentRatchet: { pubKey: key, privKey: "" }, indexInfo: { closed: -1 }, _chains: {} } },
      version: "v1",
    };
    const written = "4081c409010101010101010101410544d40200a081a6636c6f736564ff80a27631";
    expect(packJson(text(value)).toString("hex")).toBe(written);
    expect(JSON.parse(unpackJson(Buffer.from(written, "hex")))).toEqual(value);
  });
});
