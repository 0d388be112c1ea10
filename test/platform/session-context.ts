import type { EventType } from "../../shared/contract/webhook-events.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { parseProxy, type ProxyAddress } from "../../shared/tenant/proxy-address.js";
import { silentLog } from "../../shared/log/logger.js";
import { initialState, type SessionEvent, type SessionState, transition } from "../../shared/session/state.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { SessionContext, UpdateEvent } from "../../shard/session/session-context.js";
import { goodHealth } from "../../shared/session/stored-health.js";
import { SessionHealth } from "../../shard/session/health/session-health.js";
import { noPace } from "../harness/no-pace.js";

/** Short delays of reconnects. */
export const timing = { backoffMinMs: 100, backoffMaxMs: 1_000 };
/** Every session may connect at once. */
export const openLimiter = { admit: () => Promise.resolve(), done: () => undefined };

/** Data that outlives a process. Give it to the next context to restart a session. */
export interface Storage {
  credentials: Buffer | undefined;
  peers: Map<string, string>;
  secrets?: Map<string, Buffer>;
  sent?: Map<string, Buffer>;
  /** `events` are the webhook's, as if it were always on, without repeats. */
  updates?: {
    cursor: string | undefined;
    events: UpdateEvent[];
    chats: Map<string, string>;
    edits: Map<string, string>;
    positions?: Map<string, string>;
  };
  state: SessionState;
}

function noUpdates(): NonNullable<Storage["updates"]> {
  return { cursor: undefined, events: [], chats: new Map<string, string>(), edits: new Map<string, string>() };
}

/** A session's host in memory, with the real state machine. */
export class TestContext implements SessionContext {
  readonly id = "65f000000000000000000001" as SessionId;
  readonly log = silentLog;
  readonly fence = { holds: () => this.owned };
  owned = true;
  hasOwnProxy = false;
  /** Types of the events that the webhook's receiver gets; a test may set them. */
  requested: ReadonlySet<EventType> = new Set();
  /** The proxy of its connections. */
  proxied: ProxyAddress | undefined;
  /** All events and writes in order, because their order is part of the contract. */
  readonly history: string[] = [];
  /** Errors of the session. */
  readonly failures: string[] = [];
  readonly credentials: SessionContext["credentials"];
  readonly secrets: SessionContext["secrets"];
  readonly sent: SessionContext["sent"];
  readonly peers: SessionContext["peers"];
  readonly updates: SessionContext["updates"];
  readonly chatHistory: SessionContext["chatHistory"];
  readonly pace: SessionContext["pace"];
  readonly health: SessionContext["health"];
  readonly webhook: SessionContext["webhook"] = {
    refuses: () => Promise.resolve(false),
    set: () => Promise.reject(new Error("a platform's test has no webhook")),
    listDeadLetters: () => Promise.resolve({ docs: [], next: "" }),
    replayDeadLetters: () => Promise.resolve({ replayed: 0, left: 0 }),
    retry: () => Promise.resolve({ waiting: 0 }),
    sendTest: () => Promise.reject(new Error("a platform's test has no webhook")),
  };
  private readonly watchers = new Set<() => void>();

