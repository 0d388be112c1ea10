/** Replaces lists by `false`, because a validator would take a list for an object with missing fields. */
export function withoutLists(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  if (!Object.values(body).some(Array.isArray)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, field]: [string, unknown]) => [name, Array.isArray(field) ? false : field]));
}
