/** A command as Redis reads it: a list of texts, each with its length in bytes. */
export function encodeCommand(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map(encodeText).join("")}`;
}

export function encodeText(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}
