/** Building and reading of stanzas. */
import { randomBytes } from "node:crypto";
import type { BinaryNode } from "@whiskeysockets/baileys";

/** Attributes that are undefined are left out. */
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

/** The first child, or the first of that tag. */
export function child(parent: BinaryNode | undefined, tag?: string): BinaryNode | undefined {
  return tag === undefined ? children(parent)[0] : children(parent).find((one) => one.tag === tag);
}

export function children(parent: BinaryNode | undefined, tag?: string): BinaryNode[] {
  if (!Array.isArray(parent?.content)) return [];
  return tag === undefined ? parent.content : parent.content.filter((one) => one.tag === tag);
}

/** Bytes of a leaf; the codec gives text back as a string when it found it in its dictionary. */
export function bytesOf(leaf: BinaryNode | undefined): Buffer | undefined {
  if (typeof leaf?.content === "string") return Buffer.from(leaf.content);
  return leaf?.content instanceof Uint8Array ? Buffer.from(leaf.content.buffer, leaf.content.byteOffset, leaf.content.length) : undefined;
}

export function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}

/** Id of a stanza that the server or a phone starts. */
export function stanzaId(): string {
  return `3A${randomBytes(9).toString("hex").toUpperCase()}`;
}
