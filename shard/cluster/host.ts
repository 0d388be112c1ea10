import type { NewSession } from "../../shared/contract/command-row.js";
import type { CommandId, SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import { sessionNotActive } from "../../shared/contract/errors.js";
import { slotOf } from "../../shared/contract/slot.js";
import { sessionTag } from "../../shared/log/session-tag.js";
import type { LoadedSession } from "../session/store/session-record.js";
import { tenantIn } from "../session/store/tenant-sessions.js";
import { goodHealth, type Restriction } from "../../shared/session/stored-health.js";
import { initialState, isUnreadable, transition, type SessionState } from "../../shared/session/state.js";
import { pause } from "../../shared/flow/pause.js";
import { TimeSlice } from "../flow/time-slice.js";
import { ConnectLimiter } from "../session/connect-limiter.js";
import type { Session } from "../session/session.js";
import type { SessionStore } from "../session/session-store.js";
import type { HostedSession, HostedSessions } from "./hosted-sessions.js";
import { type Connects, openSession, type SessionParts } from "./open-session.js";
import { connectGapMs } from "./settle-gap.js";
import type { AcquiredSlot, SlotListener } from "./slot-listener.js";

export interface HostOptions extends SessionParts {
  hosted: HostedSessions;
  /** Lag of the event loop in milliseconds; absent means none. */
  lagMs?: () => number;
  metrics: HostMetrics;
}

export interface HostMetrics {
  sessionOpened(platform: Platform): void;
  sessionClosed(platform: Platform): void;
  stateEntered(platform: Platform, state: SessionState["kind"]): void;
  /** Counts a message that was rejected because its receiver would be one new contact too many. */
  newContactRefused(platform: Platform): void;
  /** Counts a first message that was blocked because the platform restricted the account. */
  firstMessageBlocked(platform: Platform): void;
}

/** One outage does not end all connections at once: some are found dead by a later ping. */
const outageSpreadMs = 60_000;
/** Stored sessions open for this long in one turn of the event loop: a slot batch of a large shard has a thousand. */
const sliceMs = 10;
/** Failing sessions are woken at most this often. */
const wakeEveryMs = 5_000;

/** The sessions of this process's slots: opened when a slot comes, closed before it goes. */
export class Host implements SlotListener {
  private readonly hosted: HostedSessions;
  private readonly limiter: ConnectLimiter;
  private readonly connectsOf: Connects;
  /** Time at which the sessions of a platform were last woken after an outage. */
  private readonly wokenAt = new Map<Platform, number>();
  private readonly opening = new Map<number, Promise<void>>();
  /** Slots by id of the sessions whose record cannot be read at all. The record is left as it is. */
  private readonly unread = new Map<SessionId, number>();

  constructor(private readonly options: HostOptions) {
    this.hosted = options.hosted;
    this.limiter = new ConnectLimiter(options.lagMs);
    this.connectsOf = { limiter: this.limiter, recovered: (platform, failingSince) => this.recovered(platform, failingSince) };
  }

  /** Returns the live session of this id and platform. */
  get(platform: Platform, id: SessionId): Session | undefined {
    return this.hosted.get(platform, id);
  }

  /** Returns the tenant that owns the session, or the default tenant if the session does not live here. */
  tenantOf(id: string): TenantName {
    return this.hosted.tenantOf(id);
  }

  /** Whether sessions of several tenants live here. */
  get isShared(): boolean {
    return this.hosted.isShared();
  }

  all(): Session[] {
    return this.hosted.all();
  }

  get size(): number {
    return this.hosted.size;
  }

  sessionsIn(slots: ReadonlySet<number>): number {
    return this.hosted.countIn(slots);
  }

  /** State of each session. */
  get states(): { platform: Platform; state: SessionState["kind"] }[] {
    return this.hosted.states;
  }

  /** Number of sessions with stored data that cannot be decrypted. */
  get unreadable(): number {
    return this.unread.size + this.all().filter((session) => isUnreadable(session.state())).length;
  }

  /** Number of logged-in sessions that are disconnected because of their proxy. */
  get proxyless(): number {
    return this.all().filter((session) => session.isProxyless).length;
  }

  /** Number of sessions whose account the platform restricts, by platform and cause. */
  get restricted(): { platform: Platform; cause: Restriction["cause"] }[] {
    return this.hosted.restricted;
  }

  /** Queue of connects: sessions that wait, young sessions among them that yield, connects in progress, and the limit. */
  get connects(): { waiting: number; yielding: number; inProgress: number; allowed: number } {
    const { queued, yielding, connecting, allowed } = this.limiter;
    return { waiting: queued, yielding, inProgress: connecting, allowed };
  }

  /** Resolves when the sessions of a new slot are loaded, or when loading has failed and the slot is dropped. */
  async loaded(slot: number): Promise<void> {
    await this.opening.get(slot)?.catch(() => undefined);
  }

  /** Connects this session before the others of a takeover, because a command waits for it. */
  prioritize(id: SessionId): void {
    this.limiter.prioritize(id);
  }

  /** Stores and opens a new session; idempotent for the same id and secret. Rejects with 500 `session not found` when the slot has left. */
  async create(platform: Platform, id: SessionId, newSession: NewSession): Promise<"created" | "taken"> {
    const slot = this.heldSlot(id);
    const outcome = await this.options.writer.create({ id, token: slot.token }, platform, newSession, new Date());
    if (outcome === "TAKEN") return "taken";
    const life = { since: new Date(), lastError: "" };
    const hasProxy = (newSession.proxy ?? "") !== "";
    const owner = { tenant: tenantIn(newSession.tenant), incarnation: newSession.incarnation ?? "" };
    this.openNew({ id, platform, ...owner, state: initialState, life, health: goodHealth, hasWebhook: false, hasProxy }, slot);
    return "created";
  }

  /**
   * Restores a session from the trash and opens it; idempotent for the same command. Rejects with 500 `session not found` when the slot
   * has left.
   */
  async undelete(id: SessionId, command: CommandId): Promise<"undeleted" | "lives" | "none"> {
    const slot = this.heldSlot(id);
    const outcome = await this.options.writer.undelete({ id, token: slot.token }, command);
    if (outcome === "LIVES") return "lives";
    if (outcome === "NONE") return "none";
    this.openNew(outcome, slot);
    return "undeleted";
  }

  async acquired(slots: readonly AcquiredSlot[]): Promise<void> {
    const loading = this.load(slots);
    for (const { slot } of slots) this.opening.set(slot, loading);
    try {
      await loading;
    } finally {
      // A slot that was lost and acquired again meanwhile is being loaded by a later call.
      for (const { slot } of slots) if (this.opening.get(slot) === loading) this.opening.delete(slot);
    }
  }

  async drain(slot: number): Promise<void> {
    // A session that opens later would outlive the slot.
    await this.loaded(slot);
    const gone = new Set([slot]);
    this.forgetUnread(gone);
    await this.hosted.closeSlots(gone);
  }

  lost(slots: readonly number[]): void {
    const gone = new Set(slots);
    this.forgetUnread(gone);
    void this.hosted.closeSlots(gone);
  }

  /** Call after all slots were released. */
  stop(): void {
    this.limiter.stop();
  }

  private heldSlot(id: SessionId): AcquiredSlot {
    const slot = slotOf(id);
    const token = this.options.slots.token(slot);
    if (token === undefined) throw sessionNotActive();
    return { slot, token, settleMs: 0, silent: false };
  }

  private stillHolds({ slot, token }: AcquiredSlot): boolean {
    return this.options.slots.holds(slot, token);
  }

  private openNew(loaded: LoadedSession, slot: AcquiredSlot): void {
    // The slot left during the Redis call: its next owner opens the session.
    if (!this.stillHolds(slot)) throw sessionNotActive();
    if (this.hosted.has(loaded.id)) return;
    this.open(loaded, slot);
    this.options.liveEvents.session(loaded, loaded.state.kind);
  }

  private async load(slots: readonly AcquiredSlot[]): Promise<void> {
    const bySlot = new Map(slots.map((slot) => [slot.slot, slot]));
    const loaded = await this.options.writer.load([...bySlot.keys()], (id) => {
      this.options.log.error({ session: sessionTag(id) }, "stored session unreadable");
      const slot = bySlot.get(slotOf(id));
      if (slot !== undefined && this.stillHolds(slot)) this.unread.set(id, slot.slot);
    });
    const slice = new TimeSlice(sliceMs);
    const stamps: Promise<void>[] = [];
    for (const session of loaded) {
      while (slice.isSpent()) await slice.yield();
      const store = this.openStored(session, bySlot.get(slotOf(session.id)));
      if (store !== undefined) stamps.push(this.stamp(store));
    }
    await Promise.all(stamps);
  }

  private openStored(session: LoadedSession, slot: AcquiredSlot | undefined): SessionStore | undefined {
    // The slot was lost meanwhile, and its sessions were closed. No session may open after that.
    if (slot === undefined || !this.stillHolds(slot) || this.hosted.has(session.id)) return undefined;
    // The stored state is the former owner's. Until this process connects, the session is not connected.
    const state = transition(session.state, { type: "connection-lost" });
    const life = state.kind === session.state.kind ? session.life : { ...session.life, since: new Date() };
    const store = this.open({ ...session, state, life }, slot);
    if (state.kind !== session.state.kind) this.options.liveEvents.session(session, state.kind);
    return store;
  }

  /** Never rejects. */
  private async stamp(store: SessionStore): Promise<void> {
    await store.stamp().catch((error: unknown) => this.options.log.warn({ err: error }, "session owner not recorded"));
  }

  private open(loaded: LoadedSession, slot: AcquiredSlot): SessionStore {
    const { platforms, metrics } = this.options;
    const { platform, tenant, state } = loaded;
    const { session, store } = openSession(this.options, this.connectsOf, loaded, slot);
    const hosted: HostedSession = { platform, tenant, slot: slot.slot, session };
    void session.run(this.quiet(session, connectGapMs(slot, state.kind, platforms[platform].dropMs)));
    void session.deleted.then(() => this.hosted.close(hosted));
    this.hosted.add(hosted);
    // Delivery needs no platform connection, so waiting events go out at once.
    if (loaded.hasWebhook) store.delivery.wake();
    metrics.sessionOpened(platform);
    metrics.stateEntered(platform, state.kind);
    return store;
  }

  /** Resolves when no other owner or earlier life of ours can still hold the session's connection. */
  private async quiet({ id, signal }: Session, settleMs: number): Promise<void> {
    await this.hosted.formerClosed(id);
    if (settleMs > 0) await pause(settleMs, signal);
  }

  /** Ends the retry pause of sessions that failed since that moment: they most likely had the same cause, which is over. */
  private recovered(platform: Platform, failingSince: number): void {
    const now = performance.now();
    if (now < (this.wokenAt.get(platform) ?? Number.NEGATIVE_INFINITY) + wakeEveryMs) return;
    this.wokenAt.set(platform, now);
    for (const session of this.hosted.onPlatform(platform)) session.outageIsOver(failingSince - outageSpreadMs);
  }

  private forgetUnread(slots: ReadonlySet<number>): void {
    for (const [id, slot] of this.unread) if (slots.has(slot)) this.unread.delete(id);
  }
}
