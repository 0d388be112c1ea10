/** Returns true for a text without visible characters: only white space and ignorable characters such as U+200B. */
export function isBlank(text: string): boolean {
  return nothingToSee.test(text);
}

/** U+2800 is the braille pattern without dots. U+FFF9 to U+FFFB delimit interlinear notes and have no shape in any font. */
const nothingToSee = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/**
 * Removes `null` and texts without visible characters from every object of a body, so that a required field counts as missing and an
 * optional one as absent. Returns an object with nothing to remove as it is, because copies are a large part of a request's checks.
 */
export function withoutBlanks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept: [name: string, field: unknown][] = [];
  let isSame = true;
  for (const [name, field] of Object.entries(value)) {
    const isKept = !isNothing(field);
    const clean = withoutBlanks(field);
    if (isKept) kept.push([name, clean]);
    if (!isKept || clean !== field) isSame = false;
  }
  return isSame ? value : Object.fromEntries(kept);
}

function isNothing(value: unknown): boolean {
  return value === null || (typeof value === "string" && isBlank(value));
}
