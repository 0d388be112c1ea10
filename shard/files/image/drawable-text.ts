// What can stand in the box at the smallest size, with room to spare: 28 px are 45 lines of at most 115 of the narrowest letters.
const maxCharacters = 6_000;
const maxLines = 60;

/**
 * What of `text` is drawn: one kind of line break, no control characters, no halves of characters, no towers of accents,
 * and no more than could ever fit, so that 64 KiB cost as little as 6 KB. One spelling of each character, which is the one that fonts have.
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

/** The first `length` UTF-16 units, without half a character at the end. */
export function wholeCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
