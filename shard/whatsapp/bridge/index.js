/**
 * Replaces Baileys' `whatsapp-rust-bridge` through `overrides`, with Node's crypto and equal results (bridge.test.ts). The original is 2
 * MB of WebAssembly from partly Affero GPL sources.
 */
import { createHash, hkdfSync } from "node:crypto";

const none = new Uint8Array(0);

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function md5(bytes) {
  return createHash("md5").update(bytes).digest();
}

/**
 * HKDF-SHA256.
 * @param {Uint8Array} key @param {number} length up to 8,160 @param {{ salt?: Uint8Array, info?: string }} options @returns {Uint8Array}
 */
export function hkdf(key, length, { salt, info }) {
  // Node 22 and later reject a derivation of length 0.
  return length === 0 ? none : new Uint8Array(hkdfSync("sha256", key, salt ?? none, info ?? "", length));
}

/** @param {Uint8Array} key @returns the five keys of an app-state key */
export function expandAppStateKeys(key) {
  const bytes = hkdf(key, 160, { info: "WhatsApp Mutation Keys" });
  const part = (n) => bytes.slice(n * 32, n * 32 + 32);
  return { indexKey: part(0), valueEncryptionKey: part(1), valueMacKey: part(2), snapshotMacKey: part(3), patchMacKey: part(4) };
}

const sumBytes = 128;

/** A sum of 64 numbers of 16 bits each, modulo 2^16, so the order of additions and subtractions does not matter. */
export class LTHashAntiTampering {
  /** @param {Uint8Array} base of 128 bytes @param {Uint8Array[]} subtract @param {Uint8Array[]} add @returns {Uint8Array} */
  subtractThenAdd(base, subtract, add) {
    if (base.length !== sumBytes) throw new Error(`Base hash must be ${sumBytes} bytes, got ${base.length}`);
    const sum = new Uint8Array(base);
    const view = new DataView(sum.buffer);
    for (const item of subtract) mix(view, item, -1);
    for (const item of add) mix(view, item, 1);
    return sum;
  }
}

/** @param {DataView} sum @param {Uint8Array} item @param {1 | -1} sign */
function mix(sum, item, sign) {
  const expanded = new DataView(hkdfSync("sha256", item, none, "WhatsApp Patch Integrity", sumBytes));
  for (let at = 0; at < sumBytes; at += 2) sum.setUint16(at, sum.getUint16(at, true) + sign * expanded.getUint16(at, true), true);
}
