/** An instant of the API, in the words of whoever reads it; nothing for an empty one. */
export function instantText(at: string | null): string {
  return at === null || at === "" ? "" : new Date(at).toLocaleString();
}
