import type { tags } from "typia";

/**
 * Rules of request fields, as typia tags, and the one place that turns what typia finds into the documents' sentences.
 * A tag is recognised by its name in a finding, so that a rule's check and its sentence stand side by side here.
 */

/** A required string of a body: missing or empty reads `<field> should not be empty`. */
export type NotEmpty = tags.TagBase<{
  kind: "notEmpty";
  target: "string";
  value: undefined;
  validate: "0 < $input.length";
  exclusive: true;
}>;
/** A required path or query parameter, in which something can be seen (`isBlank`): missing reads as two sentences, in the order that the platform's document shows. */
export type Parameter = tags.TagBase<{
  kind: "parameter";
  target: "string";
  value: undefined;
  validate: "/[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]/u.test($input)";
  exclusive: true;
}>;
/** Finite and greater than 0; JSON has no Infinity, but `1e400` parses to it. */
export type Positive = tags.TagBase<{
  kind: "positive";
  target: "number";
  value: undefined;
  validate: "0 < $input && $input < Infinity";
  exclusive: true;
}>;
/** Degrees, `Max` at most either way. Variant A: neither coordinate may be 0, which reads as empty. */
export type Coordinate<Max extends number> = tags.TagBase<{
  kind: "coordinate";
  target: "number";
  value: Max;
  validate: `0 !== $input && -${Max} <= $input && $input <= ${Max}`;
  exclusive: true;
}>;
/** At most so many UTF-8 bytes. */
export type Bytes<Max extends number> = tags.TagBase<{
  kind: "bytes";
  target: "string";
  value: Max;
  validate: `Buffer.byteLength($input) <= ${Max}`;
  exclusive: true;
}>;

/** What typia reports about one value: `expected` stands in parentheses when the type itself is wrong. */
export interface Finding {
  readonly path: string;
  readonly expected: string;
  readonly value?: unknown;
}

export interface Wording {
  /** Sentences of a missing parameter: variant B names the type first, variant A the emptiness. */
  readonly missingParameter: "type-first" | "empty-first";
  /** A required number or `type` that is missing: variant A reads `should not be empty`, as for any missing field; otherwise the sentence of a wrong one. */
  readonly missing?: "empty";
  /** Allowed values by field path, in the document's order. */
  readonly oneOf?: Readonly<Record<string, readonly string[]>>;
}

/** The sentences of all findings, in the order of the declared properties. */
export function sentences(findings: readonly Finding[], wording: Wording): string[] {
  return findings.flatMap((finding) => sentencesOf(finding, wording));
}

/** `null` and an empty text are as good as nothing. */
export const isEmpty = (value: unknown): value is undefined | null | "" => value === undefined || value === null || value === "";

export const shouldNotBeEmpty = (field: string): string => `${field} should not be empty`;
export const mustBeString = (field: string): string => `${field} must be a string`;
export const mustBeObject = (field: string): string => `${field} must be an object`;
export const mustBeOneOf = (field: string, values: readonly string[]): string =>
  `${field} must be one of the following values: ${values.join(", ")}`;
export const mustBeInteger = (field: string, from: number, to: number): string => `${field} must be an integer from ${from} to ${to}`;

function sentencesOf({ path, expected, value }: Finding, { missingParameter, missing, oneOf }: Wording): string[] {
  const field = path.replace(/^\$input\.?/, "");
  const empty = isEmpty(value);
  if (field === "") return [mustBeObject("body")];
  const values = oneOf?.[field];
  if (values !== undefined) return [mustBeOneOf(field, values)];
  if (/\bPositive\b/.test(expected)) return [empty && missing === "empty" ? shouldNotBeEmpty(field) : `${field} must be a positive number`];
  const degrees = /\bCoordinate<(\d+)>/.exec(expected)?.[1];
  if (degrees !== undefined)
    return [empty || value === 0 ? shouldNotBeEmpty(field) : `${field} must be a number from -${degrees} to ${degrees}`];
  if (/\bParameter\b/.test(expected)) {
    if (value === undefined) {
      const pair = [mustBeString(field), shouldNotBeEmpty(field)];
      return missingParameter === "type-first" ? pair : pair.reverse();
    }
    return [typeof value === "string" ? shouldNotBeEmpty(field) : mustBeString(field)];
  }
  if (/\bNotEmpty\b/.test(expected)) return [empty || typeof value === "string" ? shouldNotBeEmpty(field) : mustBeString(field)];
  const bytes = /^string & Bytes<(\d+)>$/.exec(expected)?.[1];
  if (bytes !== undefined) return [`${field} must be at most ${bytes} bytes`];
  if (/\bstring\b/.test(expected)) return [mustBeString(field)];
  // What is left is an object inside the body, such as `image`.
  return [empty ? shouldNotBeEmpty(field) : mustBeObject(field)];
}
