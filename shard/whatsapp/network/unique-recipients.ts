import type { UserFacingSocketConfig } from "@whiskeysockets/baileys";

type Patch = NonNullable<UserFacingSocketConfig["patchMessageBeforeSending"]>;

/** Encrypts a message once for each device: for a text to the account's own number the library reads its own device list twice. */
export const eachRecipientOnce: Patch = (message, recipients) => {
  const unique = new Set(recipients);
  if (recipients === undefined || unique.size === recipients.length) return message;
  return [...unique].map((recipientJid) => ({ recipientJid, message }));
};
