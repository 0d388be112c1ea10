import { EventEmitter } from "node:events";
import { Poll } from "../flow/poll.js";
import type { Log } from "../log/logger.js";
import { channels, keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { masterOf } from "../redis/topology.js";
import { defaultClusterTiming, type ClusterTiming } from "./cluster-timing.js";
import { beatAt, beatTag, readFeed, type Beat } from "./beat-feed.js";
import { afterLook, isChanged, isOverdue, livesOn, mayBury, needsRecord, type WatchedMember } from "./member-signs.js";
import { bury, readMemberRecords, type MemberRecord } from "./membership.js";

/** A notice has everybody look at once; when many members join together, no sooner than this after the last look. */
const noticeGapMs = 100;
/** How long the key lives with which a look tries a write. */
const probeMs = 10_000;
/** Every record is read once in so many polls, whatever the feed says of it: so long a notice that was lost can go unnoticed. */
const roundPolls = 120;

export interface MemberWatchOptions {
  redis: RedisClient;
  /** Nudges by pub/sub; the poll finds the same without it. */
  subscriber: RedisClient;
  log: Log;
  timing?: ClusterTiming;
  /** Monotonic milliseconds. */
  now?: () => number;
}

/**
 * Judges every member by the observer's own monotonic clock: no wall clock and no expiry in Redis, because these jump. What tells that a member lives is the feed of
 * beats, one value for all of them; its record is read where the feed is silent or at odds with it (`needsRecord`).
 * Emits `change` when a member joined, drains, left, died or came back as another incarnation.
 */
export class MemberWatch extends EventEmitter<{ change: [] }> {
  private names: readonly string[] = [];
  private readonly watched = new Map<string, WatchedMember>();
  private members: readonly MemberRecord[] = [];
  /** Of whom there was a notice since the last look. */
  private readonly noticed = new Set<string>();
  private round = 0;
  /** Something that others decide by, and that they were not told of yet. */
  private changed = false;
  private judgedAt = 0;
  private readonly now: () => number;
  private soon: NodeJS.Timeout | undefined;
  private readonly timing: ClusterTiming;
  private readonly polling: Poll;
  private polledAt = -Infinity;
  private answeredAt = -Infinity;
  private readonly notice = (channel: string, name: string): void => {
    if (channel !== channels.members) return;
    this.noticed.add(name);
    this.pollSoon();
  };

  constructor(private readonly options: MemberWatchOptions) {
    super();
    this.setMaxListeners(100);
    this.now = options.now ?? (() => performance.now());
    this.timing = options.timing ?? defaultClusterTiming;
    this.polling = new Poll(this.timing.lookMs, () => this.look());
  }

  async start(): Promise<void> {
    this.options.subscriber.on("message", this.notice);
    await this.options.subscriber.subscribe(channels.members);
    await this.poll();
    this.polling.start();
  }

  async stop(): Promise<void> {
    this.options.subscriber.off("message", this.notice);
    clearTimeout(this.soon);
    await this.polling.stop();
  }

  /** Milliseconds since Redis last answered a poll: the truth about it that `readyz` tells. */
  silentMs(): number {
    return performance.now() - this.answeredAt;
  }

  /** Whether Redis counts as answering. */
  get isAnswered(): boolean {
    return this.silentMs() < this.timing.redisSilentMs;
  }

  /** As of the last poll, a second ago at most while Redis answers. By name. */
  all(): readonly MemberRecord[] {
    return this.members;
  }

  get(name: string): MemberRecord | undefined {
    return this.watched.get(name)?.record;
  }

  /** True while this incarnation may own slots, so while another process must not take them. */
  lives(name: string, incarnation: string): boolean {
    const member = this.get(name);
    return member !== undefined && member.incarnation === incarnation && livesOn(member);
  }

  /**
   * True while this incarnation lives and has been heard of lately. A silent one keeps its slots until it is buried, and commands wait for that; but nobody
   * knows whether its sockets still stand. Only time in which Redis answered counts.
   */
  heard(name: string, incarnation: string): boolean {
    return this.lives(name, incarnation) && (this.watched.get(name)?.silentMs ?? 0) < this.timing.unheardMs;
  }

  /** Reads now; concurrent callers share one read. Never rejects: without Redis the last view stands. */
  poll(): Promise<void> {
    return this.polling.now();
  }

  /** Reads the records of these members, whatever the feed says of them. Never rejects, as `poll`. */
  async readAgain(names: readonly string[]): Promise<void> {
    // A look that is under way may have read them before now.
    if (this.polling.isLooking) await this.poll();
    for (const name of names) this.noticed.add(name);
    await this.poll();
  }

  private pollSoon(): void {
    if (this.soon !== undefined) return;
    const waitMs = Math.max(0, this.polledAt + noticeGapMs - performance.now());
    if (waitMs === 0 && !this.polling.isLooking) {
      void this.poll();
      return;
    }
    // The look that is under way may have read the record before it changed.
    this.soon = setTimeout(() => {
      this.soon = undefined;
      if (!this.polling.isLooking) void this.poll();
      else this.pollSoon();
    }, waitMs || noticeGapMs);
  }

  private async look(): Promise<void> {
    const { redis, log } = this.options;
    this.polledAt = performance.now();
    // What comes from here on may be of a record that was read just before.
    const noticed = new Set(this.noticed);
    this.noticed.clear();
    try {
      const [feed, count] = await Promise.all([readFeed(redis), redis.scard(keys.members)]);
      if (count !== this.names.length) await this.listNames();
      const now = this.now();
      const passedMs = Math.min(2 * this.timing.lookMs, now - this.judgedAt);
      const asked = this.toRead(feed, passedMs, noticed);
      const [records, refused] = await Promise.all([readMemberRecords(redis, asked), this.withRefusedBeats(passedMs)]);
      this.judgedAt = now;
      this.round += 1;
      this.takeIn(feed, new Map(asked.map((name, index) => [name, records[index]])), { passedMs, refused });
      this.answeredAt = performance.now();
      await this.buryDead();
      if (!this.changed) return;
      this.changed = false;
      this.emit("change");
    } catch (error) {
      for (const name of noticed) this.noticed.add(name);
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, "member list read failed");
    }
  }

  private async listNames(): Promise<void> {
    this.names = (await this.options.redis.smembers(keys.members)).sort();
    const there = new Set(this.names);
    const fellAway = [...this.watched.keys()].filter((name) => !there.has(name));
    for (const name of fellAway) this.watched.delete(name);
    this.changed ||= fellAway.length > 0;
  }

  private toRead(feed: Buffer, passedMs: number, noticed: ReadonlySet<string>): string[] {
    const turn = this.round % roundPolls;
    return this.names.filter((name, index) => {
      const member = this.watched.get(name);
      return (
        member === undefined ||
        noticed.has(name) ||
        index % roundPolls === turn ||
        needsRecord(member, beatOf(feed, member.record), passedMs, this.timing)
      );
    });
  }

  /** Overdue members on a master that refuses a write at this moment: they could not have beaten either. Tries one write on each master. Never rejects. */
  private async withRefusedBeats(passedMs: number): Promise<ReadonlySet<string>> {
    const { redis } = this.options;
    const byMaster = new Map<RedisClient | undefined, string[]>();
    for (const [name, member] of this.watched) {
      if (!isOverdue(member, passedMs, this.timing)) continue;
      const master = masterOf(redis, keys.member(name));
      byMaster.set(master, [...(byMaster.get(master) ?? []), name]);
    }
    const groups = await Promise.all(
      [...byMaster.values()].map(async (names) => {
        // It lies beside the record of that name.
        const write = redis.set(keys.probe(names[0] ?? ""), "1", "PX", probeMs);
        return await write.then(
          () => [],
          () => names,
        );
      }),
    );
    return new Set(groups.flat());
  }

  private takeIn(
    feed: Buffer,
    read: ReadonlyMap<string, MemberRecord | undefined>,
    { passedMs, refused }: { readonly passedMs: number; readonly refused: ReadonlySet<string> },
  ): void {
    const now = this.now();
    for (const name of this.names) {
      const before = this.watched.get(name);
      const wasRead = read.has(name);
      const record = wasRead ? read.get(name) : before?.record;
      if (record === undefined) {
        this.changed = this.watched.delete(name) || this.changed;
        continue;
      }
      const tag = before?.record.incarnation === record.incarnation ? before.tag : beatTag(record.incarnation);
      this.watched.set(
        name,
        afterLook(
          before,
          { record, tag, wasRead, beat: beatOf(feed, record) },
          { now, passedMs, beatsRefused: refused.has(name), lookMs: this.timing.lookMs },
        ),
      );
      this.changed ||= isChanged(before?.record, record);
    }
    this.list();
  }

  private list(): void {
    this.members = this.names.flatMap((name) => this.watched.get(name)?.record ?? []);
  }

  private async buryDead(): Promise<void> {
    const { redis, log } = this.options;
    const now = this.now();
    const silent = [...this.watched.values()].filter((member) => mayBury(member, now, this.timing));
    await Promise.all(
      silent.map(async (member) => {
        const { name, incarnation, sequence } = member.record;
        const isBuried = await bury(redis, name, incarnation, sequence).catch((error: unknown) => {
          // A Redis that takes no writes: the next look tries again.
          log.warn({ member: name, err: error }, "silent member removal failed, retrying");
          return false;
        });
        if (!isBuried) return;
        this.watched.set(name, { ...member, record: { ...member.record, state: "dead", buriedBy: "timeout" } });
        this.list();
        this.changed = true;
        log.error({ member: name, incarnation }, "silent member removed");
      }),
    );
  }
}

function beatOf(feed: Buffer, { place }: MemberRecord): Beat | undefined {
  return place === undefined ? undefined : beatAt(feed, place);
}
