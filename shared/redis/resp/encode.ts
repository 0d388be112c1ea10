/** Encodes a command as a RESP list of texts, each with its length in bytes. */
export function encodeCommand(words: readonly string[]): string {
  return `${encodeCount(words.length)}${words.map(encodeText).join("")}`;
}

/** Returns the header of a list of this many words. */
export function encodeCount(words: number): string {
  return `*${words}${lineEnd}`;
}

export function encodeText(text: string): string {
  return `${encodeLength(Buffer.byteLength(text))}${text}${lineEnd}`;
}

/** Returns the header of a word of this many bytes. `lineEnd` follows the word. */
export function encodeLength(bytes: number): string {
  return `$${bytes}${lineEnd}`;
}

export const lineEnd = "\r\n";
