/** One text for all JSON texts of one value: neither blanks nor the order of names tell two bodies apart. Everything else does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => (isObject(part) ? inOrder(part) : part));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without a prototype: a name such as `__proto__` is a name like any other. */
function inOrder(value: object): object {
  const ordered: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, part] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) ordered[name] = part;
  return ordered;
}
