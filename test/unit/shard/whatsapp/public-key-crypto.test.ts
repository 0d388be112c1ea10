import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { Curve, signedKeyPair } from "@whiskeysockets/baileys";
import curve from "libsignal/src/curve.js";
import { beforeAll, describe, expect, it } from "vitest";
import { ForgedPreKey } from "../../../../shard/whatsapp/network/forgery.js";
import { installPublicKeyCrypto } from "../../../../shard/whatsapp/network/public-key-crypto.js";

const require = createRequire(import.meta.url);
const before = { ...curve };
// The module that the library's own classes call.
const called = require("libsignal/src/curve.js") as typeof curve;

beforeAll(() => {
  installPublicKeyCrypto();
  installPublicKeyCrypto();
});

describe("the library's curve", () => {
  it("is another one for the library itself", () => {
    expect(called.calculateAgreement).not.toBe(before.calculateAgreement);
    expect(called.generateKeyPair).not.toBe(before.generateKeyPair);
    expect(called.calculateSignature).not.toBe(before.calculateSignature);
    expect(called.verifySignature).not.toBe(before.verifySignature);
  });

  it("agrees as before, with keys of either origin", () => {
    for (let n = 0; n < Math.max(300, Number(process.env["CURVE_CASES"] ?? 0)); n++) {
      const [own, theirs] =
        n % 2 === 0 ? [called.generateKeyPair(), before.generateKeyPair()] : [before.generateKeyPair(), called.generateKeyPair()];
      expect(called.calculateAgreement(theirs.pubKey, own.privKey)).toEqual(before.calculateAgreement(theirs.pubKey, own.privKey));
    }
  });

  it("makes keys in the library's form", () => {
    const [made, own] = [called.generateKeyPair(), before.generateKeyPair()];
    for (const key of ["pubKey", "privKey"] as const) {
      expect(made[key]).toBeInstanceOf(Buffer);
      expect(made[key]).toHaveLength(own[key].length);
    }
    expect(made.pubKey[0]).toBe(5);
  });

  const theirs = before.generateKeyPair();
  const point = (byte: number): Buffer => Buffer.concat([Buffer.from([5, byte]), Buffer.alloc(31)]);
  it.each([
    ["a public key without its type", theirs.pubKey.subarray(1), randomBytes(32)],
    ["a public key of another type", Buffer.concat([Buffer.from([6]), randomBytes(32)]), randomBytes(32)],
    ["a public key that is no buffer", new Uint8Array(33), randomBytes(32)],
    ["a short private key", theirs.pubKey, randomBytes(31)],
    ["a private key that is no buffer", theirs.pubKey, new Uint8Array(32)],
    ["a point of low order", point(0), randomBytes(32)],
    ["another point of low order", point(1), randomBytes(32)],
  ])("takes or refuses %s as before", (_, publicKey, privateKey) => {
    expect(outcome(() => called.calculateAgreement(publicKey, privateKey))).toEqual(
      outcome(() => before.calculateAgreement(publicKey, privateKey)),
    );
  });
});

describe("signatures", () => {
  const message = randomBytes(100);
  const [signer, other] = [before.generateKeyPair(), before.generateKeyPair()];
  const signature = before.calculateSignature(signer.privKey, message);
  /** Calls it as `initOutgoing` of libsignal does. */
  const verifyBeforeFirst = (key: Uint8Array): unknown => Reflect.apply(called.verifySignature, undefined, [key, message, signature, true]);

  it("are those of the library, and the library's are taken", () => {
    expect(called.verifySignature(signer.pubKey, message, signature)).toBe(true);
    expect(called.verifySignature(other.pubKey, message, signature)).toBe(false);
    expect(before.verifySignature(signer.pubKey, message, called.calculateSignature(signer.privKey, message))).toBe(true);
  });

  it("of a contact's prekey are checked before the first message", () => {
    expect(verifyBeforeFirst(signer.pubKey)).toBe(true);
    expect(() => verifyBeforeFirst(other.pubKey)).toThrow(ForgedPreKey);
  });

  it("are checked by Baileys' own name for the curve, where anything of 64 bytes was good", () => {
    expect(Curve.verify(signer.pubKey, message, signature)).toBe(true);
    expect(Curve.verify(signer.pubKey.subarray(1), message, signature)).toBe(true);
    expect(Curve.verify(other.pubKey, message, signature)).toBe(false);
    expect(Curve.verify(signer.pubKey, message, randomBytes(64))).toBe(false);
    expect(Curve.verify(signer.pubKey, message, signature.subarray(1))).toBe(false);
    expect(Curve.verify(signer.pubKey.subarray(2), message, signature)).toBe(false);
  });

  it("of a key that is one byte short are not checked by another one, which Baileys' own byte would make of it", () => {
    let key = before.generateKeyPair();
    while (key.pubKey[1] !== 5) key = before.generateKeyPair();
    const signed = before.calculateSignature(key.privKey, message);
    expect(Curve.verify(key.pubKey.subarray(1), message, signed)).toBe(true);
    expect(Curve.verify(key.pubKey.subarray(2), message, signed)).toBe(false);
  });

  it("of Baileys' keys are good ones, and its agreements the library's", () => {
    const [identity, other] = [Curve.generateKeyPair(), Curve.generateKeyPair()];
    const signed = signedKeyPair(identity, 1);
    const publicKey = Buffer.concat([Buffer.of(5), signed.keyPair.public]);
    expect(before.verifySignature(Buffer.concat([Buffer.of(5), identity.public]), publicKey, signed.signature)).toBe(true);
    expect(Curve.sharedKey(identity.private, other.public)).toEqual(Curve.sharedKey(other.private, identity.public));
  });

  it.each([
    ["a key of another type", Buffer.concat([Buffer.of(6), randomBytes(32)]), signature],
    ["a short key", signer.pubKey.subarray(2), signature],
    ["a short signature", signer.pubKey, signature.subarray(1)],
  ])("are refused with %s in the library's words", (_, key, signed) => {
    expect(outcome(() => Buffer.of(Number(called.verifySignature(key, message, signed))))).toEqual(
      outcome(() => Buffer.of(Number(before.verifySignature(key, message, signed)))),
    );
  });

  it.each([new Uint8Array(32), randomBytes(31)])("cannot be had of %s, in the library's words", (key) => {
    expect(outcome(() => called.calculateSignature(key, message))).toEqual(outcome(() => before.calculateSignature(key, message)));
  });
});

function outcome(work: () => Uint8Array): unknown {
  try {
    return Buffer.from(work()).toString("hex");
  } catch (error) {
    // OpenSSL's messages are the same, and the library's messages about keys are compared exactly.
    return error instanceof Error ? error.message : error;
  }
}
