/** No real client sends a longer field, so a longer one counts as absent. */
const fieldMaxCharacters = 1_000;

/**
 * Returns the names in an `Accept` or `Accept-Encoding` header, in lower case, with their weights; 0 means not accepted (RFC 9110, section
 * 12.4.2).
 */
export function weightsOf(fields: readonly string[] = []): ReadonlyMap<string, number> {
  if (fields.some((field) => field.length > fieldMaxCharacters)) return new Map();
  return new Map(fields.flatMap((field) => field.toLowerCase().split(",")).map(weightOf));
}

function weightOf(item: string): [name: string, weight: number] {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const isWeight = weight === undefined || /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight);
  return [name, isWeight ? Number(weight ?? 1) : 0];
}
