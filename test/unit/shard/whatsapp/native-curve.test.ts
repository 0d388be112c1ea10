import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import curve from "libsignal/src/curve.js";
import { beforeAll, describe, expect, it } from "vitest";
import { useNativeCurve } from "../../../../shard/whatsapp/network/native-curve.js";

const require = createRequire(import.meta.url);
const before = { ...curve };
// What the library's own classes call.
const called = require("libsignal/src/curve.js") as typeof curve;

beforeAll(() => {
  useNativeCurve();
  useNativeCurve();
});

describe("the library's curve", () => {
  it("is another one for the library itself", () => {
    expect(called.calculateAgreement).not.toBe(before.calculateAgreement);
    expect(called.generateKeyPair).not.toBe(before.generateKeyPair);
    expect(called.calculateSignature).toBe(before.calculateSignature);
  });

  it("agrees as before, with keys of either origin", () => {
    for (let n = 0; n < 300; n++) {
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
    ["a point of low order", point(0), randomBytes(32)],
    ["another point of low order", point(1), randomBytes(32)],
  ])("takes or refuses %s as before", (_, publicKey, privateKey) => {
    expect(outcome(() => called.calculateAgreement(publicKey, privateKey))).toEqual(
      outcome(() => before.calculateAgreement(publicKey, privateKey)),
    );
  });
});

function outcome(work: () => Uint8Array): unknown {
  try {
    return Buffer.from(work()).toString("hex");
  } catch (error) {
    // OpenSSL's own words are the same; what the library says of a key is compared word for word, too.
    return error instanceof Error ? error.message : error;
  }
}
