import type { SessionId } from "../../shared/contract/ids.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "../../shared/contract/dead-letters.js";
import type { RetryOutput, TestEventOutput } from "../../shared/contract/webhook-trial.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import type { SessionHealth } from "./health/session-health.js";
import type { SessionPace } from "../tenant/pace/session-pace.js";
import type { SessionEvent, SessionState } from "../../shared/session/state.js";
import type { Log } from "../../shared/log/logger.js";
import type { EventType } from "../../shared/contract/webhook-events.js";

/** Checked inside the platform socket's own write, so that a former owner sends nothing more in the session's name. */
export interface Fence {
  /** True while this process's lease is valid and the slot's token is the current one. Does no I/O. */
  holds(): boolean;
}

/**
 * The credentials of one session, encrypted at rest and written under the slot's token. Rejects with `FencedError` once ownership is lost.
 */
export interface CredentialStore {
  /**
   * Returns `undefined` without stored credentials. Rejects with `UnreadableRecord` when they do not open, or `parse` finds nothing in
   * them.
   */
  read<T>(parse: (credentials: Buffer) => T | undefined): Promise<T | undefined>;
  /** Durable (acknowledged by Redis) before it resolves. */
  write(credentials: Buffer): Promise<void>;
  clear(): Promise<void>;
}

/** Secrets of one session beside its credentials, by name. They are encrypted at rest and written under the slot's token. */
export interface SecretMap {
  getMany(fields: readonly string[]): Promise<(Buffer | undefined)[]>;
  /**
   * Writes all changes (`undefined` deletes) and, while the webhook is on, appends the events, in one step. Durable before it resolves.
   * Rejects with `FencedError` once ownership is lost.
   */
  apply(changes: ReadonlyMap<string, Buffer | undefined>, events?: readonly UpdateEvent[]): Promise<void>;
  clear(): Promise<void>;
}

/** The content of sent messages, for devices that request one again: encrypted, fenced, bounded, kept 24 h. */
export interface SentMessages {
  /** Durable before it resolves. `entry` goes to the session's history in the same write. */
  keep(messageId: string, content: Buffer, entry?: UpdateEvent): Promise<void>;
  read(messageId: string): Promise<Buffer | undefined>;
  /** Returns when the content was kept, in Unix milliseconds. */
  sentAt(messageId: string): Promise<number | undefined>;
}

/** A bounded map of the session in Redis, such as its peers: write-behind, fenced, values encrypted at rest, names hashed. */
export interface SessionMap {
  get(name: string): Promise<string | undefined>;
  getMany(names: readonly string[]): Promise<(string | undefined)[]>;
  /** Returns all values without their names. */
  values(): Promise<readonly string[]>;
  /** An empty value removes its name. Past the map's cap, other entries are evicted; the platform can supply them again. */
  setMany(entries: ReadonlyMap<string, string>): Promise<void>;
  clear(): Promise<void>;
}

/** Newest messages of the session, with their changes. Entries get there as events (`UpdateEvent.to`). */
export interface MessageHistory {
  /** False: nothing is kept. */
  readonly isOn: boolean;
  /** Returns all entries that open, oldest first. */
  read(): Promise<readonly HistoryEntry[]>;
  /** Removes all entries, because another account logs in next. */
  clear(): Promise<void>;
}

/** One entry of a session's history. */
export interface HistoryEntry {
  /** Position in the history. */
  readonly at: string;
  /** Id of the event. A repeated write can leave two entries with one id. */
  readonly id: string;
  readonly type: string;
  /** What the event keeps, by default its `data`, without empty texts and lists, zeros and `false`. */
  readonly data: unknown;
  /** As in the event. */
  readonly secret?: string;
}

/** An event for a session's webhook receiver, its history, or both. */
export interface UpdateEvent {
  /** The same id for the same event, whichever process owns the session. */
  readonly id: string;
  readonly type: string;
  /** When it happened, ISO 8601. */
  readonly created: string;
  /** The `data` of the webhook's body; plain JSON. */
  readonly data: unknown;
  /** Where the event goes. Default: to the webhook alone. */
  readonly to?: "webhook" | "history" | "both";
  /** What the history keeps if it is more than `data`. */
  readonly kept?: object;
  /** Base64 of the secret that opens later changes of a message. The history alone keeps it. */
  readonly secret?: string;
}

/**
 * Position in the platform's updates, and their events. Both move in one fenced step, so that an update is either in the outbox or fetched
 * again.
 */
