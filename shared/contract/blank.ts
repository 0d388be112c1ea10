/** Returns true for a text without visible characters: only white space and ignorable characters such as U+200B. */
export function isBlank(text: string): boolean {
  return nothingToSee.test(text);
}

/** U+2800 is the braille pattern without dots. U+FFF9 to U+FFFB delimit interlinear notes and have no shape in any font. */
const nothingToSee = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/**
 * Removes `null` and texts without visible characters from every object of a body, so that a required field counts as missing and an
 * optional one as absent.
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
