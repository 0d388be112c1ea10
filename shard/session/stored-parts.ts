import type { SessionHistory } from "./store/session-history.js";
import type { SessionSecrets } from "./store/session-secrets.js";
import type { SessionPeers } from "./store/session-peers.js";
import type { SessionUpdates } from "./store/session-updates.js";
import type { MessageHistory, SecretMap, SentMessages, SessionMap, UpdateLog } from "./session-context.js";
import type { StoreAccess } from "./store-access.js";

/** Real accounts know a few thousand peers. Evicted peers can be fetched again. */
const peersCap = 50_000;

/**
 * Makes the parts of a session's record for its connector: each read and write goes through the session's access. `onAppended` is called as
 * in `updatesBy`.
 */
export function secretsBy(access: StoreAccess, secrets: SessionSecrets, onAppended: (overflowed: number) => void): SecretMap {
  return {
    getMany: (fields) => access.sealed(() => secrets.getMany(fields)),
    apply: async (changes, events) => {
      const { overflowed } = await access.sealed(() => secrets.apply(changes, events));
      // A repeated write appends nothing, although its events may still wait.
      if (events?.some(({ to }) => to !== "history") === true) onAppended(overflowed);
    },
    clear: () => access.withRetries(() => secrets.clear()),
  };
}

export function sentBy(access: StoreAccess, secrets: SessionSecrets): SentMessages {
  return {
    keep: (messageId, content, entry) => access.sealed(() => secrets.keepSent(messageId, content, entry)),
    read: (messageId) => access.sealed(() => secrets.readSent(messageId)),
    sentAt: (messageId) => access.withRetries(() => secrets.readSentAt(messageId)),
  };
}

export function historyBy(access: StoreAccess, history: SessionHistory): MessageHistory {
  return {
    isOn: history.isOn,
    read: () => access.sealed(() => history.read()),
    clear: () => access.withRetries(() => history.clear()),
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

export interface EventSelection {
  /** Returns the types of events that the receiver gets; none while the webhook is off. */
  readonly requested: () => ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Called when events may wait in the outbox, with the number of events that were pushed out of it. */
  readonly onAppended: (overflowed: number) => void;
}

export function updatesBy(access: StoreAccess, updates: SessionUpdates, { requested, onAppended }: EventSelection): UpdateLog {
  return {
    cursor: () => access.opening(() => updates.cursor()),
    advance: async (step) => {
      const types = step.events.length === 0 ? undefined : await requested();
      const isOn = types !== undefined && types.size > 0;
      // While the webhook is off, the events are passed on, because their ids are remembered.
      const events = isOn ? step.events.filter(({ type }) => types.has(type)) : step.events;
      const { appended, overflowed } = await access.opening(() => access.once(() => updates.advance({ ...step, events })));
      // A repeated step appends nothing, although its events may still wait.
      if (appended > 0 || (isOn && events.length > 0)) onAppended(overflowed);
    },
    seen: (eventId) => access.opening(() => updates.seen(eventId)),
    chatsOf: (messageIds) => access.opening(() => updates.chatsOf(messageIds)),
    editsOf: (messageIds) => access.opening(() => updates.editsOf(messageIds)),
    positionsOf: (names) => access.opening(() => updates.positionsOf(names)),
    forget: () => access.once(() => updates.forget()),
  };
}
