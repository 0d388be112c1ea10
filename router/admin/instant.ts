/** Requires a time zone, so that the instant is unambiguous. */
const form = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A time zone can move the instant past this one, and five-digit years have another form. */
const lastAt = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns the milliseconds since 1970 of an ISO 8601 instant with a zone, or `undefined` for anything else. */
export function instantOf(text: string): number | undefined {
  const [, day = ""] = form.exec(text) ?? [];
  const at = day === "" || !isDay(day) ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) || at > lastAt ? undefined : at;
}

/** V8 parses the 30th of February as the 2nd of March. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
