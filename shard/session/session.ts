import { setMaxListeners } from "node:events";
import type { SessionId } from "../../shared/contract/ids.js";
import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import type { SessionEvent, SessionState } from "../../shared/session/state.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import { pause } from "../../shared/flow/pause.js";
import type { ConnectionEnd } from "./connection-end.js";
import type { ConnectLimiter } from "./connect-limiter.js";
import type { Connector } from "./connector.js";
import type { RefusalKind } from "./refusal.js";
import { type EndedConnection, rerouteGapMs } from "./reroute-gap.js";
import type { ConnectorContext, SessionContext } from "./session-context.js";
import { type ConnectGate, SessionLoop } from "./session-loop.js";
import { defaultTiming, type SessionTiming } from "./timing.js";

export interface SessionOptions<C extends Connector> {
  readonly context: SessionContext;
  readonly open: (context: ConnectorContext) => C;
  readonly limiter: Pick<ConnectLimiter, "admit" | "done">;
  /** Whether its account was linked lately, and the platform is one on which that counts. */
  readonly isYoung?: () => boolean;
  /** See `AnyPlatform`. */
  readonly dropMs: number;
  /** It is connected again, after its connects had failed since that moment (monotonic milliseconds). */
  readonly onRecovered?: (failingSince: number) => void;
  readonly onConnectionEnd?: (kind: ConnectionEnd["kind"], refusal?: RefusalKind) => void;
  readonly timing?: Partial<SessionTiming>;
}

/**
 * The life of one session while this process owns its slot, whatever its platform: it runs the connector, and decides what follows from what that tells. It ends when it is
 * closed, or when its record is deleted. Control goes down from here: whoever holds the session learns of its end by promises.
 */
export class Session<C extends Connector = Connector> {
  readonly id: SessionId;
  readonly connector: C;
  /** Resolves when the record is deleted. */
  readonly deleted: Promise<void>;
  /** What only a session's own commands use: its store. */
  readonly context: SessionContext;
  private readonly stopping = new AbortController();
  private readonly loop: SessionLoop;
  private readonly timing: SessionTiming;
  private running: Promise<void> = Promise.resolve();
  private closed: Promise<void> | undefined;
  /** Of those who wait for the first connect. */
  private patience: NodeJS.Timeout | undefined;
  private connecting: Promise<void> = Promise.resolve();
  private markConnectEnded: () => void = () => undefined;
  private leaving = false;
  private endsForAnother = 0;
  /** Commands that use its connection. */
  private readonly uses = new Set<Promise<unknown>>();
  /** What the current connection goes through. */
  private way: ProxyAddress | undefined;
  private lastConnection: EndedConnection | undefined;
  private connection: AbortSignal | undefined;
  private markDeleted: () => void = () => undefined;

  constructor(private readonly options: SessionOptions<C>) {
    const { context, open } = options;
    this.context = context;
    this.id = context.id;
    this.timing = { ...defaultTiming, ...options.timing };
    // One listener for each running command, and the lanes bound their number.
    setMaxListeners(0, this.stopping.signal);
    this.awaitConnect();
    this.deleted = new Promise((resolve) => (this.markDeleted = resolve));
    this.connector = open(this.lent());
    this.loop = new SessionLoop(
      {
        connector: this.connector,
        state: () => context.state(),
        dispatch: (event) => this.apply(event),
        failed: (why) => context.failed(why),
        gate: this.gate(),
        onConnectionEnd: (kind, refusal) => options.onConnectionEnd?.(kind, refusal),
        timing: this.timing,
        log: context.log,
      },
      this.signal,
    );
  }

  /** Resolves when the connect under way, the first one or one that was asked for, has succeeded or failed. */
  get connectEnded(): Promise<void> {
    return this.connecting;
  }

  /** It is logged in and not connected, and its proxy is why: its time runs out. */
  get isProxyless(): boolean {
    return this.loop.proxyFailed && this.state().kind === "disconnected";
  }

  /** Its connection is being ended for another one: what begins now waits for that. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  /** How often its connection was ended for another one. */
  get plannedEnds(): number {
    return this.endsForAnother;
  }

  /** Aborts when the session is to end here. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  get log(): Log {
    return this.context.log;
  }

  get isSentAway(): boolean {
    return this.loop.isSentAway;
  }

  state(): SessionState {
    return this.context.state();
  }

  /** A command waits for a connection: the next try comes at once, and commands wait for its outcome. */
  hurry(): void {
    if (this.loop.hurry()) this.awaitConnect();
  }

  /** An outage that began at that moment or later is over for another session: the next try comes at once. */
  outageIsOver(beganAt: number): void {
    const { failingSince } = this.loop;
    if (failingSince !== undefined && failingSince >= beganAt) this.loop.hurry();
  }

  /** Connects, logs in, reconnects, until the session ends. Nothing is dialled before `quiet` resolves. Never rejects: trouble is a state. */
  run(quiet: Promise<void> = Promise.resolve()): Promise<void> {
    this.running = this.live(quiet);
    return this.running;
  }

  /** Resolves once the platform's sockets are closed and nothing of this session runs any more. Idempotent, bounded. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  /** Logs out, forgets the account, and starts over as a new device. Resolves when the state is the initial one, or when the session ends first. */
  async reset(log = this.log): Promise<void> {
    await Promise.race([this.loop.reset(() => this.logOut(log)), this.running]);
  }

