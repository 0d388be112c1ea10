import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import { TenantShares } from "../../shared/flow/tenant-shares.js";
import { sendTimeoutMs } from "../../shared/limits.js";
import type { Platform } from "../../shared/contract/platform.js";
import { KeyedSemaphore } from "../flow/keyed-semaphore.js";
import type { SessionPace, Turn } from "../tenant/pace/session-pace.js";
import type { CommandHead } from "../../shared/bus/envelope.js";
import { effectIdOf, type Task } from "./task.js";

export interface PaceLineOptions {
  readonly tenantOf: (session: string) => string;
  readonly isShared: () => boolean;
  readonly onPaced: (platform: Platform, outcome: "waited" | "refused") => void;
}

/** The part of a task that the pace line uses. */
export interface PacedTask extends Pick<Task, "enterPaceLine" | "leavePaceLine"> {
  readonly envelope: Pick<CommandHead, "session" | "platform" | "id" | "idempotency">;
}

/** Limits of one wait: the signal that ends it, the milliseconds left, and whether an earlier try is on record. */
export interface PaceWait {
  readonly signal: Ending;
  readonly leftMs: number;
  /** An earlier try may have been sent. Then the command goes on to its record, which replays it or sends it again under its id. */
  readonly isOnRecord: () => Promise<boolean>;
}

export type PaceOutcome =
  | { readonly kind: "turn"; readonly turn: Turn | undefined }
  | { readonly kind: "refused"; readonly waitMs: number };

/** A queued message. */
interface Waiting {
  readonly session: string;
  readonly tenant: string;
  readonly pace: SessionPace;
  /** Monotonic milliseconds: past it there is too little time for sending. */
  readonly latestAt: number;
  readonly end: AbortScope;
  /** Set when the message would wait for too long and is rejected. */
  tooLongMs: number | undefined;
}

/** Most messages that wait for their session's pace, so that other commands still find places in the shard and in its stream. */
const waitingMax = 400;
/** Time before a message's deadline that is kept for sending it. */
const sendingMs = sendTimeoutMs / 2;

/**
 * Queue of messages until their session may send them, in order of arrival. It stands before the lane, so that only messages wait here. A
 * message that would miss its deadline is rejected at once.
 */
export class PaceLine {
  private readonly heads = new KeyedSemaphore([Number.POSITIVE_INFINITY, 1]);
  private readonly shares: TenantShares;
  /** In order of arrival. */
  private readonly line = new Set<Waiting>();

  constructor(private readonly options: PaceLineOptions) {
    this.shares = new TenantShares(() => waitingMax, options.isShared);
  }

  get waiting(): number {
    return this.shares.total;
  }

  /** Rejects with the signal's reason when it aborts first. */
  async enter(task: PacedTask, pace: SessionPace, { signal, leftMs, isOnRecord }: PaceWait): Promise<PaceOutcome> {
    const { session, platform } = task.envelope;
    const id = effectIdOf(task.envelope);
    const endsAt = performance.now() + leftMs;
    // If the pace was just removed, the messages that already waited for it go first.
    if (!pace.isOn && !this.isBusy(session)) return { kind: "turn", turn: undefined };
    await pace.ready();
    if (!this.isBusy(session) && pace.waitMs() === 0) return { kind: "turn", turn: pace.takeTurn(id) };
    if (await isOnRecord()) return { kind: "turn", turn: undefined };
    const waitMs = pace.waitMs(this.heads.sizeOf([session]));
    const tenant = this.options.tenantOf(session);
    const hasRoom = this.shares.sessionMayHaveMore(session) && this.shares.tenantMayHaveMore(tenant);
    const latestAt = endsAt - sendingMs;
    if (performance.now() + waitMs > latestAt || !hasRoom) return this.refused(platform, waitMs);
    const release = this.shares.take({ session, tenant });
    const waiting: Waiting = { session, tenant, pace, latestAt, end: new AbortScope([signal]), tooLongMs: undefined };
    this.line.add(waiting);
    task.enterPaceLine();
    try {
      const turn = await this.turn(id, session, pace, waiting.end);
      this.options.onPaced(platform, "waited");
      return { kind: "turn", turn };
    } catch (error) {
      if (waiting.tooLongMs === undefined || signal.aborted) throw error;
      return this.refused(platform, waiting.tooLongMs);
    } finally {
      task.leavePaceLine();
      this.line.delete(waiting);
      waiting.end.close();
      release();
    }
  }

  /** Applies a changed pace of these tenants to the queued messages, and rejects those that would now miss their deadline. */
  changed(tenants: ReadonlySet<string>): void {
    const ahead = new Map<string, number>();
    for (const waiting of [...this.line]) {
      const { session, tenant, pace, latestAt, end } = waiting;
      if (!tenants.has(tenant)) continue;
      const before = ahead.get(session) ?? 0;
      const waitMs = pace.waitMs(before);
      if (performance.now() + waitMs > latestAt) {
        waiting.tooLongMs = waitMs;
        end.abort();
      } else {
        ahead.set(session, before + 1);
        if (before === 0) pace.changed();
      }
    }
  }

  private refused(platform: Platform, waitMs: number): PaceOutcome {
    this.options.onPaced(platform, "refused");
    return { kind: "refused", waitMs };
  }

  private isBusy(session: string): boolean {
    return this.heads.sizeOf([session]) > 0;
  }

  /** Waits until the message is first of its session, then takes the next turn. */
  private async turn(id: string, session: string, pace: SessionPace, signal: Ending): Promise<Turn> {
    const leave = await this.heads.enter([session], signal);
    try {
      for (let waitMs = pace.waitMs(); waitMs > 0; waitMs = pace.waitMs()) {
        await pause(waitMs, signal, pace.nextFreed());
        signal.throwIfAborted();
      }
      return pace.takeTurn(id);
    } finally {
      leave();
    }
  }
}
