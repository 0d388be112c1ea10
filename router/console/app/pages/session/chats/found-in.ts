/** Whether one of these texts has what is looked for, however it is written; nothing looked for is in all. Pure. */
export function foundIn(q: string, texts: readonly string[]): boolean {
  const wanted = q.trim().toLowerCase();
  if (wanted === "") return true;
  const digits = wanted.replace(/[\s()./+-]/g, "");
  return texts.some((text) => text.toLowerCase().includes(wanted) || (/^\d+$/.test(digits) && text.replace(/\D/g, "").includes(digits)));
}
