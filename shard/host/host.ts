import type { NewSession } from "../../shared/contract/command-row.js";
import type { CommandId, SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { sessionNotActive } from "../../shared/contract/errors.js";
import { slotOf } from "../../shared/cluster/slot.js";
import type { Log } from "../../shared/log/logger.js";
import { sessionTag } from "../../shared/log/session-tag.js";
import type { LoadedSession, SessionWriter } from "../session/store/session-writer.js";
import { tenantIn } from "../session/store/tenant-sessions.js";
import { initialState, isUnreadable, transition, type SessionState } from "../../shared/session/state.js";
import { pause } from "../../shared/flow/pause.js";
import { ConnectLimiter } from "../session/connect-limiter.js";
import type { PlatformRegistry } from "../session/platform-adapter.js";
import { Session } from "../session/session.js";
import { SessionStore } from "../session/session-store.js";
import type { Courier } from "../webhook/courier.js";
import type { SlotKeeper } from "./slot-keeper.js";
import type { AcquiredSlot, SlotListener } from "./slot-listener.js";

export interface HostOptions {
  writer: SessionWriter;
  platforms: PlatformRegistry;
  /** How late the event loop is, ms; absent: never. */
  lagMs?: () => number;
  qrPng: (text: string) => Promise<Buffer>;
  courier: Pick<Courier, "open">;
  metrics: HostMetrics;
  log: Log;
}

export interface HostMetrics {
  sessionOpened(platform: Platform): void;
  sessionClosed(platform: Platform): void;
  stateEntered(platform: Platform, state: SessionState["kind"]): void;
}

/** What the host asks of the slot keeper. */
type HeldSlots = Pick<SlotKeeper, "holds" | "token" | "fenced">;

interface Hosted {
  readonly platform: Platform;
  readonly slot: number;
  readonly session: Session;
  readonly store: SessionStore;
}

/** The sessions of this process's slots: opened when a slot comes, closed before it goes. */
export class Host implements SlotListener {
  private readonly hosted = new Map<SessionId, Hosted>();
  private readonly limiter: ConnectLimiter;
  private readonly opening = new Map<number, Promise<void>>();
  /** Slots of ids whose record is not even a session's: it is left as it is. */
  private readonly unread = new Map<SessionId, number>();
  /** A session that comes back to us waits until its former life has closed its sockets. */
  private readonly closing = new Map<SessionId, Promise<void>>();
  private slots: HeldSlots | undefined;

  constructor(private readonly options: HostOptions) {
    this.limiter = new ConnectLimiter(options.lagMs);
  }

  /** The slot keeper and the host know each other: the keeper is made second. */
  attach(slots: HeldSlots): void {
    this.slots = slots;
  }

  /** The live session of this id, if it is one of this platform. */
  get(platform: Platform, id: SessionId): Session | undefined {
    const hosted = this.hosted.get(id);
    return hosted?.platform === platform ? hosted.session : undefined;
  }

  all(): Session[] {
    return [...this.hosted.values()].map(({ session }) => session);
  }

  get size(): number {
    return this.hosted.size;
  }

  /** What state each session is in. */
  get states(): { platform: Platform; state: SessionState["kind"] }[] {
    return [...this.hosted.values()].map(({ platform, session }) => ({ platform, state: session.state().kind }));
  }

  /** Sessions of which something stored cannot be opened. */
  get unreadable(): number {
    return this.unread.size + this.all().filter((session) => isUnreadable(session.state())).length;
  }

  /** Sessions that wait for their turn to connect, those whose turn it is, and how many these may be. */
  get connects(): { waiting: number; inProgress: number; allowed: number } {
    return { waiting: this.limiter.queued, inProgress: this.limiter.connecting, allowed: this.limiter.allowed };
  }

  /** Resolves when the sessions of a freshly acquired slot are loaded, or cannot be: then the slot is dropped. */
  async loaded(slot: number): Promise<void> {
    await this.opening.get(slot)?.catch(() => undefined);
  }

  /** A command waits: the session connects before the others of a takeover. */
  hurry(id: SessionId): void {
    this.limiter.hurry(id);
  }

  /** Stores and opens a new session; idempotent for the same id and secret. Rejects with 500 `session not found` when the slot has left. */
  async create(platform: Platform, id: SessionId, given: NewSession): Promise<"created" | "taken"> {
    const slot = slotOf(id);
    const token = this.slots?.token(slot);
    if (token === undefined) throw sessionNotActive();
    const answer = await this.options.writer.create({ id, token }, platform, given, new Date());
    if (answer === "TAKEN") return "taken";
    // The slot left while Redis answered: its next owner opens the session.
    if (this.slots?.holds(slot, token) !== true) throw sessionNotActive();
    if (!this.hosted.has(id))
      this.openSession(
        { id, platform, tenant: tenantIn(given.tenant), state: initialState, hasWebhook: false },
        { slot, token, settleMs: 0, silent: false },
      );
    return "created";
  }

  /** Takes a session out of the trash and opens it; idempotent for the same command. Rejects with 500 `session not found` when the slot has left. */
  async undelete(id: SessionId, command: CommandId): Promise<"undeleted" | "lives" | "none"> {
    const slot = slotOf(id);
    const token = this.slots?.token(slot);
    if (token === undefined) throw sessionNotActive();
    const answer = await this.options.writer.undelete({ id, token }, command);
    if (answer === "LIVES") return "lives";
    if (answer === "NONE") return "none";
    if (this.slots?.holds(slot, token) !== true) throw sessionNotActive();
    if (!this.hosted.has(id)) this.openSession(answer, { slot, token, settleMs: 0, silent: false });
    return "undeleted";
  }

  async acquired(slots: readonly AcquiredSlot[]): Promise<void> {
    const loading = this.load(slots);
    for (const { slot } of slots) this.opening.set(slot, loading);
    try {
      await loading;
    } finally {
      for (const { slot } of slots) this.opening.delete(slot);
    }
  }

  async drain(slot: number): Promise<void> {
    this.forgetUnread(new Set([slot]));
    await Promise.all(this.inSlots(new Set([slot])).map((hosted) => this.close(hosted)));
  }

  lost(slots: readonly number[]): void {
    const gone = new Set(slots);
    this.forgetUnread(gone);
    for (const hosted of this.inSlots(gone)) void this.close(hosted);
  }

  /** After all slots were released. */
  stop(): void {
    this.limiter.stop();
  }

  private async load(slots: readonly AcquiredSlot[]): Promise<void> {
    const bySlot = new Map(slots.map((slot) => [slot.slot, slot]));
    const loaded = await this.options.writer.load([...bySlot.keys()], (id) => {
      this.options.log.error({ session: sessionTag(id) }, "stored session cannot be read");
      const slot = bySlot.get(slotOf(id));
      if (slot !== undefined && this.slots?.holds(slot.slot, slot.token) === true) this.unread.set(id, slot.slot);
    });
    await Promise.all(
      loaded.map(async (session) => {
        const slot = bySlot.get(slotOf(session.id));
        // A slot that was lost while Redis answered has been cleared of its sessions already: none may open behind that.
        if (slot === undefined || this.hosted.has(session.id) || this.slots?.holds(slot.slot, slot.token) !== true) return;
        // The stored state was true under the former owner. Until the socket is up again, the truth is: not connected.
        const state = transition(session.state, { type: "connection-lost" });
        const { store } = this.openSession({ ...session, state }, slot);
        await store.stamp().catch((error: unknown) => this.options.log.warn({ err: error }, "session could not be stamped"));
      }),
    );
  }

  private openSession(loaded: LoadedSession, slot: AcquiredSlot): Hosted {
    const { platforms, metrics } = this.options;
    const { id, platform } = loaded;
    const adapter = platforms[platform];
    const store = this.storeOf(loaded, slot);
    const session = new Session({
      context: store,
      open: (context) => adapter.open(context),
      limiter: this.limiter,
      onConnectionEnd: (kind) => adapter.onConnectionEnd(kind),
    });
    const hosted: Hosted = { platform, slot: slot.slot, session, store };
    void session.run(this.quiet(session, this.settleMs(loaded, slot)));
    void session.deleted.then(() => this.close(hosted));
    this.hosted.set(id, hosted);
    // Delivery needs no connection to the platform: what waits goes out at once.
    if (loaded.hasWebhook) store.delivery.wake();
    metrics.sessionOpened(platform);
    metrics.stateEntered(platform, loaded.state.kind);
    return hosted;
  }

  private storeOf({ id, platform, state }: LoadedSession, { slot, token }: AcquiredSlot): SessionStore {
    const { writer, courier, qrPng, metrics, log } = this.options;
    return new SessionStore({
      id,
      token,
      state,
      writer,
      fence: { holds: () => this.slots?.holds(slot, token) ?? false },
      openDelivery: (options) => courier.open(options),
      qrPng,
      onFenced: () => this.slots?.fenced(slot, token),
      onState: (entered) => metrics.stateEntered(platform, entered.kind),
      log: log.child({ session: sessionTag(id), platform }),
    });
  }

  /** Without a login there is nothing to lose, and somebody may be waiting in front of a QR code. */
  private settleMs({ platform, state }: LoadedSession, { settleMs, silent }: AcquiredSlot): number {
    return silent && state.kind !== "awaiting-qr" ? Math.max(settleMs, this.options.platforms[platform].dropMs) : settleMs;
  }

  /** Resolves when nobody else, a former life of ours included, has the session's connection any more. */
  private async quiet({ id, signal }: Session, settleMs: number): Promise<void> {
    await this.closing.get(id);
    if (settleMs > 0) await pause(settleMs, signal);
  }

  private forgetUnread(slots: ReadonlySet<number>): void {
    for (const [id, slot] of this.unread) if (slots.has(slot)) this.unread.delete(id);
  }

  private inSlots(slots: ReadonlySet<number>): Hosted[] {
    return [...this.hosted.values()].filter(({ slot }) => slots.has(slot));
  }

  private close(hosted: Hosted): Promise<void> {
    const { session, platform } = hosted;
    const { id } = session;
    if (this.hosted.get(id) !== hosted) return this.closing.get(id) ?? Promise.resolve();
    this.hosted.delete(id);
    this.options.metrics.sessionClosed(platform);
    const closed = session.close().finally(() => {
      if (this.closing.get(id) === closed) this.closing.delete(id);
    });
    this.closing.set(id, closed);
    return closed;
  }
}
