import { setMaxListeners } from "node:events";
import type { CommandId, SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { sessionNotActive } from "../../shared/contract/telegram/errors.js";
import { slotOf } from "../../shared/cluster/slot.js";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import { sessionTag } from "../../shared/log/session-tag.js";
import type { LoadedSession, SessionWriter } from "../session/store/session-writer.js";
import { initialState, isUnreadable, transition, type SessionState } from "../../shared/session/state.js";
import type { ConnectGate, PlatformSession, SessionContext } from "../platform/platform-session.js";
import type { Courier } from "../webhook/courier.js";
import { ConnectLimiter } from "./connect-limiter.js";
import { HostedSession } from "./hosted-session.js";
import type { AcquiredSlot, SlotKeeper, SlotListener } from "./slot-keeper.js";

export interface HostOptions {
  writer: SessionWriter;
  open: (platform: Platform, context: SessionContext) => PlatformSession;
  /** See `PlatformAdapter.dropMs`. */
  dropMs: Readonly<Record<Platform, number>>;
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

/** One live session: what the host keeps, and its adapter's half. */
export interface LiveSession {
  readonly hosted: HostedSession;
  readonly platform: PlatformSession;
  readonly signal: AbortSignal;
  /** Resolves when the first connect after opening has succeeded or failed. */
  readonly settled: Promise<void>;
}

interface Running extends LiveSession {
  readonly end: AbortController;
  readonly ran: Promise<void>;
  readonly markSettled: () => void;
}

/** A takeover that takes longer leaves its commands with `session not connected`. */
const settledMs = 10_000;
const closeMs = 5_000;

/** The sessions of this process's slots: opened when a slot comes, closed before it goes. */
export class Host implements SlotListener {
  private readonly sessions = new Map<SessionId, Running>();
  private readonly limiter: ConnectLimiter;
  private readonly opening = new Map<number, Promise<void>>();
  /** Slots of ids whose record is not even a session's: it is left as it is. */
  private readonly unread = new Map<SessionId, number>();
  /** A session that comes back to us waits until its former life has closed its sockets. */
  private readonly closing = new Map<SessionId, Promise<void>>();
  private slots: SlotKeeper | undefined;

  constructor(private readonly options: HostOptions) {
    this.limiter = new ConnectLimiter(options.lagMs);
  }

  /** The slot keeper and the host know each other: the keeper is made second. */
  attach(slots: SlotKeeper): void {
    this.slots = slots;
  }

  get(id: SessionId): LiveSession | undefined {
    return this.sessions.get(id);
  }

  all(): Iterable<HostedSession> {
    return [...this.sessions.values()].map(({ hosted }) => hosted);
  }

  get size(): number {
    return this.sessions.size;
  }

  /** Sessions of which something stored cannot be opened. */
  get unreadable(): number {
    return this.unread.size + [...this.sessions.values()].filter(({ hosted }) => isUnreadable(hosted.state())).length;
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
  async create(platform: Platform, id: SessionId, secretHash: string): Promise<"created" | "taken"> {
    const slot = slotOf(id);
    const token = this.slots?.token(slot);
    if (token === undefined) throw sessionNotActive();
    const answer = await this.options.writer.create({ id, token }, platform, secretHash, new Date());
    if (answer === "TAKEN") return "taken";
    // The slot left while Redis answered: its next owner opens the session.
    if (this.slots?.holds(slot, token) !== true) throw sessionNotActive();
    if (!this.sessions.has(id))
      this.openSession({ id, platform, state: initialState, hasWebhook: false }, { slot, token, settleMs: 0, silent: false });
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
    if (!this.sessions.has(id)) this.openSession(answer, { slot, token, settleMs: 0, silent: false });
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
    await Promise.all(this.inSlot(slot).map((session) => this.close(session)));
  }

  lost(slots: readonly number[]): void {
    const gone = new Set(slots);
    this.forgetUnread(gone);
    for (const session of this.sessions.values()) if (gone.has(session.hosted.slot)) void this.close(session);
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
        if (slot === undefined || this.sessions.has(session.id) || this.slots?.holds(slot.slot, slot.token) !== true) return;
        // The stored state was true under the former owner. Until the socket is up again, the truth is: not connected.
        const state = transition(session.state, { type: "connection-lost" });
        const running = this.openSession({ ...session, state }, slot);
        await running.hosted.stamp().catch((error: unknown) => this.options.log.warn({ err: error }, "session could not be stamped"));
      }),
    );
  }

  private openSession(loaded: LoadedSession, slot: AcquiredSlot): Running {
    const end = new AbortController();
    setMaxListeners(0, end.signal); // One for each running command, and the lanes bound their number.
    let markSettled: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      markSettled = resolve;
    });
    const hosted = this.hostSession(loaded, slot.slot, slot.token, markSettled);
    const platform = this.options.open(loaded.platform, hosted);
    const running: Running = {
      hosted,
      platform,
      end,
      signal: end.signal,
      settled,
      markSettled,
      ran: this.run(hosted, platform, this.settleMs(loaded, slot), end.signal, markSettled),
    };
    this.sessions.set(loaded.id, running);
    // Delivery needs no connection to the platform: what waits goes out at once.
    if (loaded.hasWebhook) hosted.delivery.wake();
    this.options.metrics.sessionOpened(loaded.platform);
    this.options.metrics.stateEntered(loaded.platform, loaded.state.kind);
    return running;
  }

  /** Without a login there is nothing to lose, and somebody may be waiting in front of a QR code. */
  private settleMs({ platform, state }: LoadedSession, { settleMs, silent }: AcquiredSlot): number {
    return silent && state.kind !== "awaiting-qr" ? Math.max(settleMs, this.options.dropMs[platform]) : settleMs;
  }

  private hostSession(loaded: LoadedSession, slot: number, token: SlotToken, markSettled: () => void): HostedSession {
    const hosted: HostedSession = new HostedSession({
      id: loaded.id,
      platform: loaded.platform,
      slot,
      token,
      state: loaded.state,
      writer: this.options.writer,
      fence: { holds: () => this.slots?.holds(slot, token) ?? false },
      openDelivery: (options) => this.options.courier.open(options),
      qrPng: this.options.qrPng,
      onFenced: () => this.slots?.fenced(slot, token),
      onState: (session, state) => this.onState(session, state),
      log: this.options.log.child({ session: sessionTag(loaded.id), platform: loaded.platform }),
      connecting: this.gateOf(loaded.id, () => hosted.state(), markSettled),
    });
    return hosted;
  }

  private async run(
    hosted: HostedSession,
    platform: PlatformSession,
    settleMs: number,
    signal: AbortSignal,
    markSettled: () => void,
  ): Promise<void> {
    await this.closing.get(hosted.id);
    await pause(settleMs, signal);
    try {
      if (!signal.aborted) await platform.run(signal);
    } catch (error) {
      hosted.log.error({ err: error }, "session ended with an error");
    } finally {
      markSettled();
      this.limiter.done(hosted.id);
    }
  }

  /** The session's place among those that connect. From its first one on, whoever waits for the session to settle does so for a bounded time. */
  private gateOf(id: SessionId, state: () => SessionState, markSettled: () => void): ConnectGate {
    let patience: NodeJS.Timeout | undefined;
    return {
      enter: async (signal) => {
        await this.limiter.admit(id, state().kind !== "disconnected", signal);
        if (!signal.aborted) patience ??= setTimeout(markSettled, settledMs).unref();
      },
      leave: () => this.limiter.done(id),
    };
  }

  private onState(hosted: HostedSession, state: SessionState): void {
    const running = this.sessions.get(hosted.id);
    this.options.metrics.stateEntered(hosted.platform, state.kind);
    const firstConnectPending = state.kind === "awaiting-qr" && state.qr === "" && state.pairingCode === undefined;
    if (running !== undefined && !firstConnectPending && state.kind !== "disconnected") {
      running.markSettled();
      this.limiter.done(hosted.id);
    }
    if (state.kind === "deleted" && running !== undefined) void this.close(running);
  }

  private forgetUnread(slots: ReadonlySet<number>): void {
    for (const [id, slot] of this.unread) if (slots.has(slot)) this.unread.delete(id);
  }

  private inSlot(slot: number): Running[] {
    return [...this.sessions.values()].filter((session) => session.hosted.slot === slot);
  }

  private close(session: Running): Promise<void> {
    const { id } = session.hosted;
    if (this.sessions.get(id) !== session) return this.closing.get(id) ?? Promise.resolve();
    this.sessions.delete(id);
    this.options.metrics.sessionClosed(session.hosted.platform);
    session.end.abort();
    const closed = this.closeBounded(session).finally(() => {
      if (this.closing.get(id) === closed) this.closing.delete(id);
    });
    this.closing.set(id, closed);
    return closed;
  }

  private async closeBounded(session: Running): Promise<void> {
    const ended = Promise.allSettled([session.platform.close(), session.ran, session.hosted.flushed(), session.hosted.delivery.close()]);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), closeMs);
    });
    if ((await Promise.race([ended, deadline])) === "late") session.hosted.log.error({}, "session did not close in time");
    clearTimeout(timer);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
