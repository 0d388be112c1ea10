import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { x25519Agreement, x25519KeyPair, x25519PublicKey } from "../../../../shard/whatsapp/network/x25519.js";

const hex = (text: string): Buffer => Buffer.from(text, "hex");

describe("an agreement", () => {
  // RFC 7748, section 5.2.
  it.each([
    [
      "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
      "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ],
    [
      "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
      "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ],
  ])("of %s is the standard's", (privateKey, publicKey, secret) => {
    expect(x25519Agreement(hex(privateKey), hex(publicKey)).toString("hex")).toBe(secret);
  });

  // RFC 7748, section 6.1.
  it("has the standard's public half, and keys are made as fast as they are wanted", () => {
    expect(x25519PublicKey(hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")).toString("hex")).toBe(
      "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
    );
    const made = new Set(Array.from({ length: 3_000 }, () => x25519KeyPair().public.toString("hex")));
    expect(made.size).toBe(3_000);
  });

  it("is the same from both sides", () => {
    for (let n = 0; n < 200; n++) {
      const [one, other] = [x25519KeyPair(), x25519KeyPair()];
      expect(one.private).toHaveLength(32);
      expect(one.public).toHaveLength(32);
      expect(x25519Agreement(one.private, other.public)).toEqual(x25519Agreement(other.private, one.public));
    }
  });

  it.each([
    ["a short private key", randomBytes(31), randomBytes(32)],
    ["a long public key", randomBytes(32), randomBytes(33)],
    ["a key that leaves no secret", randomBytes(32), Buffer.alloc(32)],
  ])("is refused with %s", (_, privateKey, publicKey) => {
    expect(() => x25519Agreement(privateKey, publicKey)).toThrow();
  });
});
