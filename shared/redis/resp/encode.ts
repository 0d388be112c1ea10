/** Encodes a command as a RESP list of texts, each with its length in bytes. */
export function encodeCommand(parts: readonly string[]): string {
  return `${encodeCount(parts.length)}${parts.map(encodeText).join("")}`;
}

/** Returns the header of a list of this many words. */
export function encodeCount(parts: number): string {
  return `*${parts}${lineEnd}`;
}

export function encodeText(text: string): string {
  return `${encodeLength(Buffer.byteLength(text))}${text}${lineEnd}`;
}

/** Returns the header of a word of this many bytes. `lineEnd` follows the word. */
export function encodeLength(bytes: number): string {
  return `$${bytes}${lineEnd}`;
}

export const lineEnd = "\r\n";
