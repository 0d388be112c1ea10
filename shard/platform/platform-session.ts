import type { Commands } from "../../shared/contract/commands.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput, WebhookSettings } from "../../shared/contract/telegram/webhook.js";
import type { SessionEvent, SessionState } from "../../shared/session/state.js";
import type { Log } from "../../shared/log/logger.js";

/** What the host needs to keep any account alive. */
export interface PlatformSession {
  readonly platform: Platform;
  readonly id: SessionId;
  /** Connects, logs in, reconnects, until the signal ends it or the session is deleted. Never rejects: trouble is a state change. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves once the platform's sockets are closed and nothing of this session runs any more. Idempotent, bounded to 5 s. */
  close(): Promise<void>;
  /** Removes the device on the platform (best effort, bounded to 10 s), before the session is deleted or reset. */
  logOut(): Promise<void>;
}

/** Checked inside the platform socket's own write (reliability sheet 2.2, rule 7 and F9). */
export interface Fence {
  /** True while this process's lease is valid and the slot's token is the current one. No I/O. */
  holds(): boolean;
}

/** The credentials of one session: encrypted at rest, written under the slot's token. Rejects with `FencedError` once ownership is lost. */
export interface CredentialStore {
  /** `undefined` when there are none. Rejects with `UnreadableRecord` when those that are there do not open, or `parse` finds nothing in them. */
  read<T>(parse: (credentials: Buffer) => T | undefined): Promise<T | undefined>;
  /** Durable (acknowledged by Redis) before it resolves. */
  write(credentials: Buffer): Promise<void>;
  clear(): Promise<void>;
}

/** Secrets of one session beside its credentials, by name: encrypted at rest, written under the slot's token. */
export interface SecretMap {
  getMany(fields: readonly string[]): Promise<(Buffer | undefined)[]>;
  /** One atomic write of all changes (`undefined` deletes), durable before it resolves. Rejects with `FencedError` once ownership is lost. */
  apply(changes: ReadonlyMap<string, Buffer | undefined>): Promise<void>;
  clear(): Promise<void>;
}

/** The content of sent messages, for devices that ask for one again: encrypted, fenced, bounded, kept 24 h. */
export interface SentMessages {
  /** Durable before it resolves. */
  keep(messageId: string, content: Buffer): Promise<void>;
  read(messageId: string): Promise<Buffer | undefined>;
}

/** A bounded map of the session in Redis, such as its peers: write-behind, fenced, values in the clear. */
export interface SessionMap {
  get(field: string): Promise<string | undefined>;
  getMany(fields: readonly string[]): Promise<(string | undefined)[]>;
  getAll(): Promise<ReadonlyMap<string, string>>;
  /** An empty value removes the field. Past the map's cap some other field goes; what lives here can be fetched again from the platform. */
  setMany(entries: ReadonlyMap<string, string>): Promise<void>;
  clear(): Promise<void>;
}

/** Something that a session's receiver is to be told of. */
export interface UpdateEvent {
  /** The same for the same happening, whoever owns the session (reliability sheet 2.10.2). */
  readonly id: string;
  readonly type: string;
  /** When it happened, ISO 8601. */
  readonly created: string;
  /** The `data` of the webhook's body; plain JSON. */
  readonly data: unknown;
}

/**
 * Up to where the platform's updates were taken in, and what came of them. The cursor and the events move in one fenced step, so that an update is
 * either in the outbox or will be fetched again (reliability sheet 2.10.1).
 */
export interface UpdateLog {
  /** As last stored; `undefined` before the first step and after `forget`. Opaque to the host. */
  cursor(): Promise<string | undefined>;
  /**
   * Stores the cursor, remembers in which chat each message of `messages` (message id -> chat id) stands, and, while the webhook is on, appends the
   * events to the outbox; an id seen before is dropped. Durable before it resolves. Rejects with `FencedError` once ownership is lost.
   */
  advance(step: {
    readonly cursor: string;
    readonly events: readonly UpdateEvent[];
    readonly messages: ReadonlyMap<string, string>;
  }): Promise<void>;
  /** The chats of remembered messages, in the order asked. Bounded: the oldest are forgotten first. */
  chatsOf(messageIds: readonly string[]): Promise<(string | undefined)[]>;
  /** Another account logs in next: forgets the cursor and the messages' chats. What waits in the outbox stays. */
  forget(): Promise<void>;
}

/** The webhook of a session, as its commands reach it. Rejects with `FencedError` once ownership is lost. */
export interface WebhookPort {
  /** True when no request would ever go to this URL, whatever answers there. A name that cannot be looked up now may be one day. */
  refuses(url: string): Promise<boolean>;
  /** Takes effect in the moment in which Redis has it: no request to the former receiver begins after that. Tried until `signal` ends it. */
  set(settings: WebhookSettings, signal: AbortSignal): Promise<void>;
  listDeadLetters(query: DeadLetterQuery): Promise<DeadLetterPage>;
  /** Rejects with 409 while the webhook is off. */
  replayDeadLetters(): Promise<ReplayOutput>;
}

/** A shard connects only some of its accounts at a time, reconnects included, so that the loss of all at once does not end in a storm (reliability sheet 2.13). */
export interface ConnectGate {
  /** Resolves when the session may connect, or when the signal is aborted. */
  enter(signal: AbortSignal): Promise<void>;
  /** The connection has ended, or did not come about. Of a login the host knows by itself. Idempotent. */
  leave(): void;
}

/** Everything that the host lends to one session for as long as this process owns its slot. */
export interface SessionContext {
  readonly id: SessionId;
  readonly fence: Fence;
  readonly credentials: CredentialStore;
  readonly secrets: SecretMap;
  readonly sent: SentMessages;
  readonly peers: SessionMap;
  readonly updates: UpdateLog;
  readonly connecting: ConnectGate;
  readonly webhook: WebhookPort;
  readonly log: Log;
  /** Current state: cached, no I/O. */
  state(): SessionState;
  /** Applies the event, stores the new state under the token, and resolves once a reader would see it. */
  dispatch(event: SessionEvent): Promise<SessionState>;
}

/** A platform's adapter as the host knows it. */
export interface PlatformAdapter<P extends Platform, Session extends PlatformSession> {
  readonly platform: P;
  open(context: SessionContext): Session;
  readonly commands: Commands<P, Session>;
  /**
   * A login that is used from two places at once may be lost. When an owner fell silent and nobody saw its sockets close, its sessions connect elsewhere only so long after it was declared
   * dead, ms: by then the platform itself has dropped what it left open.
   */
  readonly dropMs: number;
}
