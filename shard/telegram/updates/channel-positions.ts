import { PtsOrder, type Counted } from "./pts-order.js";
import type { Change } from "./change.js";

/** Position in the updates of one channel or supergroup, which has a count of its own. */
export interface ChannelPosition {
  readonly pts: number;
  /** Id of the newest message seen; 0 if none. */
  readonly newest: number;
}

interface Followed {
  order: PtsOrder<readonly Change[]>;
  newest: number;
  /** Since when an update is missing, by a steady clock. 0: fetch the difference now. */
  gapSince: number | undefined;
  /** The platform has updates that this session lacks, although none waits for them. Only the difference brings them. */
  isDemanded: boolean;
  /** After a failure the difference is not due before, by the same clock. */
  notBefore: number;
  /** Number of differences in a row that did not close the gap, or failed. */
  fruitless: number;
}

/** Applies the updates of channels and supergroups in order, and detects gaps. No I/O. Channels are named by their marked ids. */
export class ChannelPositions {
  private readonly followed = new Map<string, Followed>();
  /** Channels whose position is not stored yet. */
  private readonly moved = new Set<string>();

  has(channel: string): boolean {
    return this.followed.has(channel);
  }

  /** Follows a channel from a stored position. */
  open(channel: string, { pts, newest }: ChannelPosition): void {
    this.followed.set(channel, { order: new PtsOrder(pts), newest, gapSince: undefined, isDemanded: false, notBefore: 0, fruitless: 0 });
    if (this.followed.size > followedMax) this.evict();
  }

  /** Follows a channel from here on. Its position is stored with the next step. */
  start(channel: string, position: ChannelPosition): void {
    this.open(channel, position);
    this.moved.add(channel);
  }

  drop(channel: string): void {
    this.followed.delete(channel);
    this.moved.delete(channel);
  }

  /** Forgets all channels: the receiver no longer wants what they have. */
  clear(): void {
    this.followed.clear();
    this.moved.clear();
  }

  /** Returns whether updates of the channel wait for an earlier one. */
  isWaiting(channel: string): boolean {
    return (this.followed.get(channel)?.order.waiting ?? 0) > 0;
  }

  positionOf(channel: string): ChannelPosition | undefined {
    const one = this.followed.get(channel);
    return one && { pts: one.order.pts, newest: one.newest };
  }

  /** Returns the changes that can become events now. */
  apply(channel: string, update: Counted<readonly Change[]>, now: number): readonly Change[] {
    const one = this.followed.get(channel);
    if (one === undefined) return [];
    const { outcome, ready } = one.order.offer(update);
    if (outcome === "applied") this.moved.add(channel);
    if (one.order.waiting >= waitingMax) {
      // The difference brings them again, however long the platform makes it wait.
      one.order = new PtsOrder(one.order.pts);
      this.demand(channel);
    } else if (one.order.waiting > 0) one.gapSince ??= now;
    else if (!one.isDemanded) this.close(one);
    return this.applied(one, ready);
  }

  /** Makes the difference of the channel due at once. */
  demand(channel: string): void {
    const one = this.followed.get(channel);
    if (one === undefined) return;
    one.gapSince = 0;
    one.isDemanded = true;
  }

  /** Moves to where the difference was read. Returns held changes that are next. */
  moveTo(channel: string, { pts, newest }: ChannelPosition): readonly Change[] {
    const one = this.followed.get(channel);
    if (one === undefined) return [];
    if (pts !== one.order.pts) one.fruitless = 0;
    one.newest = Math.max(one.newest, newest);
    const ready = one.order.moveTo(pts);
    this.moved.add(channel);
    return this.applied(one, ready);
  }

  /** Called after the last page of a difference. Returns changes that are applied despite a gap before them. */
  filled(channel: string, now: number): readonly Change[] {
    const one = this.followed.get(channel);
    if (one === undefined) return [];
    if (one.order.waiting === 0) {
      this.close(one);
      return [];
    }
    one.fruitless++;
    one.gapSince = now;
    one.isDemanded = false;
    if (one.fruitless < fruitlessMax) return [];
    this.close(one);
    this.moved.add(channel);
    return this.applied(one, one.order.skip());
  }

  /** Called when the difference could not be fetched: it is due again after `waitMs`. */
  failed(channel: string, now: number, waitMs: number): void {
    const one = this.followed.get(channel);
    if (one !== undefined) one.notBefore = now + waitMs;
  }

  /** Returns the channel whose difference is due next, and the milliseconds until then: 0 for now. `now` comes from a steady clock. */
  due(now: number, gapMs: number): { readonly channel: string; readonly waitMs: number } | undefined {
    let next: { channel: string; waitMs: number } | undefined;
    for (const [channel, { gapSince, notBefore, fruitless }] of this.followed) {
      if (gapSince === undefined) continue;
      const dueAt = gapSince === 0 ? 0 : gapSince + gapMs * 2 ** fruitless;
      const waitMs = Math.max(0, Math.max(dueAt, notBefore) - now);
      if (next === undefined || waitMs < next.waitMs) next = { channel, waitMs };
    }
    return next;
  }

  /** Returns the positions that moved since the last call. */
  takeMoved(): ReadonlyMap<string, ChannelPosition> {
    if (this.moved.size === 0) return nothingMoved;
    const moved = new Map(
      [...this.moved].flatMap((channel) => {
        const position = this.positionOf(channel);
        return position === undefined ? [] : [[channel, position] as const];
      }),
    );
    this.moved.clear();
    return moved;
  }

  private close(one: Followed): void {
    one.gapSince = undefined;
    one.isDemanded = false;
    one.fruitless = 0;
  }

  private applied(one: Followed, items: readonly (readonly Change[])[]): readonly Change[] {
    const changes = items.flat();
    for (const change of changes)
      if (change.kind === "new" || change.kind === "service") one.newest = Math.max(one.newest, change.message.id);
    return changes;
  }

  /** Evicts a channel without a gap. Its position is stored, and read again with its next update. */
  private evict(): void {
    for (const [channel, { gapSince }] of this.followed)
      if (gapSince === undefined && !this.moved.has(channel)) {
        this.followed.delete(channel);
        return;
      }
  }
}

const nothingMoved: ReadonlyMap<string, ChannelPosition> = new Map();
/** The platform lets an account join 500 channels and supergroups, or 1,000 with a subscription. */
const followedMax = 1_000;
const waitingMax = 500;
const fruitlessMax = 5;
