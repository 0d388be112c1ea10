import crypto, { createSecretKey } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/**
 * Makes Node 24.18 to 24.21 accept keys in bytes without two exceptions for each HMAC or cipher, which take 10 µs (prepareSecretKey in
 * Node's lib/internal/crypto/keys.js). A `KeyObject` causes none. Does nothing on other versions.
 */
export function passKeysAsObjects(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major !== 24 || minor < 18 || minor > 21) return;
  crypto.createHmac = withKeyObject(crypto.createHmac);
  crypto.createCipheriv = withKeyObject(crypto.createCipheriv);
  crypto.createDecipheriv = withKeyObject(crypto.createDecipheriv);
  // Code that imports these functions by name gets them too.
  syncBuiltinESMExports();
}

type WithKey = (algorithm: string, key: unknown, ...rest: unknown[]) => unknown;

function withKeyObject<Create>(create: Create): Create {
  const original = create as WithKey;
  const wrapped: WithKey = (algorithm, key, ...rest) =>
    original(algorithm, key instanceof Uint8Array ? createSecretKey(key) : key, ...rest);
  return wrapped as Create;
}
