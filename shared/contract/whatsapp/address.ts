/** "Recipient identifiers" of variant A: what may stand for a chat before anybody asks the platform. */

/** `<digits>@g.us`, in older groups `<digits>-<digits>@g.us`. */
export function isGroupId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}@g\.us$/.test(text);
}

export function isNewsletterId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}@newsletter$/.test(text);
}

/**
 * The digits of a number in international format as people write it: `+49 151-234567`, `0049151234567`. `undefined` when anything but
 * digits, spaces, dashes and one leading `+` stands in it, or not 5 to 15 digits (E.164; the shortest numbers in use have 5).
 */
export function tidyPhone(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, "").replace(/^(\+|00)/, "");
  return text.length <= 64 && /^[0-9]{5,15}$/.test(digits) ? digits : undefined;
}
