/** Functions that build and read stanzas. */
import { randomBytes } from "node:crypto";
import type { BinaryNode } from "@whiskeysockets/baileys";

/** Omits attributes that are undefined. */
export function node(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  content?: BinaryNode["content"],
): BinaryNode {
  const attrs: Record<string, string> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) attrs[name] = value;
  }
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

/** Returns the first child, or the first child with the tag. */
export function child(parent: BinaryNode | undefined, tag?: string): BinaryNode | undefined {
  return tag === undefined ? children(parent)[0] : children(parent).find((one) => one.tag === tag);
}

export function children(parent: BinaryNode | undefined, tag?: string): BinaryNode[] {
  if (!Array.isArray(parent?.content)) return [];
  return tag === undefined ? parent.content : parent.content.filter((one) => one.tag === tag);
}

/** Returns a leaf's bytes. The codec decodes dictionary entries to strings. */
export function bytesOf(leaf: BinaryNode | undefined): Buffer | undefined {
  if (typeof leaf?.content === "string") return Buffer.from(leaf.content);
  return leaf?.content instanceof Uint8Array ? Buffer.from(leaf.content.buffer, leaf.content.byteOffset, leaf.content.length) : undefined;
}

export function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}

/** Returns an id for a stanza of the server or of a phone. */
export function stanzaId(): string {
  return `3A${randomBytes(9).toString("hex").toUpperCase()}`;
}
