import { every } from "../../shared/flow/every.js";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { Log } from "../../shared/log/logger.js";
import { isUnreadable, lifetimeMs, transition, type SessionEvent, type SessionState } from "../../shared/session/state.js";

/** A session as its deletion timer sees it. */
export interface TimedSession {
  readonly id: string;
  state(): SessionState;
  /** The platform has sent the session away for a while, so it does not connect. */
  readonly isWaitingForPlatform: boolean;
  /** Adds live time in milliseconds; the session is deleted when its time is over. */
  elapse(ms: number): Promise<void>;
}

/** The machine's own when absent. */
export interface DeletionClock {
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Calls back every `ms` until the returned function is called. */
  every?: (ms: number, tick: () => void) => () => void;
}

export interface DeadlinesOptions extends DeletionClock {
  sessions: () => Iterable<TimedSession>;
  /** True while this process holds its lease, so while Redis responds. */
  live: () => boolean;
  onBlocked: (blocked: boolean) => void;
  log: Log;
}

/** The count grows every 10 s by 10 s at most, so neither a clock jump nor a pause of ours deletes anything. */
export const tickMs = 10_000;
/** More deletions than this in a minute, or than 2 % of the sessions where that is more, are a fault of ours until proven otherwise. */
const brakeFloor = 20;
const brakeShare = 0.02;
const brakeWindowMs = 60_000;

/**
 * Deletes sessions after 3 minutes for an unscanned QR, 30 for a password, more than 30 of disconnection. Waits that the platform demands
 * do not count. The mass-deletion brake guards the last two, because these lose an account.
 */
export class Deadlines {
  private readonly now: () => number;
  private lastAt = 0;
  private stopTicking: (() => void) | undefined;
  private deletedAt: number[] = [];
  private readonly ticks = new SerialQueue();

  constructor(private readonly options: DeadlinesOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  start(): void {
    this.lastAt = this.now();
    const every = this.options.every ?? repeat;
    this.stopTicking = every(tickMs, () => {
      // Measured as it passes: a tick that waits behind a slow one must not lose its share.
      const { ms, at } = this.measure();
      void this.ticks.run(() => this.tick(ms, at));
    });
  }

  async stop(): Promise<void> {
    this.stopTicking?.();
    await this.ticks.idle();
  }

  private measure(): { ms: number; at: number } {
    const at = this.now();
    const ms = this.options.live() ? Math.min(tickMs, Math.max(0, at - this.lastAt)) : 0;
    this.lastAt = at;
    return { ms, at };
  }

  private async tick(ms: number, now: number): Promise<void> {
    if (ms === 0) return;
    const event: SessionEvent = { type: "elapsed", ms };
    const timed = [...this.options.sessions()].filter(
      (session) => lifetimeMs(session.state()) !== undefined && !session.isWaitingForPlatform,
    );
    const due = timed.filter((session) => losesAccount(session.state()) && transition(session.state(), event).kind === "deleted");
    const blocked = this.brakes(due.length, now);
    for (const session of timed) {
      if (blocked && due.includes(session)) continue;
      try {
        await session.elapse(ms);
      } catch (error) {
        // Fenced meanwhile, or Redis is away: the next owner or the next tick counts on.
        this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "elapsed time not recorded, retrying");
      }
    }
  }

  private brakes(due: number, now: number): boolean {
    this.deletedAt = this.deletedAt.filter((at) => now - at < brakeWindowMs);
    const all = [...this.options.sessions()];
    const [sessions, unreadable] = [
      all.length,
      all.filter((session) => isUnreadable(session.state()) && session.state().kind !== "connected").length,
    ];
    const limit = Math.max(brakeFloor, Math.floor(sessions * brakeShare));
    const blocked = this.deletedAt.length + unreadable + due > limit;
    // Where nothing is due, nothing is held back.
    const holds = blocked && due > 0;
    if (holds) this.options.log.error({ due, unreadable, sessions }, "mass deletion blocked");
    this.options.onBlocked(holds);
    if (!blocked) for (let count = 0; count < due; count += 1) this.deletedAt.push(now);
    return blocked;
  }
}

/** Deleting a session that waits for its first scan loses nothing that its owner could not repeat at once. */
function losesAccount(state: SessionState): boolean {
  return state.kind === "disconnected" || state.kind === "awaiting-password";
}

function repeat(ms: number, tick: () => void): () => void {
  const timer = every(ms, tick);
  return () => clearInterval(timer);
}
