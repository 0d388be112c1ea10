/** Bytes of a file that are enough for its signature. */
export const sniffBytes = 64;

/**
 * Returns the MIME type that the first bytes of a file show, or undefined for an unknown type. Needs `sniffBytes` or more. It checks
 * signatures only, so a match does not mean that the file is whole.
 */
export function sniffType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, sniffBytes));
  for (const [signature, offset, type] of signatures) {
    if (head.subarray(offset, offset + signature.length).equals(signature)) return typeof type === "string" ? type : type(head);
  }
  return markupType(head.toString("latin1"));
}

/** Recognizes markup that a browser would show: a page, such as an error page, or a drawing. */
function markupType(head: string): string | undefined {
  const [, name = ""] = /^(?:\xef\xbb\xbf)?\s*<(!--|(?:\?xml|!doctype|svg|html|head|body|script|title|meta)\b)/i.exec(head) ?? [];
  if (name === "") return undefined;
  if (name.toLowerCase() === "svg") return "image/svg+xml";
  return name === "?xml" ? "text/xml" : "text/html";
}

type Signature = readonly [signature: Buffer, offset: number, type: string | ((head: Buffer) => string | undefined)];

const ascii = (text: string): Buffer => Buffer.from(text, "latin1");

const signatures: readonly Signature[] = [
  [Buffer.from([0xff, 0xd8, 0xff]), 0, "image/jpeg"],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 0, "image/png"],
  [ascii("RIFF"), 0, riffType],
  [ascii("GIF8"), 0, "image/gif"],
  [ascii("II*\0"), 0, "image/tiff"],
  [ascii("MM\0*"), 0, "image/tiff"],
  [ascii("BM"), 0, "image/bmp"],
  [ascii("ftyp"), 4, isoMediaType],
  [Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), 0, (head) => (head.includes("webm") ? "video/webm" : "video/x-matroska")],
  [ascii("OggS"), 0, "audio/ogg"],
  [ascii("ID3"), 0, "audio/mpeg"],
  [Buffer.from([0xff, 0xfb]), 0, "audio/mpeg"],
  [ascii("fLaC"), 0, "audio/flac"],
  [ascii("%PDF-"), 0, "application/pdf"],
  [ascii("PK\u0003\u0004"), 0, "application/zip"],
  [Buffer.from([0x1f, 0x8b]), 0, "application/gzip"],
];

function riffType(head: Buffer): string | undefined {
  const types: Record<string, string> = { WEBP: "image/webp", WAVE: "audio/wav", "AVI ": "video/x-msvideo" };
  return types[head.toString("latin1", 8, 12)];
}

/** The brand behind `ftyp` names the format among the many that use the ISO container. */
function isoMediaType(head: Buffer): string {
  const brand = head.toString("latin1", 8, 12);
  if (/^(heic|heix|hevc|mif1|msf1)$/.test(brand)) return "image/heif";
  if (/^avi[fs]$/.test(brand)) return "image/avif";
  if (brand === "qt  ") return "video/quicktime";
  if (/^M4[AB] $/.test(brand)) return "audio/mp4";
  return "video/mp4";
}
