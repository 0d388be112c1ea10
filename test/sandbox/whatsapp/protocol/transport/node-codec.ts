/** Encodes and decodes nodes synchronously, with a limit on the unpacked size. */
import { inflateSync } from "node:zlib";
import { type BinaryNode, decodeDecompressedBinaryNode, encodeBinaryNode } from "@whiskeysockets/baileys";
import * as dictionary from "@whiskeysockets/baileys/lib/WABinary/constants.js";
import { orViolation, ProtocolViolation } from "../violation.js";

/** The largest stanzas are app-state patches of thousands of contacts, after a first upload of prekeys with about 50 KB. */
const maxInflatedBytes = 16 * 1_024 * 1_024;
/** Flag in the first byte: zlib packs the rest. */
const packed = 2;

/** Includes the leading flag byte. */
export function encodeNode(node: BinaryNode): Buffer {
  return encodeBinaryNode(node);
}

export function decodeNode(bytes: Buffer): BinaryNode {
  const flags = bytes[0];
  if (flags === undefined) throw new ProtocolViolation("empty stanza");
  const body = bytes.subarray(1);
  const plain =
    (flags & packed) === 0 ? body : orViolation("stanza does not unpack", () => inflateSync(body, { maxOutputLength: maxInflatedBytes }));
  const node = orViolation("stanza is not decodable", () => decodeDecompressedBinaryNode(plain, dictionary));
  // The decoder accepts an empty tag or list.
  if (typeof node.tag !== "string" || node.tag === "") throw new ProtocolViolation("stanza without a tag");
  return node;
}
