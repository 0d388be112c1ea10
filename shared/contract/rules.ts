import type { tags } from "typia";

/**
 * Rules of request fields as typia tags, and the texts of their errors. A finding names its tag, so each rule's check and error text stay
 * together here. `schema` describes the rule in the API document.
 */

/** A required string of a body. Missing or empty: `<field> should not be empty`. */
export type NotEmpty = tags.TagBase<{
  kind: "notEmpty";
  target: "string";
  value: undefined;
  validate: "0 < $input.length";
  exclusive: true;
  schema: { minLength: 1 };
}>;
/**
 * A required path or query parameter with a visible character (`isBlank`). A missing one gives two messages, in the order of the
 * platform's document.
 */
export type Parameter = tags.TagBase<{
  kind: "parameter";
  target: "string";
  value: undefined;
  validate: "/[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\ufff9-\\ufffb]/u.test($input)";
  exclusive: true;
  schema: { minLength: 1 };
}>;
/** Finite and greater than 0. JSON has no Infinity, but `1e400` parses to it. */
export type Positive = tags.TagBase<{
  kind: "positive";
  target: "number";
  value: undefined;
  validate: "0 < $input && $input < Infinity";
  exclusive: true;
  schema: { exclusiveMinimum: 0 };
}>;
/** Degrees from -`Max` to `Max`. Variant A forbids 0, which counts as empty. */
export type Coordinate<Max extends number> = tags.TagBase<{
  kind: "coordinate";
  target: "number";
  value: Max;
  validate: `0 !== $input && -${Max} <= $input && $input <= ${Max}`;
  exclusive: true;
  schema: { minimum: Negative<Max>; maximum: Max; not: { const: 0 } };
}>;
type Negative<N extends number> = `-${N}` extends `${infer M extends number}` ? M : never;
/** At most `Max` UTF-8 bytes. */
export type Bytes<Max extends number> = tags.TagBase<{
  kind: "bytes";
  target: "string";
  value: Max;
  validate: `Buffer.byteLength($input) <= ${Max}`;
  exclusive: true;
  schema: { maxLength: Max };
}>;

/** A fault that typia reports about one value. `expected` is in parentheses when the type itself is wrong. */
export interface Finding {
  readonly path: string;
  readonly expected: string;
  readonly value?: unknown;
}

export interface Wording {
  /** Order of the messages about a missing parameter: variant B names the type first, variant A the emptiness. */
  readonly missingParameter: "type-first" | "empty-first";
  /**
   * Variant A reports a missing number or `type` as `should not be empty`, like any missing field. Otherwise it counts as a wrong value.
   */
  readonly missing?: "empty";
  /** Allowed values by field path, in the document's order. */
  readonly oneOf?: Readonly<Record<string, readonly string[]>>;
}

/** Returns the messages of all findings, in the order of the declared properties. */
export function sentences(findings: readonly Finding[], wording: Wording): string[] {
  return findings.flatMap((finding) => sentencesOf(finding, wording));
}

/** Returns true for a missing value, `null` and an empty text. */
export const isEmpty = (value: unknown): value is undefined | null | "" => value === undefined || value === null || value === "";

/** Messages about a field, one function each. `router/openapi` lists them all. */
export const shouldNotBeEmpty = (field: string): string => `${field} should not be empty`;
export const mustBeString = (field: string): string => `${field} must be a string`;
export const mustBeObject = (field: string): string => `${field} must be an object`;
export const mustBeArray = (field: string): string => `${field} must be an array`;
export const mustBeBoolean = (field: string): string => `${field} must be true or false`;
export const mustBePositive = (field: string): string => `${field} must be a positive number`;
export const mustBeOneOf = (field: string, values: readonly string[]): string =>
  `${field} must be one of the following values: ${values.join(", ")}`;
export const mustBeInteger = (field: string, from: number, to: number): string => `${field} must be an integer from ${from} to ${to}`;
export const mustBeDegrees = (field: string, most: number): string => `${field} must be a number from -${most} to ${most}`;
export const mustBeDegreesNotText = (field: string, most: number): string =>
  `${mustBeDegrees(field, most)}, not text: leave out the quotes`;
export const mustBeAtMostBytes = (field: string, most: number): string => `${field} must be at most ${most} bytes`;
export const mustBeAtMostBytesOfJson = (field: string, most: number): string => `${field} must be at most ${most} bytes of JSON`;
export const mustBeAtMostCharacters = (field: string, most: number): string => `${field} must be at most ${most} characters`;
export const mustBeOneLine = (field: string): string => `${field} must be one line without control characters`;
export const mustBeProxy = (field: string): string =>
  `${field} must be socks5://[user:password@]host:port or http://[user:password@]host:port`;
export const shouldNotExist = (field: string): string => `property ${field} should not exist`;
export const unknownField = (field: string): string => `unknown field ${field}`;
export const mustBeTenantName = (field: string): string => `${field} must be 1 to 32 characters of a-z, 0-9 and -`;
export const mustBeEmptyForAdmin = (field: string): string => `${field} should be empty: the role admin belongs to none`;
export const mustBeEmptyForRead = (field: string): string => `${field} should be empty: the role read creates no sessions`;
export const mustBeFuture = (field: string): string => `${field} must be an ISO 8601 instant in the future`;
export const mustBeDatabaseIds = (field: string, most: number): string => `${field} must be 1 to ${most} database ids`;

function sentencesOf({ path, expected, value }: Finding, { missingParameter, missing, oneOf }: Wording): string[] {
  const field = path.replace(/^\$input\.?/, "");
  const empty = isEmpty(value);
  if (field === "") return [mustBeObject("body")];
  const values = oneOf?.[field];
  if (values !== undefined) return [mustBeOneOf(field, values)];
  if (/\bPositive\b/.test(expected)) return [empty && missing === "empty" ? shouldNotBeEmpty(field) : mustBePositive(field)];
  const degrees = /\bCoordinate<(\d+)>/.exec(expected)?.[1];
  if (degrees !== undefined) {
    if (empty || value === 0) return [shouldNotBeEmpty(field)];
    return [(typeof value === "string" ? mustBeDegreesNotText : mustBeDegrees)(field, Number(degrees))];
  }
  if (/\bParameter\b/.test(expected)) {
    if (value === undefined) {
      const pair = [mustBeString(field), shouldNotBeEmpty(field)];
      return missingParameter === "type-first" ? pair : pair.reverse();
    }
    return [typeof value === "string" ? shouldNotBeEmpty(field) : mustBeString(field)];
  }
  if (/\bNotEmpty\b/.test(expected)) return [empty || typeof value === "string" ? shouldNotBeEmpty(field) : mustBeString(field)];
  const bytes = /^string & Bytes<(\d+)>$/.exec(expected)?.[1];
  if (bytes !== undefined) return [mustBeAtMostBytes(field, Number(bytes))];
  if (/\bstring\b/.test(expected)) return [mustBeString(field)];
  // Only objects inside the body are left here, such as `image`.
  return [empty ? shouldNotBeEmpty(field) : mustBeObject(field)];
}