  /** Connects anew with the same login. Resolves when the former connection is over. */
  async reconnect(): Promise<void> {
    this.leave();
    await this.loop.reconnect();
  }

  /** The same by another way. What is running may come to its end first, for a bounded time: a send goes on by the next connection, and what is once-only cannot. */
  async reroute(): Promise<void> {
    this.leave();
    await endsWithin(Promise.allSettled([...this.uses]), this.timing.leaveMs, this.signal);
    await this.reconnect();
  }

  /** A command uses its connection until `running` is settled. */
  use<T>(running: Promise<T>): Promise<T> {
    this.uses.add(running);
    const over = (): void => void this.uses.delete(running);
    running.then(over, over);
    return running;
  }

  /** Logs out, removes the record, and ends. */
  async delete(log = this.log): Promise<void> {
    await this.loop.delete(async () => {
      await this.logOut(log);
      await this.apply({ type: "deleted-by-owner" });
    });
  }

  /** So much live time has passed; the session is deleted when that was its last. */
  async elapse(ms: number): Promise<void> {
    await this.apply({ type: "elapsed", ms });
  }

  /** Removes the device on the platform: best effort, and bounded. */
  private async logOut(log: Log): Promise<void> {
    const scope = new AbortScope([this.signal], this.timing.logOutMs);
    try {
      await untilAborted(this.connector.logOut(scope.signal), scope);
    } catch (error) {
      log.info({ err: error }, "device not removed on the platform");
    } finally {
      scope.close();
    }
  }

  /** Stores what an event makes of the state, and draws the consequences for those who wait. */
  private async apply(event: SessionEvent): Promise<SessionState> {
    const before = this.state();
    const after = await this.context.dispatch(event);
    if (after === before) return after;
    // Another login has nothing to lose by the former one's connection.
    if (after.kind === "awaiting-qr") this.lastConnection = undefined;
    if (after.kind === "deleted") {
      this.stopping.abort();
      this.markDeleted();
    }
    if (after.kind === "connected") this.recovered();
    const firstCodePending =
      after.kind === "awaiting-qr" && after.qr === "" && after.pairingCode === undefined && after.passkey === undefined;
    if (!firstCodePending && after.kind !== "disconnected" && !this.leaving) this.connectOver();
    return after;
  }

  private recovered(): void {
    const { failingSince } = this.loop;
    this.loop.recovered();
    if (failingSince !== undefined) this.options.onRecovered?.(failingSince);
  }

  /** Commands wait for the next connection, as they do for the first one. */
  private leave(): void {
    if (this.signal.aborted) return;
    this.leaving = this.state().kind === "connected";
    this.endsForAnother += 1;
    this.awaitConnect();
  }

  private awaitConnect(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
    const former = this.markConnectEnded;
    this.connecting = new Promise((resolve) => (this.markConnectEnded = resolve));
    // Who waits for the former one waits for this one.
    void this.connecting.then(former);
  }

  /** This connect has come to an outcome: nobody need wait for it any more. */
  private connectOver(): void {
    this.markConnectEnded();
    this.options.limiter.done(this.id);
  }

  private async live(quiet: Promise<void>): Promise<void> {
    try {
      await quiet;
      if (!this.signal.aborted) await this.loop.run();
    } catch (error) {
      this.log.error({ err: error }, "session ended with an error");
    } finally {
      this.connectOver();
    }
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    const closed = Promise.allSettled([this.running, this.context.close()]);
    if (!(await endsWithin(closed, this.timing.closeMs))) this.log.error({}, "session did not close in time");
  }

  /** The session's place among those that connect. From its first one on, whoever waits for the session to settle does so for a bounded time. */
  private gate(): ConnectGate {
    const { limiter, isYoung = () => false } = this.options;
    return {
      enter: async (signal) => {
        this.leaving = false;
        this.connection = signal;
        await limiter.admit(this.id, { isUrgent: this.state().kind !== "disconnected", isYoung: isYoung() }, signal);
        if (!signal.aborted) this.patience ??= setTimeout(this.markConnectEnded, this.timing.connectWaitMs).unref();
      },
      leave: () => {
        const { connection, way } = this;
        if (this.state().kind === "connected") this.lastConnection = { at: performance.now(), byUs: connection?.aborted === true, way };
        limiter.done(this.id);
      },
    };
  }

  /** What the next connection goes through. By another way than the last one's it is told as soon as the platform has certainly seen that one end. */
  private async nextWay(): Promise<ProxyAddress | undefined> {
    const { connection, options, timing } = this;
    for (;;) {
      const way = await this.context.proxy();
      const gapMs = rerouteGapMs(this.lastConnection, way, performance.now(), { rerouteMs: timing.rerouteMs, dropMs: options.dropMs });
      if (gapMs === 0) {
        this.way = way;
        return way;
      }
      await pause(gapMs, ...(connection === undefined ? [this.signal] : [connection]));
      connection?.throwIfAborted();
    }
  }

  private lent(): ConnectorContext {
    const { context } = this;
    const { id, fence, credentials, secrets, sent, peers, updates, pace, log } = context;
    return {
      ...{ id, fence, credentials, secrets, sent, peers, updates, pace, log },
      signal: this.signal,
      proxy: () => this.nextWay(),
      state: () => context.state(),
      dispatch: (event) => this.apply(event),
    };
  }
}