export interface UpdateLog {
  /** Returns the cursor as last stored; `undefined` before the first step and after `forget`. Opaque to the host. */
  cursor(): Promise<string | undefined>;
  /**
   * Stores the cursor and the chat of each message (message id -> chat id), and while the webhook is on appends the events; an id seen
   * before is dropped. Durable before it resolves. Rejects with `FencedError` once ownership is lost.
   */
  advance(step: {
    readonly cursor: string;
    readonly events: readonly UpdateEvent[];
    readonly messages: ReadonlyMap<string, string>;
    /** Message id -> a mark of its last edit. The mark is opaque to the host and kept as long as chats are. */
    readonly edits?: ReadonlyMap<string, string>;
    /** Further positions by name, kept until an empty one removes them. The platform bounds their number. */
    readonly positions?: ReadonlyMap<string, string>;
  }): Promise<void>;
  /** Returns further positions, in the order of the names; `undefined` for an altered one. */
  positionsOf(names: readonly string[]): Promise<(string | undefined)[]>;
  /** Returns true when an event with this id was stored within the last day. Bounded: the oldest ids are forgotten first. */
  seen(eventId: string): Promise<boolean>;
  /** Returns the chats of remembered messages, in the order of the ids. Bounded: the oldest are forgotten first. */
  chatsOf(messageIds: readonly string[]): Promise<(string | undefined)[]>;
  /** Returns the marks of the messages' last edits, in the order of the ids. */
  editsOf(messageIds: readonly string[]): Promise<(string | undefined)[]>;
  /** Forgets the cursor and the messages' chats, because another account logs in next. Waiting events stay in the outbox. */
  forget(): Promise<void>;
}

/** The webhook of a session, as its commands use it. Rejects with `FencedError` once ownership is lost. */
export interface WebhookPort {
  /** Returns true when no request would ever go to this URL. A name that does not resolve now may resolve one day. */
  refuses(url: string): Promise<boolean>;
  /** Takes effect as soon as Redis has it: no request to the former receiver begins after that. Retries until `signal` aborts. */
  set(settings: WebhookSettings, signal: AbortSignal): Promise<void>;
  listDeadLetters(query: DeadLetterQuery): Promise<DeadLetterPage>;
  /** Rejects with 409 while the webhook is off. The receiver gets `requestId`, which may be empty. */
  replayDeadLetters(requestId: string): Promise<ReplayOutput>;
  /** Retries the oldest waiting event at once. Rejects with 409 while the webhook is off. */
  retry(): Promise<RetryOutput>;
  /** Appends an event of type `test`, one for each command id. Rejects with 409 while the webhook is off or the outbox is full. */
  sendTest(commandId: string, requestId: string): Promise<TestEventOutput>;
}

/**
 * Events that a connector reports of its account. The end of a connection is reported by `connect`; owners and timers cause the other
 * events.
 */
export type AccountEvent = Extract<
  SessionEvent,
  {
    type:
      | "qr-issued"
      | "pairing-code-issued"
      | "linking-refused"
      | "passkey-step"
      | "password-required"
      | "logged-in"
      | "account-changed"
      /** The stored state names an account that has no stored login. */
      | "logged-out";
  }
>;

/** The stored parts that both a connector and its session use. */
interface StoredSession {
  readonly id: SessionId;
  readonly fence: Fence;
  readonly credentials: CredentialStore;
  readonly secrets: SecretMap;
  readonly sent: SentMessages;
  readonly peers: SessionMap;
  readonly updates: UpdateLog;
  readonly chatHistory: MessageHistory;
  /** Returns the types of events that the webhook's receiver gets; none while it is off. A promise only while the settings are read. */
  requestedEvents(): ReadonlySet<EventType> | Promise<ReadonlySet<EventType>>;
  /** Limits how fast the session may send. */
  readonly pace: SessionPace;
  /** How the platform treats the account. Blocks first messages while the platform restricts it. */
  readonly health: SessionHealth;
  readonly log: Log;
  /**
   * Returns the proxy of the next connection: its own or its tenant's, or `undefined`. Rejects when the proxy cannot be read, because
   * nothing may bypass it.
   */
  proxy(): Promise<ProxyAddress | undefined>;
  /** Returns the current state from memory, without I/O. */
  state(): SessionState;
}

/** Everything that a session lends to its connector while this process owns its slot. */
export interface ConnectorContext extends StoredSession {
  /** Aborts when the session must end here. */
  readonly signal: AbortSignal;
  /** Applies the event, stores the new state under the token, and resolves once readers can see it. */
  dispatch(event: AccountEvent): Promise<SessionState>;
}

/** Everything that this process stores of a session that it owns. */
export interface SessionContext extends StoredSession {
  readonly webhook: WebhookPort;
  /** A proxy of its tenant does not count. */
  readonly hasOwnProxy: boolean;
  /**
   * Stores its own proxy; empty to use its tenant's. Resolves with whether the proxy differs from the last connection's. Rejects with
   * `FencedError` once ownership is lost, and with `UnreadableRecord` if the data key does not open.
   */
  setProxy(proxy: string): Promise<boolean>;
  /** Notes an error for operators. It is stored with the next dispatched event, whether or not that event changes the state. */
  failed(why: string): void;
  /** See `ConnectorContext.dispatch`. After an event that deletes, the record is gone when it resolves. */
  dispatch(event: SessionEvent): Promise<SessionState>;
  /** Resolves when every dispatched event is stored or has failed, and no webhook is in flight. */
  close(): Promise<void>;
}
