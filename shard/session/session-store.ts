import { retryWhile } from "../redis/retry.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import { FencedError } from "../../shared/redis/script.js";
import type { SessionWriter } from "./store/session-writer.js";
import { transition, type SessionEvent, type SessionState } from "../../shared/session/state.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { Delivery, DeliveryOptions } from "../webhook/delivery.js";
import type {
  CredentialStore,
  Fence,
  SecretMap,
  SentMessages,
  SessionContext,
  SessionMap,
  UpdateLog,
  WebhookPort,
} from "./session-context.js";
import { UnreadableParts } from "./unreadable-parts.js";

export interface SessionStoreOptions {
  id: SessionId;
  token: SlotToken;
  state: SessionState;
  writer: SessionWriter;
  fence: Fence;
  /** Makes the delivery of its events; nothing is sent before the first `wake`. */
  openDelivery: (options: DeliveryOptions) => Delivery;
  /** Renders the QR's PNG. */
  qrPng: (text: string) => Promise<Buffer>;
  /** A write was refused: the token is not the slot's any more. */
  onFenced: () => void;
  /** Counts a transition that was stored. */
  onState: (state: SessionState) => void;
  log: Log;
  /** See `UnreadablePartsOptions`. */
  rereadMs?: number;
}

/** Real accounts know a few thousand peers; what falls out can be fetched again. */
const peersCap = 50_000;
const writeTries = 3;

