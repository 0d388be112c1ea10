import { jidDecode } from "@whiskeysockets/baileys";
import type { User } from "../whatsapp-backend.js";
import { personByLid, personByPhone } from "./person.js";

/** "<digits>@s.whatsapp.net". */
export function jidOf({ phone }: Pick<User, "phone">): string {
  return `${phone}@s.whatsapp.net`;
}

/** Returns the user of a JID of either kind, with or without a device. */
export function userOfJid(jid: string): User | undefined {
  const { user = "", server } = jidDecode(jid) ?? {};
  if (server === "lid") return personByLid(user);
  return server === "s.whatsapp.net" || server === "c.us" ? personByPhone(user) : undefined;
}

export function kindOfChat(jid: string): "phone" | "group" | "newsletter" | "status" {
  if (jid === "status@broadcast") return "status";
  if (jid.endsWith("@g.us")) return "group";
  return jid.endsWith("@newsletter") ? "newsletter" : "phone";
}
