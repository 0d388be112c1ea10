/** Returns the code of `https://chat.whatsapp.com/<code>`, or of the code itself; `undefined` for any other text. */
export function inviteCodeOf(text: string): string | undefined {
  return link.exec(text.trim())?.[1];
}

export const inviteLinkOf = (code: string): string => `https://chat.whatsapp.com/${code}`;

/** Codes have 22 characters. Links copied on a phone have a query. */
const link = /^(?:(?:https?:\/\/)?chat\.whatsapp\.com\/(?:invite\/)?)?([\w-]{16,64})\/?(?:[?#].*)?$/;
