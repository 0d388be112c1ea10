import type { SignalKeyStore } from "@whiskeysockets/baileys";
import type { Device } from "../group/keyed-groups.js";
import { otherNames } from "../other-names.js";
import { isTokenExpired } from "./contact-tokens.js";

/**
 * Returns true if the stored keys show that the person has written to the account. A message in a common group counts too, because the
 * keys do not name the chat. Sends no request.
 */
export async function hasWritten(
  keys: Pick<SignalKeyStore, "get">,
  jid: string,
  devicesOf: (user: string) => readonly Pick<Device, "device">[] | undefined,
): Promise<boolean> {
  const users = [...(await otherNames(keys, [jid]))];
  // Phones give a token of privacy to people they write to.
  const tokens = await keys.get(
    "tctoken",
    users.flatMap((user) => [`${user}@lid`, `${user}@s.whatsapp.net`]),
  );
  if (Object.values(tokens).some((given) => given.token.length > 0 && !isTokenExpired(given.timestamp, Date.now()))) return true;
  const devices = users.flatMap((user) => [0, ...(devicesOf(user) ?? []).map(({ device }) => device ?? 0)].slice(0, devicesMax));
  const names = users.flatMap((user) => devices.flatMap((device) => [`${user}.${device}`, `${user}_1.${device}`]));
  const sessions = await keys.get("session", [...new Set(names)]);
  return Object.values(sessions).some(hasReceived);
}

/** A phone links at most four more devices. */
const devicesMax = 10;

/** Until a message is decrypted in a session, libsignal's record keeps the prekey with which the account began it. */
function hasReceived(record: unknown): boolean {
  const sessions: unknown = Reflect.get(Object(record), "_sessions");
  return Object.values(Object(sessions) as object).some(
    (session: unknown) => typeof session === "object" && session !== null && Reflect.get(session, "pendingPreKey") === undefined,
  );
}
