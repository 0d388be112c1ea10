import type { SessionId } from "../../shared/contract/ids.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { DataKey } from "./store/data-key.js";
import type { SessionKey } from "../../shared/session/session-key.js";
import { unopenedState } from "../../shared/session/stored-state.js";
import type { Log } from "../../shared/log/logger.js";
import { parseProxy, type ProxyAddress } from "../../shared/tenant/proxy-address.js";
import { FencedError } from "../../shared/redis/script.js";
import type { SessionSlot } from "./store/session-slot.js";
import type { SessionWriter } from "./store/session-writer.js";
import { transition, type SessionEvent, type SessionState } from "../../shared/session/state.js";
import { goodHealth, type Restriction, type StoredHealth } from "../../shared/session/stored-health.js";
import type { SessionLife } from "../../shared/session/summary.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { ProxyFault } from "../egress/proxy-fault.js";
import { SessionHealth } from "./health/session-health.js";
import type { SessionPace } from "../tenant/pace/session-pace.js";
import type { EventType } from "../../shared/contract/webhook-events.js";
import type { DeliveryOptions, EventDelivery } from "./event-delivery.js";
import type {
  CredentialStore,
  Fence,
  MessageHistory,
  SecretMap,
  SentMessages,
  SessionContext,
  SessionMap,
  UpdateLog,
  WebhookPort,
} from "./session-context.js";
import { changeOf, isLink, type QrChange, type StateChange } from "./state-change.js";
import { StoreAccess } from "./store-access.js";
import { SessionEvents } from "./session-events.js";
import { historyBy, peersBy, secretsBy, sentBy, updatesBy } from "./stored-parts.js";
import { UnreadableParts } from "./unreadable-parts.js";

export interface SessionStoreOptions {
  id: SessionId;
  token: SlotToken;
  state: SessionState;
  life: SessionLife;
  /** The account's health, as it was loaded. */
  health?: StoredHealth;
  /** The data key, as it was loaded. */
  key?: SessionKey | undefined;
  /** The session has a proxy of its own. */
  hasProxy: boolean;
  /** Returns the proxy of its tenant: empty without one, `undefined` when it is not known. */
  tenantProxy: () => string | undefined;
  writer: SessionWriter;
  fence: Fence;
  /** Opens the delivery of its events. Nothing is sent before the first `wake`. */
  openDelivery: (options: Omit<DeliveryOptions, "tenant" | "onOutcome">) => EventDelivery;
  /** Opens what keeps the session to its pace. `linkedAt` returns when its account was last linked, if known. */
  openPace: (peers: SessionMap, linkedAt: () => Date | undefined) => SessionPace;
  /** Renders a QR code as PNG. */
  qrPng: (text: string) => Promise<Buffer>;
  /** Called when a write was refused because the token is no longer the slot's. */
  onFenced: () => void;
  /** Called after each stored transition. */
  onState: (state: SessionState) => void;
  /** Called after each stored change of the platform's restriction; `undefined` when it has ended. */
  onRestriction?: (restriction: Restriction | undefined) => void;
  /** Called when a first message was blocked because of the restriction. */
  onBlocked?: () => void;
  log: Log;
  /** See `UnreadablePartsOptions`. */
  rereadMs?: number;
}

const writeTries = 3;

/** Stores the state, the secrets and the webhook of one session under the token of its slot. */
export class SessionStore implements SessionContext {
  readonly id: SessionId;
  readonly log: Log;
  readonly fence: Fence;
  readonly credentials: CredentialStore;
  readonly secrets: SecretMap;
  readonly sent: SentMessages;
  readonly peers: SessionMap;
  readonly updates: UpdateLog;
  readonly chatHistory: MessageHistory;
  private readonly events: SessionEvents;
  readonly pace: SessionPace;
  readonly health: SessionHealth;
  readonly delivery: EventDelivery;
  private readonly slot: SessionSlot;
  private readonly access: StoreAccess;
  private readonly dataKey: DataKey;
  private readonly unreadableParts: UnreadableParts;
  private readonly changes = new SerialQueue();
  private current: SessionState;
  private life: SessionLife;
  private unstored = false;
  /** The last error for operators, as it is stored. */
  private storedError: string;
  private readonly proxyChanges = new SerialQueue();
  /** Whether it has a proxy of its own; `undefined` while it is unknown whether a change was stored. */
  private ownProxy: boolean | undefined;
  /** The proxy of the last connection, as it is stored; `undefined` while it is being read. */
  private connectionProxy: string | undefined;

