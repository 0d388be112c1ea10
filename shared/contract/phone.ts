/**
 * The digits of a number in international format as people write it: `+49 151-234567`, `0049151234567`, `(+1) 555.010.0002`, `+44 (0)20 7946 0018`. Spaces, dashes and the invisible marks that come along
 * from web pages, of all scripts, brackets, dots and slashes go, and one leading `+` or `00`; so does the `(0)` that callers from abroad leave out. `undefined` when anything else stands
 * in it, or not 5 to 15 digits (E.164; the shortest numbers in use have 5).
 */
export function tidyPhone(text: string): string | undefined {
  if (text.length > 64) return undefined;
  const written = text.replace(separators, "");
  const digits = (/^\(?(\+|00)/.test(written) ? written.replace("(0)", "") : written).replace(brackets, "").replace(/^(\+|00)/, "");
  return /^[0-9]{5,15}$/.test(digits) ? digits : undefined;
}

/** The same of a number that can be called from everywhere: no country's code begins with 0, so one that still does is written as at home, and nobody has it. */
export function internationalPhone(text: string): string | undefined {
  const digits = tidyPhone(text);
  return digits?.startsWith("0") === true ? undefined : digits;
}

/** Tabs, but no line breaks: a number is one line, also where it stands in a card. U+2212 is the minus sign. */
const separators = /[\t\p{Zs}\p{Pd}\p{Cf}\u2212.\u00b7/]/gu;
const brackets = /[()[\]\uff08\uff09]/g;
