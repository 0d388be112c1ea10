import { createHash } from "node:crypto";
import type { Doc } from "../control/platform-control.js";
import { sizeOf, type Content, type MediaItem } from "./world/media-item.js";

/** Returns a file for the control API: kind, data centre, and digests of its content and thumbnail. */
export function mediaDoc(item: MediaItem): Doc {
  const thumb = item.variants.find(({ type }) => type === (item.kind === "photo" ? "x" : "m"));
  return {
    kind: item.kind,
    mimetype: item.mimetype,
    dcId: item.dcId,
    ...contentDoc(item.content),
    ...(thumb && { thumbnail: { width: thumb.width, height: thumb.height, ...contentDoc(thumb.content) } }),
  };
}

/** Returns the digest of a small file. A synthetic file has the id from which its content can be computed. */
function contentDoc(content: Content): Doc {
  const size = sizeOf(content);
  if (content.kind === "bytes") return { size, sha256: createHash("sha256").update(content.bytes).digest("hex") };
  return content.kind === "synthetic" ? { size, fileId: content.fileId } : { size };
}
