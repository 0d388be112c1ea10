import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

type Curve = "Ed25519" | "X25519";

/** As JWK, which is read ten times as fast as DER; its public half is demanded and used by nobody. */
export function privateKeyObject(crv: Curve, bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: { kty: "OKP", crv, d: Buffer.from(bytes).toString("base64url"), x: "" }, format: "jwk" });
}

export function publicKeyObject(crv: Curve, bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv, x: Buffer.from(bytes).toString("base64url") }, format: "jwk" });
}

/** The 32 bytes of the public half of a key. */
export function publicBytes(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
}
