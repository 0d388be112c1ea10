import { isPnUser, type SignalKeyStore, type SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { UnreadableRecord } from "../../../shared/session/unreadable-record.js";

/**
 * Reads the Signal sessions with these devices (JIDs) at once, so that the library, which asks for one after the other, finds them in memory: within a transaction to its end, else as long as the store
 * remembers them. Sessions are stored under the anonymous id where one is known, as in `signalStorage` of the library's `Signal/libsignal.js`.
 */
export async function readSessions(
  { lidMapping, jidToSignalProtocolAddress }: Pick<SignalRepositoryWithLIDStore, "lidMapping" | "jidToSignalProtocolAddress">,
  keys: Pick<SignalKeyStore, "get">,
  devices: readonly string[],
): Promise<void> {
  const known = (await lidMapping.getLIDsForPNs(devices.filter((jid) => isPnUser(jid)))) ?? [];
  const anonymous = new Map(known.map(({ pn, lid }) => [pn, lid]));
  try {
    await keys.get("session", [...new Set(devices.map((jid) => jidToSignalProtocolAddress(anonymous.get(jid) ?? jid)))]);
  } catch (error) {
    // One by one the library finds those that open, and agrees on a new one with the others.
    if (!(error instanceof UnreadableRecord)) throw error;
  }
}
