import type { SessionId } from "../../shared/contract/ids.js";
import type { ProxyAddress } from "../../shared/tenant/proxy-address.js";
import type { SessionState } from "../../shared/session/state.js";
import type { ConnectLimiter } from "./connect-limiter.js";
import { ConnectWait } from "./connect-wait.js";
import { type ConnectionMode, isConnectOutcome, isReplaced, nextMode } from "./connection-mode.js";
import type { ConnectGate } from "./session-loop.js";
import { SessionRoute, type SessionRouteOptions } from "./session-route.js";

export interface SessionConnectionOptions {
  readonly id: SessionId;
  readonly state: () => SessionState;
  readonly limiter: Pick<ConnectLimiter, "admit" | "done">;
  readonly isYoung: () => boolean;
  readonly route: SessionRouteOptions;
  /** Longest wait of callers for a connect, from its admission on. */
  readonly connectWaitMs: number;
  /** Aborts when the session must end here. */
  readonly signal: AbortSignal;
}

/**
 * A session's connection as its commands see it; `ConnectionMode` lists the modes. The wait of callers, the route and the count of planned
 * ends do not depend on the mode.
 */
export class SessionConnection implements ConnectGate {
  private mode: ConnectionMode = { kind: "waiting" };
  private replacements = 0;
  private readonly wait = new ConnectWait();
  private readonly route: SessionRoute;

  constructor(private readonly options: SessionConnectionOptions) {
    this.route = new SessionRoute(options.route);
  }

  /** Resolves when the current connect has succeeded or failed, or took too long. */
  get connectEnded(): Promise<void> {
    return this.wait.ended;
  }

  get isReplaced(): boolean {
    return isReplaced(this.mode);
  }

  /** Number of times that a connection was ended for another one. */
  get plannedEnds(): number {
    return this.replacements;
  }

  /** The session's place among those that connect. After its first admission, callers wait a bounded time for the connect. */
  async enter(signal: AbortSignal): Promise<void> {
    const { id, limiter, isYoung, state, connectWaitMs } = this.options;
    this.mode = nextMode(this.mode, { type: "requested", signal });
    await limiter.admit(id, { isUrgent: state().kind !== "disconnected", isYoung: isYoung() }, signal);
    if (!signal.aborted) this.wait.limit(connectWaitMs);
  }

  leave(): void {
    const { mode, options } = this;
    if ("signal" in mode && options.state().kind === "connected") this.route.ended(mode.signal.aborted);
    this.mode = nextMode(mode, { type: "ended" });
    options.limiter.done(options.id);
  }

  /** Returns the proxy of the connection that is being opened. See `SessionRoute.next`. */
  proxy(): Promise<ProxyAddress | undefined> {
    return this.route.next("signal" in this.mode ? this.mode.signal : this.options.signal);
  }

  /** Makes commands wait for the next connect. */
  awaitConnect(): void {
    this.wait.begin();
  }

  /** Makes commands wait for another connection, as they do for the first one. */
  replace(): void {
    this.mode = nextMode(this.mode, { type: "replaced", isLoggedIn: this.options.state().kind === "connected" });
    this.replacements += 1;
    this.wait.begin();
  }

  /** Call after each change of the session's state. */
  entered(state: SessionState): void {
    if (state.kind === "awaiting-qr") this.route.forget();
    if (isConnectOutcome(state) && !this.isReplaced) this.connectOver();
  }

  /** This connect has an outcome, so its waiters continue. */
  connectOver(): void {
    this.wait.end();
    this.options.limiter.done(this.options.id);
  }
}