  constructor(readonly storage: Storage = { credentials: undefined, peers: new Map(), state: initialState }) {
    this.credentials = {
      read: async (parse) => {
        if (storage.credentials === undefined) return undefined;
        const parsed = parse(storage.credentials);
        if (parsed === undefined) throw new UnreadableRecord("credentials");
        return parsed;
      },
      write: async (credentials) => {
        this.history.push("credentials");
        storage.credentials = credentials;
      },
      clear: async () => {
        storage.credentials = undefined;
      },
    };
    const append = (events: readonly UpdateEvent[]): void => {
      const { events: stored } = (storage.updates ??= noUpdates());
      // The real store remembers this many ids.
      const seen = new Set(stored.slice(-2_000).map(({ id }) => id));
      stored.push(...events.filter(({ id }) => !seen.has(id)));
      for (const watcher of [...this.watchers]) watcher();
    };
    const secrets = (storage.secrets ??= new Map<string, Buffer>());
    this.secrets = {
      getMany: async (fields) => fields.map((field) => secrets.get(field)),
      apply: async (changes, events = []) => {
        this.history.push("secrets");
        append(events);
        for (const [field, value] of changes) {
          if (value === undefined) secrets.delete(field);
          else secrets.set(field, value);
        }
      },
      clear: async () => secrets.clear(),
    };
    const sent = (storage.sent ??= new Map<string, Buffer>());
    const keptAt = new Map<string, number>();
    this.sent = {
      keep: async (messageId, content) => {
        sent.set(messageId, content);
        keptAt.set(messageId, Date.now());
      },
      read: async (messageId) => sent.get(messageId),
      sentAt: async (messageId) => keptAt.get(messageId),
    };
    this.peers = {
      get: async (field) => storage.peers.get(field),
      getMany: async (fields) => fields.map((field) => storage.peers.get(field)),
      values: async () => [...storage.peers.values()],
      setMany: async (entries) => {
        for (const [field, value] of entries) {
          if (value === "") storage.peers.delete(field);
          else storage.peers.set(field, value);
        }
      },
      clear: async () => storage.peers.clear(),
    };
    this.pace = noPace(this.peers);
    this.chatHistory = { isOn: false, read: () => Promise.resolve([]), clear: () => Promise.resolve() };
    this.health = new SessionHealth({
      stored: goodHealth,
      account: () => ("account" in storage.state ? storage.state.account.generatedId : ""),
      store: () => Promise.resolve(),
      onChanged: () => Promise.resolve(true),
      onBlocked: () => undefined,
      log: silentLog,
    });
    const updates = (storage.updates ??= noUpdates());
    this.updates = {
      cursor: async () => updates.cursor,
      advance: async ({ cursor, events, messages, edits, positions }) => {
        this.history.push("updates");
        updates.cursor = cursor;
        for (const [message, chat] of messages) updates.chats.set(message, chat);
        for (const [message, mark] of edits ?? []) updates.edits.set(message, mark);
        for (const [name, position] of positions ?? []) (updates.positions ??= new Map<string, string>()).set(name, position);
        append(events);
      },
      seen: async (id) => updates.events.some((event) => event.id === id),
      chatsOf: async (ids) => ids.map((id) => updates.chats.get(id)),
      editsOf: async (ids) => ids.map((id) => updates.edits.get(id)),
      positionsOf: async (names) => names.map((name) => updates.positions?.get(name) || undefined),
      forget: async () => {
        updates.cursor = undefined;
        updates.chats.clear();
        updates.edits.clear();
      },
    };
  }

  requestedEvents(): ReadonlySet<EventType> {
    return this.requested;
  }

  async proxy(): Promise<ProxyAddress | undefined> {
    return this.proxied;
  }

  async setProxy(proxy: string): Promise<boolean> {
    this.hasOwnProxy = proxy !== "";
    this.proxied = parseProxy(proxy);
    return true;
  }

  state(): SessionState {
    return this.storage.state;
  }

  failed(why: string): void {
    this.failures.push(why);
  }

  async dispatch(event: SessionEvent): Promise<SessionState> {
    this.history.push(event.type);
    this.storage.state = transition(this.storage.state, event);
    for (const watcher of [...this.watchers]) watcher();
    return this.storage.state;
  }

  close(): Promise<void> {
    return this.health.close();
  }

  /** Resolves with the first state that `wanted` accepts, which may be the current one. */
  until<S extends SessionState>(wanted: (state: SessionState) => state is S, timeoutMs?: number): Promise<S>;
  until(wanted: (state: SessionState) => boolean, timeoutMs?: number): Promise<SessionState>;
  until(wanted: (state: SessionState) => boolean, timeoutMs = 120_000): Promise<SessionState> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (!wanted(this.storage.state)) return;
        clearTimeout(timer);
        this.watchers.delete(check);
        resolve(this.storage.state);
      };
      const timer = setTimeout(() => {
        this.watchers.delete(check);
        reject(new Error(`state stayed ${JSON.stringify(this.storage.state).slice(0, 200)} after ${this.history.join(", ")}`));
      }, timeoutMs);
      this.watchers.add(check);
      check();
    });
  }

  /** Resolves with the first QR text other than `than`. */
  async qr(than = ""): Promise<string> {
    const state = await this.until(
      (one): one is SessionState & { kind: "awaiting-qr" } => one.kind === "awaiting-qr" && one.qr !== "" && one.qr !== than,
    );
    return state.qr;
  }

  connected(timeoutMs?: number): Promise<SessionState & { kind: "connected" }> {
    return this.until((one): one is SessionState & { kind: "connected" } => one.kind === "connected", timeoutMs);
  }
}
