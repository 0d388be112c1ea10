import { randomBytes, randomInt } from "node:crypto";
import curve from "libsignal/src/curve.js";
import { describe, expect, it } from "vitest";
import { clampedKey, x25519KeyPair, x25519PublicKey } from "../../../../shard/whatsapp/network/x25519.js";
import { xeddsaSign, xeddsaVerify } from "../../../../shard/whatsapp/network/xeddsa.js";

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const typed = (key: Uint8Array): Buffer => Buffer.concat([Buffer.of(5), key]);
/** Each case of the library takes 20 ms: `CURVE_CASES=10000` takes four minutes on an idle machine. */
const cases = Number(process.env["CURVE_CASES"] ?? 40);

// A test vector from Signal's own tests of the curve.
const signal = {
  private: hex("c097248412e58bf05df487968205132794178e367637f5818f81e0e6ce73e865"),
  public: hex("ab7e717d4a163b7d9a1d8071dfe9dcf8cdcd1cea3339b6356be84d887e322c64"),
  message: hex("05edce9d9c415ca78cb7252e72c2c4a554d3eb29485a0e1d503118d1a82d99fb4a"),
  signature: hex(
    "5de88ca9a89b4a115da79109c67c9c7464a3e4180274f1cb8c63c2984e286dfbede82deb9dcd9fae0bfbb821569b3d9001bd8130cd11d486cef047bd60b86e88",
  ),
};

describe("a signature", () => {
  it("of Signal's is good, and with any of its bits turned it is not", () => {
    const { message, signature } = signal;
    expect(xeddsaVerify(signal.public, message, signature)).toBe(true);
    expect(x25519PublicKey(signal.private)).toEqual(signal.public);
    for (let bit = 0; bit < 512; bit += 3) expect(xeddsaVerify(signal.public, message, flipped(signature, bit))).toBe(false);
    for (let bit = 0; bit < message.length * 8; bit += 3) expect(xeddsaVerify(signal.public, flipped(message, bit), signature)).toBe(false);
    // The key's highest bit has no effect.
    for (let bit = 0; bit < 255; bit += 3) expect(xeddsaVerify(flipped(signal.public, bit), message, signature)).toBe(false);
    expect(xeddsaVerify(flipped(signal.public, 255), message, signature)).toBe(true);
  });

  it("by Signal's key is good for the library", () => {
    const signature = xeddsaSign(signal.private, signal.message);
    expect(curve.verifySignature(typed(signal.public), signal.message, signature)).toBe(true);
  });

  it("is accepted by the library as by this one, whichever made it", () => {
    for (let n = 0; n < cases; n++) {
      const pair = n % 2 === 0 ? x25519KeyPair() : pairOf(randomBytes(32));
      const message = randomBytes(n === 0 ? 0 : randomInt(300));
      const own = xeddsaSign(pair.private, message);
      const theirs = Buffer.from(curve.calculateSignature(pair.private, message));
      expect(curve.verifySignature(typed(pair.public), message, own)).toBe(true);
      expect(xeddsaVerify(pair.public, message, theirs)).toBe(true);
      expect(xeddsaVerify(pair.public, message, own)).toBe(true);
      expect(xeddsaVerify(x25519KeyPair().public, message, own)).toBe(false);
    }
  });

  it("is another one each time, as two with one nonce would show the key", () => {
    const pair = x25519KeyPair();
    const points = Array.from({ length: 100 }, () => xeddsaSign(pair.private, signal.message).subarray(0, 32).toString("hex"));
    expect(new Set(points).size).toBe(100);
  });

  it.each([
    ["a short signature", signal.public, signal.signature.subarray(1)],
    ["a long key", typed(signal.public), signal.signature],
    ["nothing but zeros", signal.public, Buffer.alloc(64)],
    ["a key that is no point", Buffer.alloc(32, 0xff), signal.signature],
    ["the key -1, which has no Edwards form", hex(`ec${"ff".repeat(30)}7f`), signal.signature],
  ])("is refused with %s", (_, publicKey, signature) => {
    expect(xeddsaVerify(publicKey, signal.message, signature)).toBe(false);
  });

  it("cannot be had of half a key", () => {
    expect(() => xeddsaSign(randomBytes(31), signal.message)).toThrow();
  });
});

function pairOf(bytes: Buffer): { private: Buffer; public: Buffer } {
  return { private: clampedKey(bytes), public: x25519PublicKey(bytes) };
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const other = Buffer.from(bytes);
  other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return other;
}