  constructor(private readonly options: SessionStoreOptions) {
    const { id, token, writer, fence, onFenced, log } = options;
    this.id = id;
    this.log = log;
    this.fence = fence;
    this.current = options.state;
    this.life = options.life;
    this.storedError = options.life.lastError;
    this.ownProxy = options.hasProxy;
    this.slot = { id, token };
    const onUnreadable = (record: UnreadableRecord): void => this.unreadable(record);
    this.access = new StoreAccess({ fence, onFenced, onUnreadable });
    const { access, slot } = this;
    const dataKey = writer.dataKey(slot, options.key);
    this.dataKey = dataKey;
    const secrets = writer.secrets(slot, dataKey);
    const outbox = writer.outbox(slot, dataKey);
    this.credentials = {
      read: (parse) => this.readCredentials(parse),
      write: (credentials) => access.sealed(() => writer.writeCredentials(slot, credentials)),
      clear: () => access.withRetries(() => writer.clearCredentials(slot)),
    };
    const onAppended = (overflowed: number): void => this.delivery.appended(overflowed);
    this.secrets = secretsBy(access, secrets, onAppended);
    this.events = new SessionEvents({
      requested: () => this.requestedEvents(),
      append: (event) => this.secrets.apply(new Map(), [event]),
      log,
    });
    this.sent = sentBy(access, secrets);
    this.peers = peersBy(access, writer.peers(slot, dataKey));
    this.pace = options.openPace(this.peers, () => this.life.linked);
    this.health = new SessionHealth({
      stored: options.health ?? goodHealth,
      account: () => ("account" in this.current ? this.current.account.generatedId : ""),
      store: (health) => access.sealed(() => writer.writeHealth(slot, health, dataKey)),
      onChanged: (restriction, eventId) => this.restrictionChanged(restriction, eventId),
      onBlocked: () => options.onBlocked?.(),
      log,
    });
    this.updates = updatesBy(access, writer.updates(slot, dataKey), { requested: () => this.requestedEvents(), onAppended });
    this.chatHistory = historyBy(access, writer.history(slot, dataKey));
    this.unreadableParts = new UnreadableParts({
      rereads: new Map<string, () => Promise<unknown>>([
        ["secret", () => secrets.reread()],
        ["webhook", () => outbox.read()],
        ["data key", () => dataKey.get()],
      ]),
      live: () => this.current.kind !== "deleted" && fence.holds(),
      onAllOpen: () => void this.dispatch({ type: "record-opened" }).catch(() => undefined),
      log,
      rereadMs: options.rereadMs,
    });
    this.delivery = options.openDelivery({ outbox, fence, onFenced, onUnreadable, log });
  }

  /** When its account was last linked, if known. */
  get linkedAt(): Date | undefined {
    return this.life.linked;
  }

  get hasOwnProxy(): boolean {
    return this.ownProxy === true;
  }

  async proxy(): Promise<ProxyAddress | undefined> {
    const { tenantProxy, writer } = this.options;
    this.connectionProxy = undefined;
    const own = this.ownProxy === false ? "" : await this.access.withRetries(() => writer.readProxy(this.id)).catch(unreadable);
    const text = own === "" ? tenantProxy() : own;
    this.connectionProxy = text;
    if (text === "") return undefined;
    const address = text === undefined ? undefined : parseProxy(text);
    if (address === undefined) throw new ProxyFault("unreadable");
    return address;
  }

  setProxy(proxy: string): Promise<boolean> {
    const { tenantProxy, writer } = this.options;
    return this.proxyChanges.run(async () => {
      this.ownProxy = undefined;
      await this.access.opening(() => this.access.withRetries(() => writer.writeProxy(this.slot, proxy, this.dataKey)));
      this.ownProxy = proxy !== "";
      // A repeated call would find its own value stored, so the value is compared with the connection's proxy.
      return this.connectionProxy === undefined || this.connectionProxy !== (proxy === "" ? tenantProxy() : proxy);
    });
  }

  requestedEvents(): ReadonlySet<EventType> | Promise<ReadonlySet<EventType>> {
    const types = this.delivery.requestedTypes();
    return types instanceof Promise ? this.access.opening(() => types) : types;
  }

  get webhook(): WebhookPort {
    return this.delivery;
  }

  state(): SessionState {
    return this.current;
  }

  failed(why: string): void {
    this.life = { ...this.life, lastError: why };
  }

  dispatch(event: SessionEvent): Promise<SessionState> {
    return this.changes.run(() => this.apply(event));
  }

  /** Stores the state again under this owner's token, so that routers see an active session. */
  stamp(): Promise<void> {
    return this.changes.run(() => this.store(this.current, undefined));
  }

  /** Resolves when every dispatched event is stored or has failed. */
  flushed(): Promise<void> {
    return this.changes.idle();
  }

  async close(): Promise<void> {
    await Promise.all([this.flushed(), this.health.close(), this.delivery.close()]);
  }

