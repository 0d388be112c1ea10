import { weightsOf } from "./weights.js";

/** Codings for response bodies, the better one first. */
export const codings = ["br", "gzip"] as const;
export type Coding = (typeof codings)[number];

/** Returns the coding that the request prefers, the better one among equals; `undefined` if it prefers none (RFC 9110, section 12.5.3). */
export function chosenCoding(fields: readonly string[] | undefined): Coding | undefined {
  const weights = codingWeights(fields);
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

/** Returns whether gzip or `*` is accepted with a weight above 0. */
export function acceptsGzip(fields: readonly string[] | undefined): boolean {
  const weights = codingWeights(fields);
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Treats `x-gzip` as gzip, its old name (RFC 9110, section 8.4.1.3). */
function codingWeights(fields: readonly string[] | undefined): ReadonlyMap<string, number> {
  return new Map([...weightsOf(fields)].map(([name, weight]) => [name === "x-gzip" ? "gzip" : name, weight]));
}
