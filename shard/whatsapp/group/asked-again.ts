import { jidDecode, jidEncode } from "@whiskeysockets/baileys";
import type { KeyStore } from "../keys/key-store.js";
import { otherNames } from "../other-names.js";

/** The names (JIDs, with a device or without) of somebody who may read what the account writes next; the first is the one that the key is given to. */
export type Reader = readonly [jid: string, ...others: string[]];

/**
 * Whether a device (JID) that asks for a message to a group, or for a status, again may have it: with it the library gives the key that the account writes with now, to whoever asks.
 * Who gets it is stored as somebody who has the key, before it is given. Resolves with the JID that it is known by, `undefined` for one that gets nothing.
 */
export async function admitsAgain(
  keys: Pick<KeyStore, "get" | "given">,
  chat: string,
  asking: string,
  readers: readonly Reader[],
): Promise<string | undefined> {
  const names = await otherNames(keys, [asking]);
  const known = jidDecode(readers.find((reader) => reader.some((jid) => names.has(jidDecode(jid)?.user ?? "")))?.[0]);
  if (known === undefined) return undefined;
  const { user, device = 0 } = jidDecode(asking) ?? {};
  const jid = known.user === user ? asking : jidEncode(known.user, known.server, device);
  // To a phone the message goes with all others' copies.
  if (device !== 0) await keys.given(chat, jid);
  return jid;
}