  private async apply(event: SessionEvent): Promise<SessionState> {
    // Readers and the deletion check compare with the stored state.
    if (this.unstored) await this.store(this.current, undefined);
    const change = changeOf(this.current, event);
    if (change.kind === "nothing") {
      // Operators must see why a session does not connect, even while its state stays the same.
      if (this.life.lastError !== this.storedError && this.current.kind !== "deleted") await this.store(this.current, undefined);
      return this.current;
    }
    if (change.kind === "remove") return this.remove(change);
    const qr = await this.pictureOf(change.qr);
    if (change.state.kind !== this.current.kind) this.life = { ...this.life, since: new Date() };
    if (isLink(this.current, change.state)) this.life = { ...this.life, linked: new Date() };
    const before = this.current;
    this.current = change.state;
    await this.store(change.state, qr);
    this.options.onState(change.state);
    await this.events.changed(before, change.state, this.life.lastError);
    return change.state;
  }

  private async remove({ state, expected }: StateChange & { kind: "remove" }): Promise<SessionState> {
    if (await this.events.deleting(state.reason)) await this.delivery.drained();
    const removed = await this.access.opening(() => this.access.once(() => this.options.writer.remove(this.slot, expected, this.dataKey)));
    if (!removed) {
      this.log.error({ state: this.current.kind, reason: state.reason }, "session deletion skipped, state changed");
      return this.current;
    }
    this.current = state;
    this.log.info({ reason: state.reason }, "session deleted");
    this.options.onState(state);
    return state;
  }

  /** Returns the picture as the writer takes it. A code that cannot be drawn is removed; the next one comes within 30 s. */
  private async pictureOf(change: QrChange): Promise<string | undefined> {
    if (change.kind === "keep") return undefined;
    if (change.kind === "clear") return "";
    try {
      return (await this.options.qrPng(change.text)).toString("base64");
    } catch (error) {
      this.log.error({ err: error }, "qr code rendering failed");
      return "";
    }
  }

  /**
   * Retries while the slot is ours, three times at least. A state that could not be stored is stored with the next event, at the latest by
   * the 10 s tick.
   */
  private async store(state: SessionState, qr: string | undefined): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const life = this.lifeNow();
        const exists = await this.access.withRetries(() => this.options.writer.writeState(this.slot, state, life, qr, this.dataKey));
        this.unstored = false;
        this.storedError = life.lastError;
        if (!exists) this.log.warn({}, "session no longer exists");
        return;
      } catch (error) {
        this.unstored = true;
        if (error instanceof FencedError || attempt === writeTries) throw error;
      }
    }
  }

  /** Stores the summary, in which operators see the restriction, and reports it. Never rejects. */
  private async restrictionChanged(restriction: Restriction | undefined, eventId: string): Promise<boolean> {
    // The next event stores a summary that could not be stored.
    await this.changes.run(() => this.store(this.current, undefined)).catch(() => undefined);
    this.options.onRestriction?.(restriction);
    return await this.events.restricted(restriction, eventId);
  }

  private lifeNow(): SessionLife {
    const { restriction } = this.health;
    return restriction === undefined ? this.life : { ...this.life, restrictedUntil: restriction.until };
  }

  private async readCredentials<T>(parse: (credentials: Buffer) => T | undefined): Promise<T | undefined> {
    const found = await this.access.opening(async () => {
      const bytes = await this.access.withRetries(() => this.options.writer.readCredentials(this.id));
      const parsed = bytes === undefined ? undefined : parse(bytes);
      if (bytes !== undefined && parsed === undefined) throw new UnreadableRecord("credentials");
      return parsed;
    });
    for (const part of ["data key", "credentials"]) this.unreadableParts.opened(part);
    await this.changes.run(() => this.readStateAgain());
    await this.dispatch({ type: "record-opened" });
    return found;
  }

  /** Replaces the placeholder that stood for the state while its key did not open. */
  private async readStateAgain(): Promise<void> {
    if (this.current !== unopenedState) return;
    const stored = await this.access.withRetries(() => this.options.writer.readState(this.id));
    if (stored === undefined || stored === unopenedState) return;
    this.current = transition(stored, { type: "connection-lost" });
    await this.store(this.current, undefined);
  }

  /** Stops the session's timers, unless the unreadable part expires by itself. */
  private unreadable(record: UnreadableRecord): void {
    // The event takes effect in memory at once. If it could not be stored, the next event stores it.
    if (this.unreadableParts.found(record)) this.dispatch({ type: "record-unreadable" }).catch(() => undefined);
  }
}

/** Rethrows every other error (Redis, or ownership), which is no fault of the proxy. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableRecord)) throw error;
}
