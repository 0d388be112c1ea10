import type { BinaryNode } from "@whiskeysockets/baileys";

/** Returns the request that sets the account's picture, or that of the group `target`. Without a picture it removes the current one. */
export function pictureQuery(jpeg: Buffer | "", target?: string): BinaryNode {
  return {
    tag: "iq",
    attrs: { ...(target !== undefined && { target }), to: "@s.whatsapp.net", type: "set", xmlns: "w:profile:picture" },
    ...(jpeg !== "" && { content: [{ tag: "picture", attrs: { type: "image" }, content: jpeg }] }),
  };
}
