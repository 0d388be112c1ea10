/**
 * Removes everything from an error's sentence that could identify a person: quoted words, addresses, names after an @, and long numbers
 * and ids.
 */
export function redacted(sentence: string): string {
  return sentence
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, "…")
    .replace(/\bhttps?:\/\/\S+/g, "…")
    .replace(/\S*@\S+/g, "…")
    .replace(/\+?\b\d[\d\s().-]{5,}\d\b/g, "…")
    .replace(/\b(?=\w*\d)[\w-]{16,}\b/g, "…")
    .slice(0, 300);
}
