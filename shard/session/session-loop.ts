import { sessionNotConnected } from "../../shared/contract/errors.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Log } from "../../shared/log/logger.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { SessionEvent, SessionState } from "../../shared/session/state.js";
import { proxyFaultIn } from "../egress/proxy-fault.js";
import { Backoff } from "../flow/backoff.js";
import { pause } from "../../shared/flow/pause.js";
import { Notifier } from "../flow/notifier.js";
import type { ConnectionEnd } from "./connection-end.js";
import type { Connector } from "./connector.js";
import type { RefusalKind } from "./refusal.js";
import { afterEnd, faultOf, report } from "./after-end.js";
import type { SessionTiming } from "./timing.js";

export interface SessionLoopParts {
  readonly connector: Connector;
  readonly state: () => SessionState;
  readonly dispatch: (event: SessionEvent) => Promise<SessionState>;
  /** See `SessionContext.failed`. */
  readonly failed: (why: string) => void;
  readonly gate: ConnectGate;
  readonly onConnectionEnd: (kind: ConnectionEnd["kind"], refusal?: RefusalKind) => void;
  readonly timing: SessionTiming;
  readonly log: Log;
}

/** Limits how many accounts of a shard connect at once, reconnects included, so that losing all of them does not end in a storm. */
export interface ConnectGate {
  /** Resolves when the session may connect, or when the signal is aborted. */
  enter(signal: AbortSignal): Promise<void>;
  /** Called when the connection has ended or was never made. Idempotent. */
  leave(): void;
}

/** Keeps one account connected until the signal aborts or the session is deleted. An error of the connector counts as a lost connection. */
export class SessionLoop {
  private readonly backoff: Backoff;
  private readonly wake = new Notifier();
  private wakeSignal = this.wake.next();
  private connection: AbortScope | undefined;
  /** Settles when the sockets of that connection are closed. */
  private connecting: Promise<unknown> = Promise.resolve();
  /** Consecutive connections that the platform ended to have the client connect again. */
  private restarts = 0;
  /** Callers that wait for the new start that they requested. */
  private resets: { done: () => void; failed: (error: unknown) => void }[] = [];
  private deleting = false;
  private waitIsDemanded = false;
  /** Ends the current wait. Set only while the loop waits by its own choice. */
  private resting: AbortController | undefined;
  private failing: number | undefined;
  private lastEnd: ConnectionEnd | undefined;
  /** Set while the stored login does not open. */
  private unreadable: UnreadableRecord | undefined;

  constructor(
    private readonly parts: SessionLoopParts,
    private readonly signal: AbortSignal,
  ) {
    this.backoff = new Backoff(parts.timing);
  }

  /** True while the loop waits because the platform demanded it, and always if this process cannot connect the session. */
  get isWaitingForPlatform(): boolean {
    return this.waitIsDemanded || this.parts.connector.isOff === true;
  }

  async run(): Promise<void> {
    let loaded = false;
    while (!this.over) {
      this.wakeSignal = this.wake.next();
      let waitMs = 0;
      try {
        if (!loaded) await this.load();
        loaded = true;
        if (this.resets.length > 0) await this.startOver();
        const connecting = this.connect();
        this.connecting = connecting;
        const end = await connecting;
        // The next owner decides for itself.
        if (this.over) break;
        waitMs = await this.follow(end);
        this.waitIsDemanded = end.kind === "lost" && end.waitMs > 0;
      } catch (error) {
        this.stepFailed(error);
        waitMs = this.backoff.afterFailure();
        this.failing ??= performance.now();
      }
      if (waitMs > 0 && !this.over) await this.rest(waitMs);
      this.waitIsDemanded = false;
    }
    await this.parts.connector.finish();
  }

  /**
   * Starts over once `logOut` is done, and resolves in the initial state. Rejects while the stored login does not open: its key may be
   * restored, and a new start would overwrite the login.
   */
  async reset(logOut: () => Promise<void>): Promise<void> {
    if (this.unreadable !== undefined) throw sessionNotConnected(this.unreadable);
    const done = new Promise<void>((resolve, reject) => {
      this.resets.push({ done: resolve, failed: reject });
    });
    done.catch(() => undefined); // Awaited below, after the log-out.
    await logOut();
    // If the log-out ended the connection, the session has already started over, and the next connection must not end too.
    if (this.resets.length > 0) {
      this.connection?.abort(new Error("the owner asked for a new start"));
      this.wake.notify();
    }
    await done;
  }

  /** Ends the connection, or the wait for it, and makes another one at once. Resolves when the former one is over. */
  async reconnect(): Promise<void> {
    this.backoff.reset();
    const over = this.connecting.catch(() => undefined);
    this.connection?.abort(new Error("an operator asked for a new connection"));
    this.wake.notify();
    await over;
  }

