/** Beginnings of sentences whose subject or verb is missing. */
const bareBeginning = /^(Of|Who|Whom|So long|So many|That of|What is)\b/;

/** Words of rule 4 that have a standard term. */
export const privateWords =
  /\b(mend(s|ed|ing)?|tell(s|ing)?|told|hear(s|d|ing)?|whom|so many|so long|of before|nobody|turn(s|ed)? away|g(i|a)ves? up|given up|giving up|looks?|looked|looking|asks?|asked|asking|answers?|answered|answering)\b/i;

export const commentMost = 280;
export const lineMost = 140;

/** Returns what is wrong with the words of a comment, or `undefined`. */
export function commentFault(text: string): string | undefined {
  if (text.length > commentMost) return `over ${commentMost} characters`;
  const beginning = bareBeginning.exec(text);
  if (beginning !== null) return `begins with "${beginning[0]}"`;
  const word = privateWords.exec(withoutCode(text));
  return word === null ? undefined : `says "${word[0]}"`;
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, "").replace(/"[^"]*"/g, "");
}
