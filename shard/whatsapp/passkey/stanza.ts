import type { BinaryNode } from "@whiskeysockets/baileys";

/** The server itself, in the exact spelling of the library. */
export const serverJid = "@s.whatsapp.net";

/** Bytes of a leaf; the library gives text back as a string where it found it in its dictionary. */
export function bytesOf(leaf: BinaryNode | undefined): Buffer | undefined {
  if (typeof leaf?.content === "string") return Buffer.from(leaf.content);
  return leaf?.content instanceof Uint8Array ? Buffer.from(leaf.content) : undefined;
}

/** A question about this device's registration, or a change of it. The library adds the id. */
export function registrationIq(type: "get" | "set", content: BinaryNode): BinaryNode {
  return { tag: "iq", attrs: { to: serverJid, type, xmlns: "md" }, content: [content] };
}

export function leaf(tag: string, content?: Uint8Array): BinaryNode {
  return content === undefined ? { tag, attrs: {} } : { tag, attrs: {}, content };
}
