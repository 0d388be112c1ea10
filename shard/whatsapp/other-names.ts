import { jidDecode, type SignalKeyStore } from "@whiskeysockets/baileys";

/** The user parts of these JIDs, and the other one of each (number for anonymous id and back) as far as it is stored; nobody is asked. */
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
