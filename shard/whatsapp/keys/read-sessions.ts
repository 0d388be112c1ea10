import { isPnUser, type SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { UnreadableRecord } from "../../../shared/session/unreadable-record.js";
import type { SignalSessions } from "../signal-sessions/signal-sessions.js";

/**
 * Reads the Signal sessions with these devices (JIDs) at once, so that the library's single reads find them in memory. A session is stored
 * under the anonymous id if known, as in the library's `Signal/libsignal.js`.
 */
export async function readSessions(
  { lidMapping, jidToSignalProtocolAddress }: Pick<SignalRepositoryWithLIDStore, "lidMapping" | "jidToSignalProtocolAddress">,
  sessions: Pick<SignalSessions, "prepare">,
  devices: readonly string[],
): Promise<void> {
  const mapped = (await lidMapping.getLIDsForPNs(devices.filter((jid) => isPnUser(jid)))) ?? [];
  const anonymous = new Map(mapped.map(({ pn, lid }) => [pn, lid]));
  try {
    await sessions.prepare([...new Set(devices.map((jid) => jidToSignalProtocolAddress(anonymous.get(jid) ?? jid)))]);
  } catch (error) {
    // The library then reads one at a time, and agrees on a new session where the stored one is damaged.
    if (!(error instanceof UnreadableRecord)) throw error;
  }
}
