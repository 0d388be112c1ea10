/** Returns one text for all JSON texts of the same value: blanks and the order of names make no difference. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (isObject(part) ? inOrder(part) : part));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that `__proto__` is an ordinary name. */
function inOrder(value: object): object {
  const ordered: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, part] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) ordered[name] = part;
  return ordered;
}