/** What is stored of one session, written under the token of its slot: its state, its secrets, its webhook. */
export class SessionStore implements SessionContext {
  readonly id: SessionId;
  readonly log: Log;
  readonly fence: Fence;
  readonly credentials: CredentialStore;
  readonly secrets: SecretMap;
  readonly sent: SentMessages;
  readonly peers: SessionMap;
  readonly updates: UpdateLog;
  readonly delivery: Delivery;
  private current: SessionState;
  private unstored = false;
  private readonly unreadableParts: UnreadableParts;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: SessionStoreOptions) {
    this.id = options.id;
    this.log = options.log;
    this.fence = options.fence;
    this.current = options.state;
    const { writer } = options;
    const written = { id: options.id, token: options.token };
    this.credentials = {
      read: (parse) => this.readCredentials(parse),
      write: (credentials) => this.opening(() => this.patient(() => writer.writeCredentials(written, credentials))),
      clear: () => this.patient(() => writer.clearCredentials(written)),
    };
    const dataKey = writer.dataKey(options.id);
    const secrets = writer.secrets(written, dataKey);
    this.secrets = {
      getMany: (fields) => this.opening(() => this.patient(() => secrets.getMany(fields))),
      apply: (changes) => this.opening(() => this.patient(() => secrets.apply(changes))),
      clear: () => this.patient(() => secrets.clear()),
    };
    this.sent = {
      keep: (messageId, content) => this.opening(() => this.patient(() => secrets.keepSent(messageId, content))),
      read: (messageId) => this.opening(() => this.patient(() => secrets.readSent(messageId))),
    };
    this.peers = {
      get: async (field) => (await this.patient(() => writer.readPeers(options.id, [field])))[0],
      getMany: (fields) => this.patient(() => writer.readPeers(options.id, fields)),
      getAll: () => this.patient(() => writer.readAllPeers(options.id)),
      setMany: (entries) => this.patient(() => writer.writePeers(written, entries, peersCap)),
      clear: () => this.patient(() => writer.clearPeers(written)),
    };
    const updates = writer.updates(written, dataKey);
    this.updates = {
      cursor: () => updates.cursor(),
      advance: async (step) => {
        const { appended, overflowed } = await this.opening(() => this.fenced(() => updates.advance(step)));
        if (appended > 0) this.delivery.appended(overflowed);
      },
      chatsOf: (messageIds) => updates.chatsOf(messageIds),
      forget: () => this.fenced(() => updates.forget()),
    };
    const onUnreadable = (record: UnreadableRecord): void => this.unreadable(record);
    const outbox = writer.outbox(written, dataKey);
    this.unreadableParts = new UnreadableParts({
      rereads: new Map<string, () => Promise<unknown>>([
        ["secret", () => secrets.reread()],
        ["webhook", () => outbox.read()],
        ["data key", () => dataKey.get()],
      ]),
      live: () => this.current.kind !== "deleted" && options.fence.holds(),
      onAllOpen: () => void this.dispatch({ type: "record-opened" }).catch(() => undefined),
      log: options.log,
      rereadMs: options.rereadMs,
    });
    this.delivery = options.openDelivery({
      outbox,
      fence: options.fence,
      onFenced: options.onFenced,
      onUnreadable,
      log: options.log,
    });
  }

  get webhook(): WebhookPort {
    return this.delivery;
  }

  state(): SessionState {
    return this.current;
  }

  dispatch(event: SessionEvent): Promise<SessionState> {
    const applied = this.queue.then(() => this.apply(event));
    this.queue = applied.catch(() => undefined);
    return applied;
  }

  /** Stamps the stored state with this owner's token, so that routers see an active session again. */
  stamp(): Promise<void> {
    const stamped = this.queue.then(() => this.store(this.current, undefined));
    this.queue = stamped.catch(() => undefined);
    return stamped;
  }

  /** Resolves when every dispatched event is stored or has failed. */
  async flushed(): Promise<void> {
    await this.queue;
  }

  async close(): Promise<void> {
    await Promise.all([this.flushed(), this.delivery.close()]);
  }

  private async apply(event: SessionEvent): Promise<SessionState> {
    const before = this.current;
    // Readers and the deletion check compare with what is stored.
    if (this.unstored) await this.store(before, undefined);
    const after = transition(before, event);
    if (after === before) return after;
    if (after.kind === "deleted") return this.remove(before, after);
    const qr = await this.qrOf(before, after);
    this.current = after;
    await this.store(after, qr);
    this.options.onState(after);
    return after;
  }

  /** A timer's deletion stands only if the stored state is still the one that it judged. */
  private async remove(before: SessionState, after: SessionState & { kind: "deleted" }): Promise<SessionState> {
    const written = { id: this.id, token: this.options.token };
    const removed = await this.fenced(() => this.options.writer.remove(written, after.reason === "owner" ? undefined : before));
    if (!removed) {
      this.log.error({ state: before.kind, reason: after.reason }, "deletion refused: the stored state is another");
      return before;
    }
    this.current = after;
    this.log.info({ reason: after.reason }, "session deleted");
    this.options.onState(after);
    return after;
  }

  /** `undefined` keeps the stored picture. A code that cannot be drawn is shown as none; the next one comes within 30 s. */
  private async qrOf(before: SessionState, after: SessionState): Promise<string | undefined> {
    const text = after.kind === "awaiting-qr" ? after.qr : "";
    if (text === "") return "";
    if (before.kind === "awaiting-qr" && before.qr === text) return undefined;
    try {
      return (await this.options.qrPng(text)).toString("base64");
    } catch (error) {
      this.log.error({ err: error }, "qr could not be drawn");
      return "";
    }
  }

  /** Tries as long as the slot is ours, three times at least; a state that could not be stored is stored with the next event, at the latest by the 10 s tick. */
  private async store(state: SessionState, qr: string | undefined): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const exists = await this.patient(() => this.options.writer.writeState({ id: this.id, token: this.options.token }, state, qr));
        this.unstored = false;
        if (!exists) this.log.warn({}, "state of a session that is gone");
        return;
      } catch (error) {
        this.unstored = true;
        if (error instanceof FencedError || attempt === writeTries) throw error;
      }
    }
  }

  private async readCredentials<T>(parse: (credentials: Buffer) => T | undefined): Promise<T | undefined> {
    const found = await this.opening(async () => {
      const bytes = await this.patient(() => this.options.writer.readCredentials(this.id));
      const parsed = bytes === undefined ? undefined : parse(bytes);
      if (bytes !== undefined && parsed === undefined) throw new UnreadableRecord("credentials");
      return parsed;
    });
    for (const part of ["data key", "credentials"]) this.unreadableParts.opened(part);
    await this.dispatch({ type: "record-opened" });
    return found;
  }

  private async opening<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof UnreadableRecord) this.unreadable(error);
      throw error;
    }
  }

  /** No timer counts from here on, unless it passes by itself. */
  private unreadable(record: UnreadableRecord): void {
    // In memory it stands at once; what could not be stored is stored with the next event.
    if (this.unreadableParts.found(record)) this.dispatch({ type: "record-unreadable" }).catch(() => undefined);
  }

  /**
   * A Redis that is away for some seconds costs no connection and no command: the session's store is asked again for as long as the slot is ours, which without Redis is
   * 17 s at most; a command's own deadline ends its wait, not this. Every one of these writes sets what it is given, so it may be done twice, and none comes
   * behind a later one: whoever writes the same field waits for the write before.
   */
  private patient<T>(call: () => Promise<T>): Promise<T> {
    return this.fenced(() => retryWhile(call, () => this.options.fence.holds()));
  }

  private async fenced<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof FencedError) this.options.onFenced();
      throw error;
    }
  }
}
