/** A command as Redis reads it: a list of texts, each with its length in bytes. */
export function encodeCommand(words: readonly string[]): string {
  return `${encodeCount(words.length)}${words.map(encodeText).join("")}`;
}

/** In front of so many words. */
export function encodeCount(words: number): string {
  return `*${words}${lineEnd}`;
}

export function encodeText(text: string): string {
  return `${encodeLength(Buffer.byteLength(text))}${text}${lineEnd}`;
}

/** In front of a word of so many bytes, behind which stands `lineEnd`. */
export function encodeLength(bytes: number): string {
  return `$${bytes}${lineEnd}`;
}

export const lineEnd = "\r\n";
