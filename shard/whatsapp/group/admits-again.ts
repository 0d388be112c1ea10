import { jidDecode, jidEncode } from "@whiskeysockets/baileys";
import type { KeyStore } from "../keys/key-store.js";
import { otherNames } from "../other-names.js";

/** The JIDs, with a device or without, of one reader of the account's next message. The first is the JID that gets the key. */
export type Reader = readonly [jid: string, ...others: string[]];

/**
 * Resolves with the known JID of a device that requests a message again, or `undefined` if the device may not read the chat: the library
 * gives it the account's current key. The device is stored as a key holder first.
 */
export async function admitsAgain(
  keys: Pick<KeyStore, "get" | "given">,
  chat: string,
  requester: string,
  readers: readonly Reader[],
): Promise<string | undefined> {
  const names = await otherNames(keys, [requester]);
  const match = jidDecode(readers.find((reader) => reader.some((jid) => names.has(jidDecode(jid)?.user ?? "")))?.[0]);
  if (match === undefined) return undefined;
  const { user, device = 0 } = jidDecode(requester) ?? {};
  const jid = match.user === user ? requester : jidEncode(match.user, match.server, device);
  // For a phone, the library resends the message to all devices and stores the holders itself.
  if (device !== 0) await keys.given(chat, jid);
  return jid;
}
