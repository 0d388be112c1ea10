/**
 * Returns whether one of the texts contains the search text, regardless of case and phone formatting. An empty search matches all. Pure.
 */
export function foundIn(q: string, texts: readonly string[]): boolean {
  const wanted = q.trim().toLowerCase();
  if (wanted === "") return true;
  const digits = wanted.replace(/[\s()./+-]/g, "");
  return texts.some((text) => text.toLowerCase().includes(wanted) || (/^\d+$/.test(digits) && text.replace(/\D/g, "").includes(digits)));
}
