import { jidDecode, jidNormalizedUser } from "@whiskeysockets/baileys";

export function phoneJid(digits: string): string {
  return `${digits}@s.whatsapp.net`;
}

/** Returns the digits of a phone-number JID, with or without a device; empty for an anonymous id. */
export function phoneOf(jid: string | undefined): string {
  const decoded = jidDecode(jid);
  return decoded?.server === "s.whatsapp.net" || decoded?.server === "c.us" ? decoded.user : "";
}

/** Returns the user part of a JID of either kind; empty for an invalid JID. */
export function userOf(jid: string): string {
  return jidDecode(jid)?.user ?? "";
}

/** Returns the JID without its device: `628…@s.whatsapp.net` or `…@lid`. */
export function userJid(jid: string): string {
  return jidNormalizedUser(jid);
}

export function isUserJid(jid: string): boolean {
  return jid.endsWith("@s.whatsapp.net") || jid.endsWith("@lid");
}
