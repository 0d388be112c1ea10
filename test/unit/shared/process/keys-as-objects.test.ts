import crypto, { createCipheriv, createDecipheriv, createHmac, createSecretKey } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, expect, it } from "vitest";
import { passKeysAsObjects } from "../../../../shared/process/keys-as-objects.js";

const originals = { createHmac, createCipheriv, createDecipheriv };
const key = Buffer.alloc(32, 7);
const iv = Buffer.alloc(16, 9);

afterEach(() => {
  Object.assign(crypto, originals);
  syncBuiltinESMExports();
});

it.each(["24.18.0", "24.21.0"])("HMACs and ciphers of Node %s take a key in bytes as an object", (version) => {
  const mac = createHmac("sha256", key).update("text").digest("hex");
  const sealed = createCipheriv("aes-256-cbc", key, iv).update("a text of two blocks, nearly two", "utf8", "hex");
  passKeysAsObjects(version);
  expect(createHmac).not.toBe(originals.createHmac);
  expect(createCipheriv).not.toBe(originals.createCipheriv);
  expect(createDecipheriv).not.toBe(originals.createDecipheriv);
  for (const form of [key, new Uint8Array(key), createSecretKey(key)]) {
    expect(createHmac("sha256", form).update("text").digest("hex")).toBe(mac);
    expect(createCipheriv("aes-256-cbc", form, iv).update("a text of two blocks, nearly two", "utf8", "hex")).toBe(sealed);
    const opened = createDecipheriv("aes-256-cbc", form, iv).setAutoPadding(false);
    expect(opened.update(sealed, "hex", "utf8") + opened.final("utf8")).toBe("a text of two blocks, nearly two");
  }
  expect(createHmac("sha256", "a password").update("text").digest("hex")).toBe(
    originals.createHmac("sha256", "a password").update("text").digest("hex"),
  );
  expect(createHmac("sha256", "").digest("hex")).toBe(createHmac("sha256", Buffer.alloc(0)).digest("hex"));
  expect(() => createCipheriv("aes-256-cbc", key.subarray(1), iv)).toThrow("Invalid key length");
});

it.each(["20.19.0", "22.23.5", "24.17.0", "24.22.0", "25.9.0"])("Node %s keeps its own functions", (version) => {
  passKeysAsObjects(version);
  expect({ createHmac, createCipheriv, createDecipheriv }).toEqual(originals);
});
