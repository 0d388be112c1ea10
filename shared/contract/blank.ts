/** True for a text in which nothing can be seen: white space, and what is there to be ignored, such as U+200B. */
export function isBlank(text: string): boolean {
  return nothingToSee.test(text);
}

/** U+2800 is the braille pattern without dots; U+FFF9 to U+FFFB stand around notes between the lines, which no font draws. */
const nothingToSee = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/**
 * What of a body counts: `null` and a text in which nothing can be seen are as if they were not there, in every field of every object. So a required one is missing, and
 * an optional one is left out. Everything else stays as it is.
 */
export function withoutBlanks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]: [string, unknown]) => (isNothing(field) ? [] : [[name, withoutBlanks(field)]])),
  );
}

function isNothing(value: unknown): boolean {
  return value === null || (typeof value === "string" && isBlank(value));
}
