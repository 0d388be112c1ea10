import { jidDecode, type SignalKeyStore } from "@whiskeysockets/baileys";

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
    fields.push(server === "lid" ? `${user}_reverse` : user);
  }
  for (const other of Object.values(await keys.get("lid-mapping", fields))) if (other) users.add(other);
  return users;
}
