/** A list is no object: a validator takes it for one whose fields are missing. `false` is refused where it stands, as what it is not. */
export function withoutLists(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, field]: [string, unknown]) => [name, Array.isArray(field) ? false : field]));
}
