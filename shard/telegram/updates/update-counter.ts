import { Api } from "telegram";
import { type Change, type Origin, toChanges, uncountedChanges } from "./change.js";
import type { People } from "./people.js";
import { PtsOrder } from "./pts-order.js";
import { countOf, isOfChannel, unpack } from "./unpack.js";
import type { Intake } from "./update-inbox.js";
import type { GapCause, UpdateMetrics } from "./update-metrics.js";
import type { UpdatePosition } from "./update-position.js";

/** Applies incoming updates to the account's position in order, and detects gaps. No I/O. */
export class UpdateCounter {
  private readonly order: PtsOrder<readonly Change[]>;
  private readonly reached: { -readonly [K in keyof UpdatePosition]: UpdatePosition[K] };
  /** Set when the difference must be fetched at once. */
  private demanded: GapCause | undefined;
  /** The account's count as the platform last reported it. */
  private expected = 0;
  /** Highest number of a container that arrived after a missing one. */
  private seqAhead = 0;
  private gapSince: number | undefined;
  /** Number of differences in a row that did not close the gap. */
  private fruitless = 0;

  constructor(
    position: UpdatePosition,
    private readonly metrics: UpdateMetrics,
  ) {
    this.reached = { ...position };
    this.order = new PtsOrder(position.pts);
  }

  get position(): UpdatePosition {
    const { user, qts, date, seq, newest } = this.reached;
    return { user, pts: this.order.pts, qts, date, seq, newest };
  }

  /** Cause of the gap; only valid while there is a gap. */
  get cause(): GapCause {
    if (this.demanded !== undefined) return this.demanded;
    if (this.order.waiting > 0) return "pts";
    return this.expected > this.order.pts ? "silence" : "seq";
  }

  demand(cause: GapCause): void {
    this.demanded = cause;
  }

  /** Returns the sender of a packet that lacks the user object. `groups`: events of groups are wanted. */
  bareSenderOf(intake: Intake, groups: boolean): string | undefined {
    if (intake.kind !== "packet") return undefined;
    const { packet } = intake;
    if (packet instanceof Api.UpdateShortMessage) return packet.userId.toString();
    return groups && packet instanceof Api.UpdateShortChatMessage ? packet.fromId.toString() : undefined;
  }

  /** Returns the changes that can become events now. `unknownSender`: the sender is unknown, so the message waits for the difference. */
  apply(intake: Intake, unknownSender: boolean, people: People): readonly Change[] {
    switch (intake.kind) {
      case "packet":
        return this.applyPacket(intake.packet, intake.own, unknownSender, people);
      case "counted": {
        const { pts, count, sent, channel } = intake;
        if (channel !== undefined) return [];
        return this.offer({ pts, count, item: sent === undefined ? [] : [{ kind: "sent", ...sent }] });
      }
      case "state":
        this.expected = Math.max(this.expected, intake.state.pts);
        this.reached.qts = Math.max(this.reached.qts, intake.state.qts);
        return [];
      case "channels":
        return [];
      default:
        return intake satisfies never;
    }
  }

  /** Moves to the position up to which the difference was read. Returns held changes that are next. */
  moveTo(position: UpdatePosition): readonly Change[] {
    if (position.pts !== this.order.pts) this.fruitless = 0;
    const newest = Math.max(position.newest, this.reached.newest);
    Object.assign(this.reached, position, { newest, seq: Math.max(position.seq, this.seqAhead) });
    this.seqAhead = 0;
    return this.applied(this.order.moveTo(position.pts));
  }

  /** Called after the last page of a difference. Returns changes that are applied despite a gap before them. */
  filled(): readonly Change[] {
    this.demanded = undefined;
    this.expected = 0;
    this.gapSince = undefined;
    if (this.order.waiting === 0) {
      this.fruitless = 0;
      return [];
    }
    this.fruitless++;
    if (this.fruitless < fruitlessMax && this.order.waiting < waitingMax) return [];
    this.fruitless = 0;
    return this.applied(this.order.skip());
  }

  /** Returns the milliseconds until the difference is due: 0 for now, Infinity without a gap. `now` comes from a steady clock. */
  gapWaitMs(now: number, gapMs: number): number {
    if (this.demanded !== undefined || this.order.waiting >= waitingMax) return 0;
    if (this.order.waiting === 0 && this.expected <= this.order.pts && this.seqAhead <= this.reached.seq) {
      this.gapSince = undefined;
      return Number.POSITIVE_INFINITY;
    }
    this.gapSince ??= now;
    return Math.max(0, this.gapSince + gapMs * 2 ** this.fruitless - now);
  }

  private applyPacket(packet: Api.TypeUpdates, own: boolean, unknownSender: boolean, people: People): readonly Change[] {
    if (packet instanceof Api.UpdatesTooLong) this.demand("too-long");
    const { updates, users, chats, date, seq } = unpack(packet);
    people.learn(users, chats);
    const ready: Change[] = [];
    // Counted updates have their own order. The container's number only shows whether a container is missing.
    const at = date || this.reached.date;
    for (const update of updates)
      ready.push(...this.applyUpdate(update, { date: at, since: at, own, missed: false }, unknownSender, people));
    if (seq !== undefined) this.applySeq(seq, date);
    return ready;
  }

  private applyUpdate(update: Api.TypeUpdate, origin: Origin, unknownSender: boolean, people: People): readonly Change[] {
    if (update instanceof Api.UpdatePtsChanged) this.demand("too-long");
    if (update instanceof Api.UpdateUser || update instanceof Api.UpdateUserName || update instanceof Api.UpdateUserPhone)
      people.forget(update.userId.toString());
    // Secret chats are not supported: their count is kept current, and a gap in it loses no event.
    if ("qts" in update) this.reached.qts = Math.max(this.reached.qts, update.qts);
    const count = countOf(update);
    if (count === undefined) {
      // Behind a gap the update would overtake earlier ones. The difference has the message's latest state.
      return this.order.waiting > 0 || isOfChannel(update) ? [] : uncountedChanges(update, origin);
    }
    const counted = { ...count, item: toChanges(update, origin) };
    if (!unknownSender) return this.offer(counted);
    if (count.pts <= this.order.pts) return [];
    this.order.hold(counted);
    this.demand("stranger");
    return [];
  }

  private offer(counted: { pts: number; count: number; item: readonly Change[] }): readonly Change[] {
    const { outcome, ready } = this.order.offer(counted);
    this.metrics.onUpdates?.(outcome, 1);
    if (outcome === "applied" && ready.length > 1) this.metrics.onUpdates?.("applied", ready.length - 1);
    return this.applied(ready);
  }

  private applySeq({ first, last }: { first: number; last: number }, date: number): void {
    if (last <= this.reached.seq) return;
    if (first > this.reached.seq + 1) this.seqAhead = Math.max(this.seqAhead, last);
    else {
      this.reached.seq = last;
      this.reached.date = Math.max(date, this.reached.date);
    }
  }

  /** Only applied messages count as seen, because an update before the held ones is missing. */
  private applied(items: readonly (readonly Change[])[]): readonly Change[] {
    const changes = items.flat();
    for (const change of changes) {
      const id = change.kind === "new" ? change.message.id : change.kind === "sent" ? change.message : 0;
      if (id > this.reached.newest) this.reached.newest = id;
    }
    return changes;
  }
}

const waitingMax = 500;
const fruitlessMax = 5;
