/** "Recipient identifiers" of variant A: what may stand for a chat before anybody asks the platform. */

/** `<digits>@g.us`, in older groups `<digits>-<digits>@g.us`. */
export function isGroupId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}@g\.us$/.test(text);
}

export function isNewsletterId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}@newsletter$/.test(text);
}
