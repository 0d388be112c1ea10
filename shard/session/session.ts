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
  /** True if the account was linked recently and its platform is stricter with such accounts. */
  readonly isYoung?: () => boolean;
  /** See `AnyPlatform`. */
  readonly dropMs: number;
  /** Called when it is connected again. `failingSince` is when its connects began to fail (monotonic milliseconds). */
  readonly onRecovered?: (failingSince: number) => void;
  readonly onConnectionEnd?: (kind: ConnectionEnd["kind"], refusal?: RefusalKind) => void;
  readonly timing?: Partial<SessionTiming>;
}

/**
 * Runs the connector of one session while this process owns its slot, and acts on its events. It ends when it is closed or its record is
 * deleted; its holder learns of that through promises.
 */
export class Session<C extends Connector = Connector> {
  readonly id: SessionId;
  readonly connector: C;
  /** Resolves when the record is deleted. */
  readonly deleted: Promise<void>;
  /** The session's store, for its own commands only. */
  readonly context: SessionContext;
  private readonly stopping = new AbortController();
  private readonly loop: SessionLoop;
  private readonly timing: SessionTiming;
  private running: Promise<void> = Promise.resolve();
  private closed: Promise<void> | undefined;
  /** Timer that bounds the wait for the connect. */
  private patience: NodeJS.Timeout | undefined;
  private connecting: Promise<void> = Promise.resolve();
  private markConnectEnded: () => void = () => undefined;
  private leaving = false;
  private endsForAnother = 0;
  /** Running commands that use its connection. */
  private readonly uses = new Set<Promise<unknown>>();
  /** The proxy of the current connection. */
  private proxy: ProxyAddress | undefined;
  private lastConnection: EndedConnection | undefined;
  private connection: AbortSignal | undefined;
  private markDeleted: () => void = () => undefined;

  constructor(private readonly options: SessionOptions<C>) {
    const { context, open } = options;
    this.context = context;
    this.id = context.id;
    this.timing = { ...defaultTiming, ...options.timing };
    // Each running command adds one listener, and the lanes bound the number of commands.
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

  /** Resolves when the current connect has succeeded or failed. */
  get connectEnded(): Promise<void> {
    return this.connecting;
  }

  /** True while it is logged in but disconnected because of its proxy. Its remaining time counts down meanwhile. */
  get isProxyless(): boolean {
    return this.loop.proxyFailed && this.state().kind === "disconnected";
  }

  /** True while its connection is being ended for another one. Commands that begin now wait for the new connection. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  /** Number of times that its connection was ended for another one. */
  get plannedEnds(): number {
    return this.endsForAnother;
  }

  /** Aborts when the session must end here. */
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

  /** Called when a command waits for a connection. The next try starts at once, and commands wait for its outcome. */
  hurry(): void {
    if (this.loop.hurry()) this.awaitConnect();
  }

  /** Called when another session recovered. If this one began to fail at that moment or later, its next try starts at once. */
  outageIsOver(beganAt: number): void {
    const { failingSince } = this.loop;
    if (failingSince !== undefined && failingSince >= beganAt) this.loop.hurry();
  }

  /**
   * Connects, logs in and reconnects until the session ends. Makes no connection before `quiet` resolves. Never rejects: a failure becomes
   * a state.
   */
  run(quiet: Promise<void> = Promise.resolve()): Promise<void> {
    this.running = this.live(quiet);
    return this.running;
  }

  /** Resolves once the platform's sockets are closed and nothing of this session runs any more. Idempotent, bounded. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  /** Logs out, forgets the account and starts over as a new device. Resolves in the initial state, or when the session ends first. */
  async reset(log = this.log): Promise<void> {
    await Promise.race([this.loop.reset(() => this.logOut(log)), this.running]);
  }

  /** Reconnects with the same login. Resolves when the former connection is over. */
  async reconnect(): Promise<void> {
    this.leave();
    await this.loop.reconnect();
  }

  /**
   * Reconnects by another route. First waits a bounded time for running commands: a send can continue on the next connection, a once-only
   * command cannot.
   */
  async reroute(): Promise<void> {
    this.leave();
    await endsWithin(Promise.allSettled([...this.uses]), this.timing.leaveMs, this.signal);
    await this.reconnect();
  }

  /** Registers a command that uses the connection until `running` settles. */
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

  /** Counts live time, in milliseconds. Deletes the session when its time has run out. */
  async elapse(ms: number): Promise<void> {
    await this.apply({ type: "elapsed", ms });
  }

  /** Removes the device on the platform. Best effort, and bounded in time. */
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

  /** Applies and stores an event, and releases the callers that wait for its outcome. */
  private async apply(event: SessionEvent): Promise<SessionState> {
    const before = this.state();
    const after = await this.context.dispatch(event);
    if (after === before) return after;
    // The former connection cannot harm another login.
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

  /** Makes commands wait for the next connection, as they do for the first one. */
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
    // Waiters of the previous connection now wait for this one.
    void this.connecting.then(former);
  }

  /** This connect has an outcome, so its waiters continue. */
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

  /** The session's place among those that connect. After its first admission, callers wait a bounded time for the connect. */
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
        const { connection, proxy } = this;
        if (this.state().kind === "connected") this.lastConnection = { at: performance.now(), byUs: connection?.aborted === true, proxy };
        limiter.done(this.id);
      },
    };
  }

  /**
   * Returns the proxy of the next connection. If it differs from the last one, waits until the platform has certainly seen the last
   * connection end.
   */
  private async nextProxy(): Promise<ProxyAddress | undefined> {
    const { connection, options, timing } = this;
    for (;;) {
      const proxy = await this.context.proxy();
      const gapMs = rerouteGapMs(this.lastConnection, proxy, performance.now(), { rerouteMs: timing.rerouteMs, dropMs: options.dropMs });
      if (gapMs === 0) {
        this.proxy = proxy;
        return proxy;
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
      proxy: () => this.nextProxy(),
      requestedEvents: () => context.requestedEvents(),
      state: () => context.state(),
      dispatch: (event) => this.apply(event),
    };
  }
}
