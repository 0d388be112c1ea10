import { BufferJSON } from "@whiskeysockets/baileys";

/** Encodes a value in the library's JSON form, which keeps byte strings. */
export function toJsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, BufferJSON.replacer));
}

export function fromJsonBytes(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString("utf8"), BufferJSON.reviver) as unknown;
}
