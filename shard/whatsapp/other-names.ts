import { jidDecode, type SignalKeyStore } from "@whiskeysockets/baileys";
import { phoneJid } from "./jid.js";

/**
 * Returns the user parts of these JIDs, and the other user part of each (phone number or anonymous id) if it is stored. Sends no request.
 */
export async function otherNames(keys: Pick<SignalKeyStore, "get">, jids: readonly string[]): Promise<Set<string>> {
  const users = new Set<string>();
  const fields: string[] = [];
  for (const jid of jids) {
    const { user, server } = jidDecode(jid) ?? {};
    if (user === undefined) continue;
    users.add(user);
    fields.push(mappingField(user, server === "lid"));
  }
  for (const other of Object.values(await keys.get("lid-mapping", fields))) if (other) users.add(other);
  return users;
}

/** Returns the other JID of a person (phone number or anonymous id) if it is stored, else an empty text. Sends no request. */
export async function storedOtherJid(keys: Pick<SignalKeyStore, "get">, jid: string): Promise<string> {
  const { user = "", server } = jidDecode(jid) ?? {};
  const isLid = server === "lid";
  const field = mappingField(user, isLid);
  const other = (await keys.get("lid-mapping", [field]))[field];
  if (other === undefined) return "";
  return isLid ? phoneJid(other) : `${other}@lid`;
}

/** The library stores both directions in one map, and marks the one from an anonymous id. */
function mappingField(user: string, isLid: boolean): string {
  return isLid ? `${user}_reverse` : user;
}
