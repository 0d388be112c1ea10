/**
 * Returns the digits of an international number. Removes one leading `+` or `00`, `(0)`, spaces, dashes, brackets, dots, slashes and
 * invisible marks. `undefined` for anything else, or outside of 5 to 15 digits (E.164).
 */
export function tidyPhone(text: string): string | undefined {
  if (text.length > 64) return undefined;
  const written = text.replace(separators, "");
  const digits = (/^\(?(\+|00)/.test(written) ? written.replace("(0)", "") : written).replace(brackets, "").replace(/^(\+|00)/, "");
  return /^[0-9]{5,15}$/.test(digits) ? digits : undefined;
}

/** Does the same as `tidyPhone`, but returns `undefined` for a national number with a leading 0, because no country code begins with 0. */
export function internationalPhone(text: string): string | undefined {
  const digits = tidyPhone(text);
  return digits?.startsWith("0") === true ? undefined : digits;
}

/** Tabs, but no line breaks: a number is one line, also inside a contact card. U+2212 is the minus sign. */
const separators = /[\t\p{Zs}\p{Pd}\p{Cf}\u2212.\u00b7/]/gu;
const brackets = /[()[\]\uff08\uff09]/g;
