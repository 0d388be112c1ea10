import { setMaxListeners } from "node:events";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { SessionEvent, SessionState } from "../../shared/session/state.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import type { ConnectionEnd } from "./connection-end.js";
import type { ConnectLimiter } from "./connect-limiter.js";
import type { Connector } from "./connector.js";
import type { RefusalKind } from "./refusal.js";
import { SessionConnection } from "./session-connection.js";
import type { ConnectorContext, SessionContext } from "./session-context.js";
import { SessionLoop } from "./session-loop.js";
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

/** Mode of a session in this process. */
type Life =
  /** The session was built and not run yet: it makes no connection. */
  | { readonly kind: "idle" }
  /** The session connects, logs in and reconnects until it is closed or its record is deleted. `ended` resolves after that. */
  | { readonly kind: "running"; readonly ended: Promise<void> }
  /** The session makes no further connection. `closed` resolves when its sockets are closed and its writes are over, or too late. */
  | { readonly kind: "closing"; readonly ended: Promise<void>; readonly closed: Promise<void> };

/**
 * Runs the connector of one session while this process owns its slot, and acts on its events. Modes: `Life`, and `ConnectionMode` for its
 * connection. Independent of them: the record (`state()`), which another process continues, and the running commands.
 */
export class Session<C extends Connector = Connector> {
  readonly id: SessionId;
  readonly connector: C;
  /** Resolves when the record is deleted. */
  readonly deleted: Promise<void>;
  /** The session's store, for its own commands only. */
  readonly context: SessionContext;
  private life: Life = { kind: "idle" };
  private readonly stopping = new AbortScope();
  private readonly loop: SessionLoop;
  private readonly connection: SessionConnection;
  private readonly timing: SessionTiming;
  /** Running commands that use its connection. */
  private readonly uses = new Set<Promise<unknown>>();
  private readonly markDeleted: () => void;

  constructor(private readonly options: SessionOptions<C>) {
    const { context, open, limiter, dropMs, isYoung = () => false } = options;
    this.context = context;
    this.id = context.id;
    this.timing = { ...defaultTiming, ...options.timing };
    const { rerouteMs, connectWaitMs } = this.timing;
    // A running command may add a listener, and the lanes bound the number of commands.
    setMaxListeners(0, this.stopping.signal);
    this.connection = new SessionConnection({
      id: this.id,
      state: () => context.state(),
      limiter,
      isYoung,
      route: { proxy: () => context.proxy(), gaps: { rerouteMs, dropMs } },
      connectWaitMs,
      signal: this.signal,
    });
    let markDeleted = (): void => undefined;
    this.deleted = new Promise((resolve) => (markDeleted = resolve));
    this.markDeleted = markDeleted;
    this.connector = open(this.connectorContext());
    this.loop = new SessionLoop(
      {
        connector: this.connector,
        state: () => context.state(),
        dispatch: (event) => this.apply(event),
        failed: (why) => context.failed(why),
        gate: this.connection,
        onConnectionEnd: (kind, refusal) => options.onConnectionEnd?.(kind, refusal),
        timing: this.timing,
        log: context.log,
      },
      this.signal,
    );
  }

  /** Resolves when the current connect has succeeded or failed. */
  get connectEnded(): Promise<void> {
    return this.connection.connectEnded;
  }

  /** True while it is logged in but disconnected because of its proxy. Its remaining time counts down meanwhile. */
  get isProxyless(): boolean {
    return this.loop.proxyFailed && this.state().kind === "disconnected";
  }

  /** True while its connection is being ended for another one. Commands that begin now wait for the new connection. */
  get isLeaving(): boolean {
    return this.connection.isReplaced;
  }

  /** Number of times that its connection was ended for another one. */
  get plannedEnds(): number {
    return this.connection.plannedEnds;
  }

  /** Aborts when the session must end here. */
  get ending(): Ending {
    return this.stopping;
  }

  /** Does the same for Node's own functions and for libraries: a listener costs several times as much. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  get log(): Log {
    return this.context.log;
  }

  get isWaitingForPlatform(): boolean {
    return this.loop.isWaitingForPlatform;
  }

  state(): SessionState {
    return this.context.state();
  }

  /** Called when a command waits for a connection. The next try starts at once, and commands wait for its outcome. */
  retryNow(): void {
    if (this.loop.retryNow()) this.connection.awaitConnect();
  }

  /** Called when another session recovered. If this one began to fail at that moment or later, its next try starts at once. */
  outageIsOver(beganAt: number): void {
    const { failingSince } = this.loop;
    if (failingSince !== undefined && failingSince >= beganAt) this.loop.retryNow();
  }

  /**
   * Connects, logs in and reconnects until the session ends. Makes no connection before `quiet` resolves. Never rejects: a failure becomes
   * a state.
   */
  run(quiet: Promise<void> = Promise.resolve()): Promise<void> {
    const ended = this.live(quiet);
    if (this.life.kind === "idle") this.life = { kind: "running", ended };
    return ended;
  }

  /** Resolves once the platform's sockets are closed and nothing of this session runs any more. Idempotent, bounded. */
  close(): Promise<void> {
    if (this.life.kind === "closing") return this.life.closed;
    const { ended } = this;
    const closed = this.end(ended);
    this.life = { kind: "closing", ended, closed };
    return closed;
  }

  /** Logs out, forgets the account and starts over as a new device. Resolves in the initial state, or when the session ends first. */
  async reset(log = this.log): Promise<void> {
    await Promise.race([this.loop.reset(() => this.logOut(log)), this.ended]);
  }

  /** Reconnects with the same login. Resolves when the former connection is over. */
  async reconnect(): Promise<void> {
    this.replaceConnection();
    await this.loop.reconnect();
  }

  /**
   * Reconnects by another route. First waits a bounded time for running commands: a send can continue on the next connection, a once-only
   * command cannot.
   */
  async reroute(): Promise<void> {
    this.replaceConnection();
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

  /** Resolves when the loop runs no more; at once if it never ran. */
  private get ended(): Promise<void> {
    return this.life.kind === "idle" ? Promise.resolve() : this.life.ended;
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
    if (after.kind === "deleted") {
      this.stopping.abort();
      this.markDeleted();
    }
    if (after.kind === "connected") this.recovered();
    this.connection.entered(after);
    return after;
  }

  private recovered(): void {
    const { failingSince } = this.loop;
    this.loop.recovered();
    if (failingSince !== undefined) this.options.onRecovered?.(failingSince);
  }

  private replaceConnection(): void {
    if (!this.signal.aborted) this.connection.replace();
  }

  private async live(quiet: Promise<void>): Promise<void> {
    try {
      await quiet;
      if (!this.signal.aborted) await this.loop.run();
    } catch (error) {
      this.log.error({ err: error }, "session ended with an error");
    } finally {
      this.connection.connectOver();
    }
  }

  private async end(ended: Promise<void>): Promise<void> {
    this.stopping.abort();
    const closed = Promise.allSettled([ended, this.context.close()]);
    if (!(await endsWithin(closed, this.timing.closeMs))) this.log.error({}, "session did not close in time");
  }

  private connectorContext(): ConnectorContext {
    const { context } = this;
    const { id, fence, credentials, secrets, sent, peers, updates, chatHistory, pace, health, log } = context;
    return {
      ...{ id, fence, credentials, secrets, sent, peers, updates, chatHistory, pace, health, log },
      signal: this.signal,
      proxy: () => this.connection.proxy(),
      requestedEvents: () => context.requestedEvents(),
      state: () => context.state(),
      dispatch: (event) => this.apply(event),
    };
  }
}
