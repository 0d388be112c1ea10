/** Nodes to bytes and back, synchronously and with a limit on what packed bytes may become. */
import { inflateSync } from "node:zlib";
import { type BinaryNode, decodeDecompressedBinaryNode, encodeBinaryNode } from "@whiskeysockets/baileys";
import * as dictionary from "@whiskeysockets/baileys/lib/WABinary/constants.js";
import { orViolation, ProtocolViolation } from "../violation.js";

/** The longest stanza is an upload of a first set of prekeys, some 50 KB; app-state patches of thousands of contacts come next. */
const maxInflatedBytes = 16 * 1_024 * 1_024;
/** Flag of the first byte: the rest is packed by zlib. */
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
  // The decoder takes what it is given: an empty tag or list is not an error to it.
  if (typeof node.tag !== "string" || node.tag === "") throw new ProtocolViolation("stanza without a tag");
  return node;
}
