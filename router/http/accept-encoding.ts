/** The codings in which answers are packed, the better one first. */
export const codings = ["br", "gzip"] as const;
export type Coding = (typeof codings)[number];

/** The one of ours that a request likes best, of equals the better one; `undefined` where it rather has none (RFC 9110, section 12.5.3). */
export function chosenCoding(fields: readonly string[] | undefined): Coding | undefined {
  const weights = weightsOf(fields);
  let chosen: Coding | undefined;
  let most = Math.max(weights.get("identity") ?? 0, 0.0005);
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get("*") ?? 0;
    if (weight < most || (weight === most && chosen !== undefined)) continue;
    chosen = coding;
    most = weight;
  }
  return chosen;
}

/** Whether gzip is named, or all codings are, and not with a weight of 0. */
export function acceptsGzip(fields: readonly string[] | undefined): boolean {
  const weights = weightsOf(fields);
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Longer than that nobody writes it: such a field counts as absent. */
const fieldMaxCharacters = 1_000;

function weightsOf(fields: readonly string[] = []): ReadonlyMap<string, number> {
  if (fields.some((field) => field.length > fieldMaxCharacters)) return new Map();
  return new Map(fields.flatMap((field) => field.toLowerCase().split(",")).map(weightOf));
}

function weightOf(item: string): [coding: string, weight: number] {
  const [coding = "", ...parameters] = item.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const isWeight = weight === undefined || /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight);
  return [coding === "x-gzip" ? "gzip" : coding, isWeight ? Number(weight ?? 1) : 0];
}
