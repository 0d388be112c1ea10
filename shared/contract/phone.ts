/**
 * The digits of a number in international format as people write it: `+49 151-234567`, `0049151234567`. `undefined` when anything but
 * digits, spaces, dashes and one leading `+` stands in it, or not 5 to 15 digits (E.164; the shortest numbers in use have 5).
 */
export function tidyPhone(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, "").replace(/^(\+|00)/, "");
  return text.length <= 64 && /^[0-9]{5,15}$/.test(digits) ? digits : undefined;
}
