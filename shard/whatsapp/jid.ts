import { jidDecode, jidNormalizedUser } from "@whiskeysockets/baileys";

export function phoneJid(digits: string): string {
  return `${digits}@s.whatsapp.net`;
}

/** Digits of a phone-number JID of any device; empty for an anonymous one. */
export function phoneOf(jid: string | undefined): string {
  const decoded = jidDecode(jid);
  return decoded?.server === "s.whatsapp.net" || decoded?.server === "c.us" ? decoded.user : "";
}

/** Digits of a JID of either kind; empty when there are none. */
export function userOf(jid: string): string {
  return jidDecode(jid)?.user ?? "";
}

/** Without the device: `628…@s.whatsapp.net` or `…@lid`. */
export function userJid(jid: string): string {
  return jidNormalizedUser(jid);
}

export function isUserJid(jid: string): boolean {
  return jid.endsWith("@s.whatsapp.net") || jid.endsWith("@lid");
}
