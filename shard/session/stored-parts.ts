import type { SessionSecrets } from "./store/session-secrets.js";
import type { SessionPeers } from "./store/session-peers.js";
import type { SessionUpdates } from "./store/session-updates.js";
import type { SecretMap, SentMessages, SessionMap, UpdateLog } from "./session-context.js";
import type { StoreAccess } from "./store-access.js";

/** Real accounts know a few thousand peers. Evicted peers can be fetched again. */
const peersCap = 50_000;

/** Makes the parts of a session's record for its connector: each read and write goes through the session's access. */
export function secretsBy(access: StoreAccess, secrets: SessionSecrets): SecretMap {
  return {
    getMany: (fields) => access.sealed(() => secrets.getMany(fields)),
    apply: (changes) => access.sealed(() => secrets.apply(changes)),
    clear: () => access.withRetries(() => secrets.clear()),
  };
}

export function sentBy(access: StoreAccess, secrets: SessionSecrets): SentMessages {
  return {
    keep: (messageId, content) => access.sealed(() => secrets.keepSent(messageId, content)),
    read: (messageId) => access.sealed(() => secrets.readSent(messageId)),
  };
}

export function peersBy(access: StoreAccess, peers: SessionPeers): SessionMap {
  return {
    get: async (name) => (await access.sealed(() => peers.getMany([name])))[0],
    getMany: (names) => access.sealed(() => peers.getMany(names)),
    values: () => access.sealed(() => peers.values()),
    setMany: (entries) => access.sealed(() => peers.setMany(entries, peersCap)),
    clear: () => access.withRetries(() => peers.clear()),
  };
}

/** `onAppended`: called after events were appended, with the number of events pushed out of the outbox. */
export function updatesBy(access: StoreAccess, updates: SessionUpdates, onAppended: (overflowed: number) => void): UpdateLog {
  return {
    cursor: () => access.opening(() => updates.cursor()),
    advance: async (step) => {
      const { appended, overflowed } = await access.opening(() => access.once(() => updates.advance(step)));
      if (appended > 0) onAppended(overflowed);
    },
    chatsOf: (messageIds) => access.opening(() => updates.chatsOf(messageIds)),
    editsOf: (messageIds) => access.opening(() => updates.editsOf(messageIds)),
    forget: () => access.once(() => updates.forget()),
  };
}
