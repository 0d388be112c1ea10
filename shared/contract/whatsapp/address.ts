/** "Recipient identifiers" of variant A: checks of chat ids before any request to the platform. */

/** Returns true for `<digits>@g.us`, and for `<digits>-<digits>@g.us` of older groups. */
export function isGroupId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}@g\.us$/.test(text);
}

export function isNewsletterId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}@newsletter$/.test(text);
}

/** Returns true for a person: `<digits>@s.whatsapp.net`, or `<digits>@lid` if the number is hidden. */
export function isUserId(text: string): boolean {
  return /^[0-9]{1,32}@(s\.whatsapp\.net|lid)$/.test(text);
}
