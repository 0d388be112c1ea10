import { createHash } from "node:crypto";
import type { MediaDescription } from "../contract/media.js";
import { packFacts, type FileFacts } from "./file-facts.js";

/**
 * Describes a file of this size. The key covers the path, the media key and the hashes, so that a message that only claims the hashes of
 * another file never shares its chunks.
 */
export function describeFile(facts: FileFacts, size: number): MediaDescription {
  const packed = packFacts({ ...facts, mimetype: "", name: "", author: "", fromMe: false });
  return {
    size,
    mimetype: facts.mimetype,
    name: facts.name,
    fileKey: digest("file", packed),
    etag: digest("tag", packed),
  };
}

function digest(purpose: string, packed: Buffer): string {
  return createHash("sha256").update(`sealed|${purpose}|`).update(packed).digest("hex").slice(0, 32);
}
