import type { SessionSecrets } from "./store/session-secrets.js";
import type { SessionSlot } from "./store/session-slot.js";
import type { SessionUpdates } from "./store/session-updates.js";
import type { SessionWriter } from "./store/session-writer.js";
import type { SecretMap, SentMessages, SessionMap, UpdateLog } from "./session-context.js";
import type { StoreAccess } from "./store-access.js";

/** Real accounts know a few thousand peers; what falls out can be fetched again. */
const peersCap = 50_000;

/** The parts of a session's record as its connector uses them: what is stored, each read and write by way of the session's access. */
export function secretsBy(access: StoreAccess, secrets: SessionSecrets): SecretMap {
  return {
    getMany: (fields) => access.sealed(() => secrets.getMany(fields)),
    apply: (changes) => access.sealed(() => secrets.apply(changes)),
    clear: () => access.patient(() => secrets.clear()),
  };
}

export function sentBy(access: StoreAccess, secrets: SessionSecrets): SentMessages {
  return {
    keep: (messageId, content) => access.sealed(() => secrets.keepSent(messageId, content)),
    read: (messageId) => access.sealed(() => secrets.readSent(messageId)),
  };
}

export function peersBy(access: StoreAccess, writer: SessionWriter, slot: SessionSlot): SessionMap {
  return {
    get: async (field) => (await access.patient(() => writer.readPeers(slot.id, [field])))[0],
    getMany: (fields) => access.patient(() => writer.readPeers(slot.id, fields)),
    getAll: () => access.patient(() => writer.readAllPeers(slot.id)),
    setMany: (entries) => access.patient(() => writer.writePeers(slot, entries, peersCap)),
    clear: () => access.patient(() => writer.clearPeers(slot)),
  };
}

/** `onAppended`: events came into the outbox; so many others were pushed out of it. */
export function updatesBy(access: StoreAccess, updates: SessionUpdates, onAppended: (overflowed: number) => void): UpdateLog {
  return {
    cursor: () => updates.cursor(),
    advance: async (step) => {
      const { appended, overflowed } = await access.opening(() => access.once(() => updates.advance(step)));
      if (appended > 0) onAppended(overflowed);
    },
    chatsOf: (messageIds) => updates.chatsOf(messageIds),
    forget: () => access.once(() => updates.forget()),
  };
}
