// The most that fits into the box at the smallest size, with room to spare: 28 px are 45 lines of at most 115 of the narrowest letters.
const maxCharacters = 6_000;
const maxLines = 60;

/**
 * Returns the part of `text` that is drawn: without control characters, half characters and towers of accents, with one kind of line
 * break, in NFC as fonts have it, and no longer than could ever fit.
 */
export function drawableText(text: string): string {
  const wellFormed = Buffer.from(text.slice(0, 2 * maxCharacters)).toString();
  const clean = wellFormed
    .normalize("NFC")
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff\ufff9-\ufffb\ufffe\uffff]/g, "")
    .replace(/(\p{M}{6})\p{M}+/gu, "$1")
    .split("\n", maxLines)
    .join("\n")
    .trim();
  return wholeCharacters(clean, maxCharacters);
}

/** Returns the first `length` UTF-16 units, without half a character at the end. */
export function wholeCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
