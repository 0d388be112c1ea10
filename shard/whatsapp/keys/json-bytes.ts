import { BufferJSON } from "@whiskeysockets/baileys";

/** Encodes a value in the library's JSON form, which keeps byte strings. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, BufferJSON.replacer);
}

export function toJsonBytes(value: unknown): Buffer {
  return Buffer.from(toJson(value));
}

export function fromJson(text: string): unknown {
  // A plain text, such as a person's other id, has nothing to revive.
  return (text.startsWith('"') ? JSON.parse(text) : JSON.parse(text, BufferJSON.reviver)) as unknown;
}
