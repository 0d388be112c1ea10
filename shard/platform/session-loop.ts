import { sessionNotConnected } from "../../shared/contract/errors.js";
import type { Log } from "../../shared/log/logger.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { Backoff, type BackoffTiming } from "../flow/backoff.js";
import { pause } from "../../shared/flow/pause.js";
import { Wake } from "../flow/wake.js";
import type { ConnectGate } from "./platform-session.js";

/** One platform's part in the life of a session. `End` is how one connection ended. */
export interface LoopPort<End> {
  /** Reads what is stored; called again until it has succeeded once. */
  load(): Promise<void>;
  /** One connection, from dialling until its socket is gone. `connection` ends it, with the reason. */
  connect(connection: AbortController): Promise<End>;
  /** Takes in how a connection ended, and resolves with the milliseconds to wait before the next one. Not called when the session is over. */
  settle(end: End): Promise<number>;
  /** The owner asked for a new start: forgets the account, and shows the initial state. */
  startOver(): Promise<void>;
  /** After the last connection: resolves when nothing is being written any more. */
  finish(): Promise<void>;
  /** True when the session is deleted. */
  readonly deleted: boolean;
}

/**
 * Keeps one account connected: connect, take in how it ended, wait, again; until it is stopped or the session is deleted. Errors of a port (the store was
 * not to be reached, or ownership is lost, in which case the host ends this loop) are failures like a lost connection.
 */
export class SessionLoop<End> {
  /** Of failures in a row. */
  readonly backoff: Backoff;
  private readonly stopping = new AbortController();
  private readonly wake = new Wake();
  private nudged = this.wake.next();
  private running: Promise<void> = Promise.resolve();
  /** Ends the current connection; its reason says how. */
  private connection: AbortController | undefined;
  /** Callers that wait for the new start they asked for. */
  private resets: { done: () => void; failed: (error: unknown) => void }[] = [];
  /** What is stored does not open. */
  private unreadable: UnreadableRecord | undefined;

  constructor(
    private readonly port: LoopPort<End>,
    private readonly timing: BackoffTiming & { readonly closeMs: number },
    private readonly log: Log,
    private readonly gate: ConnectGate,
  ) {
    this.backoff = new Backoff(timing);
  }

  /** See `PlatformSession.run`. */
  run(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.stopping.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    this.running = this.loop().finally(() => signal.removeEventListener("abort", onAbort));
    return this.running;
  }

  /** Ends the loop and its connection, for `reason`. */
  stop(reason: Error): void {
    this.stopping.abort(reason);
  }

  /** See `PlatformSession.close`. */
  async close(reason: Error): Promise<void> {
    this.stop(reason);
    const bound = new AbortController();
    await Promise.race([this.running, pause(this.timing.closeMs, bound.signal)]);
    bound.abort();
  }

  /** Ends the current connection, for `reason`. */
  endConnection(reason: unknown): void {
    this.connection?.abort(reason);
  }

  /** Ends the pause between two connections. */
  nudge(): void {
    this.wake.ring();
  }

  /**
   * Asks for a new start; `logOut` runs first. Resolves when the state is the initial one, or when the loop has ended. Refused while what is stored does not open:
   * with its key restored it is a login, and a new start would overwrite it.
   */
  async reset(reason: Error, logOut: () => Promise<void>): Promise<void> {
    if (this.unreadable !== undefined) throw sessionNotConnected(this.unreadable);
    const done = new Promise<void>((resolve, reject) => {
      this.resets.push({ done: resolve, failed: reject });
    });
    done.catch(() => undefined); // Awaited below, after the log-out.
    await logOut();
    this.endConnection(reason);
    this.nudge();
    await Promise.race([done, this.running]);
  }

  /** Aborts when the loop is to end. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** True when nothing further may be connected. */
  get over(): boolean {
    return this.stopping.signal.aborted || this.port.deleted;
  }

  /** True while somebody waits for a new start. */
  get resetting(): boolean {
    return this.resets.length > 0;
  }

  /** Waits, `ms` at most, cut short by a nudge or by the end. */
  pause(ms: number): Promise<void> {
    return pause(ms, this.nudged, this.stopping.signal);
  }

  private async loop(): Promise<void> {
    let loaded = false;
    while (!this.over) {
      this.nudged = this.wake.next();
      let waitMs = 0;
      try {
        if (!loaded) await this.load();
        loaded = true;
        if (this.resetting) await this.startOver();
        const end = await this.connectOnce();
        // The next owner judges for itself.
        if (this.over) break;
        waitMs = await this.port.settle(end);
      } catch (error) {
        // The host has told of a record that does not open.
        if (!this.over && !(error instanceof UnreadableRecord)) this.log.warn({ err: error }, "session could not go on");
        waitMs = this.backoff.afterFailure();
      }
      if (waitMs > 0 && !this.over) await this.pause(waitMs);
    }
    await this.port.finish();
  }

  private async load(): Promise<void> {
    try {
      await this.port.load();
      this.unreadable = undefined;
    } catch (error) {
      if (error instanceof UnreadableRecord) {
        this.unreadable = error;
        for (const { failed } of this.resets.splice(0)) failed(sessionNotConnected(error));
      }
      throw error;
    }
  }

  private async connectOnce(): Promise<End> {
    const connection = new AbortController();
    const { signal } = this.stopping;
    const onStop = (): void => connection.abort(signal.reason);
    if (signal.aborted) onStop();
    else signal.addEventListener("abort", onStop, { once: true });
    this.connection = connection;
    try {
      await this.gate.enter(connection.signal);
      return await this.port.connect(connection);
    } finally {
      this.gate.leave();
      this.connection = undefined;
      signal.removeEventListener("abort", onStop);
    }
  }

  private async startOver(): Promise<void> {
    await this.port.startOver();
    for (const { done } of this.resets.splice(0)) done();
  }
}
