import type { BinaryNode } from "@whiskeysockets/baileys";

/** The server itself, in the exact spelling of the library. */
export const serverJid = "@s.whatsapp.net";

/** Returns the bytes of a leaf. The library decodes text in its dictionary to a string. */
export function bytesOf(leaf: BinaryNode | undefined): Buffer | undefined {
  if (typeof leaf?.content === "string") return Buffer.from(leaf.content);
  return leaf?.content instanceof Uint8Array ? Buffer.from(leaf.content) : undefined;
}

/** Builds an IQ that reads or changes this device's registration. The library adds the id. */
export function registrationIq(type: "get" | "set", content: BinaryNode): BinaryNode {
  return { tag: "iq", attrs: { to: serverJid, type, xmlns: "md" }, content: [content] };
}

export function leaf(tag: string, content?: Uint8Array): BinaryNode {
  return content === undefined ? { tag, attrs: {} } : { tag, attrs: {}, content };
}
