import { fileTypeFromBuffer } from "file-type";
import { sniffType } from "./sniff-type.js";

/** Bytes of a file that are enough to detect its type. */
export const detectBytes = 4_100;

/**
 * Returns the MIME type that a file's first bytes show, or undefined for an unknown type. Distinguishes text from all other files, and web
 * pages, XML and JSON from other text. Ignores names and declared types.
 */
export async function detectType(bytes: Uint8Array): Promise<string | undefined> {
  const head = bytes.subarray(0, detectBytes);
  const text = textOf(head);
  // The library throws when the structure that it reads lies behind the first bytes, or when the file is damaged.
  const byContent = await fileTypeFromBuffer(head).catch(() => undefined);
  const bySignature = byContent?.mime.split(";")[0] ?? sniffType(head);
  if (text !== undefined && !(bySignature !== undefined && writtenInText.test(bySignature))) return textType(text);
  return bySignature === undefined ? undefined : (usualNames[bySignature] ?? bySignature);
}

/** Formats whose files may begin with text only, although they have a signature. */
const writtenInText = /^(application\/(pdf|rtf|postscript|eps|pgp-encrypted)|text\/.+|audio\/amr)$/;

/** The names that platforms know, where the library uses others. */
const usualNames: Readonly<Record<string, string>> = {
  "application/ogg": "audio/ogg",
  "application/vnd.ms-asf": "video/x-ms-asf",
  "application/xml": "text/xml",
  "audio/x-m4a": "audio/mp4",
  "image/apng": "image/png",
  "video/MP1S": "video/mpeg",
  "video/MP2P": "video/mpeg",
  "video/matroska": "video/x-matroska",
  "video/vnd.avi": "video/x-msvideo",
  "video/x-m4v": "video/mp4",
};

/** Returns the bytes as text; undefined when they hold characters that no text has. */
function textOf(head: Uint8Array): string | undefined {
  const [first, second] = head;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const text = isUtf16 ? new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(head) : Buffer.from(head).toString("latin1");
  return text.length === 0 || /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(text) ? undefined : text;
}

function textType(text: string): string {
  const start = text.replace(/^(\u00ef\u00bb\u00bf|\ufeff)/, "").trimStart();
  if (/^<(!doctype\s+html|html|head|body|script|title|meta|!--|h[1-6]\b|p>|div|center)/i.test(start)) return "text/html";
  if (/^<svg\b/i.test(start)) return "image/svg+xml";
  if (/^<(\?xml\b|!doctype\b|[a-z][\w:.-]*(\s[^<>]*)?\/?>)/i.test(start)) {
    if (/<html\b/i.test(start)) return "text/html";
    return /<svg\b/i.test(start) ? "image/svg+xml" : "text/xml";
  }
  return /^(\{\s*("|\}|$)|\[\s*([[{"\d\]-]|true|false|null|$))/.test(start) ? "application/json" : "text/plain";
}
