/** With a zone, so that it is one instant for everybody. */
const form = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Zones lead past it, and years of five digits are written in another form. */
const lastAt = Date.parse("9999-12-31T23:59:59.999Z");

/** Milliseconds since 1970 of an ISO 8601 instant with a zone; `undefined` for anything else. */
export function instantOf(text: string): number | undefined {
  const [, day = ""] = form.exec(text) ?? [];
  const at = day === "" || !isDay(day) ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) || at > lastAt ? undefined : at;
}

/** V8 takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}
