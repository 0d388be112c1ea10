import { BufferJSON } from "@whiskeysockets/baileys";

/** The library's own JSON form, in which byte strings survive. */
export function toJsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, BufferJSON.replacer));
}

export function fromJsonBytes(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString("utf8"), BufferJSON.reviver) as unknown;
}