  /** Ends a wait that the loop has chosen itself, but not before its minimum. Returns false when there is none, or it was already ended. */
  retryNow(): boolean {
    if (this.resting === undefined || this.resting.signal.aborted) return false;
    this.resting.abort("retry now");
    return true;
  }

  /** When its connects began to fail (monotonic milliseconds); `undefined` while they do not. */
  get failingSince(): number | undefined {
    return this.failing;
  }

  /** Called when the session is connected. */
  recovered(): void {
    this.failing = undefined;
  }

  /** True if the last connection failed at its proxy. */
  get proxyFailed(): boolean {
    return this.lastEnd?.kind === "lost" && proxyFaultIn(this.lastEnd.cause) !== undefined;
  }

  /**
   * Runs `remove`, which logs out and deletes the session. A sign-out meanwhile is most likely caused by it, so the loop waits for the
   * outcome.
   */
  async delete(remove: () => Promise<void>): Promise<void> {
    this.deleting = true;
    try {
      await remove();
    } finally {
      this.deleting = false;
      this.wake.notify();
    }
  }

  /** True when no further connection may be made. */
  private get over(): boolean {
    return this.signal.aborted || this.parts.state().kind === "deleted";
  }

  private stepFailed(error: unknown): void {
    if (this.over) return;
    const unreadable = error instanceof UnreadableRecord;
    this.parts.failed(unreadable ? "something stored cannot be opened" : "session interrupted, retrying");
    // The store has already logged an unreadable record.
    if (!unreadable) this.parts.log.warn({ err: error }, "session interrupted, retrying");
  }

  /** Waits; a wake-up or the end of the session cuts the wait short. */
  private pause(ms: number): Promise<void> {
    return pause(ms, this.wakeSignal, this.signal);
  }

  /** Waits before another try. `retryNow` cannot shorten a wait that the platform demanded. */
  private async rest(ms: number): Promise<void> {
    const leastMs = Math.min(ms, this.parts.timing.backoffMinMs);
    const resting = new AbortController();
    if (!this.waitIsDemanded) this.resting = resting;
    await this.pause(leastMs);
    if (ms > leastMs) await pause(ms - leastMs, this.wakeSignal, this.signal, resting.signal);
    this.resting = undefined;
  }

  private async load(): Promise<void> {
    const { connector, state, dispatch } = this.parts;
    try {
      await connector.load();
      this.unreadable = undefined;
    } catch (error) {
      if (error instanceof UnreadableRecord) {
        this.unreadable = error;
        for (const { failed } of this.resets.splice(0)) failed(sessionNotConnected(error));
      }
      throw error;
    }
    // This owner has not verified the connection yet.
    if (state().kind === "connected") await dispatch({ type: "connection-lost" });
  }

  /** Runs one connection. If the session itself ended it, the session's reason counts, not the connector's. */
  private async connect(): Promise<ConnectionEnd> {
    const { connector, gate } = this.parts;
    const connection = new AbortScope([this.signal]);
    this.connection = connection;
    try {
      await gate.enter(connection.signal);
      const end = connection.signal.aborted ? undefined : await connector.connect(connection.signal);
      if (end !== undefined && !connection.signal.aborted) return end;
      return { kind: this.resets.length > 0 ? "reset" : "reconnect" };
    } finally {
      gate.leave();
      this.connection = undefined;
      connection.close();
    }
  }

  /** Resolves with the milliseconds to wait before the next connection. */
  private async follow(end: ConnectionEnd): Promise<number> {
    this.lastEnd = end;
    this.parts.onConnectionEnd(end.kind, "refusal" in end ? end.refusal : undefined);
    const fault = faultOf(end);
    if (fault !== undefined) this.parts.failed(fault);
    this.restarts = end.kind === "restart" ? this.restarts + 1 : 0;
    const { signedOut, lost, waitMs } = afterEnd(end, this.backoff, this.restarts);
    if (signedOut) await this.signOut(end);
    // The process logs once that the platform is off.
    else if (this.parts.connector.isOff !== true) report(end, this.parts.log);
    if (end.kind === "lost") this.failing ??= performance.now();
    if (lost) await this.parts.dispatch({ type: "connection-lost" });
    return waitMs;
  }

  private async signOut(end: ConnectionEnd): Promise<void> {
    // A reset or a deletion caused this sign-out, and handles it.
    if (this.resets.length > 0) return;
    if (this.deleting) await this.pause(this.parts.timing.logOutMs);
    if (this.over) return;
    report(end, this.parts.log);
    await this.parts.connector.forget();
    await this.parts.dispatch({ type: "logged-out" });
    this.backoff.reset();
  }

  private async startOver(): Promise<void> {
    await this.parts.connector.forget();
    await this.parts.dispatch({ type: "reset" });
    for (const { done } of this.resets.splice(0)) done();
  }
}
