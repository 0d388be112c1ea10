import { EventEmitter } from "node:events";
import { Poll } from "../flow/poll.js";
import type { Log } from "../log/logger.js";
import { channels, keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { masterOf } from "../redis/topology.js";
import { defaultClusterTiming, type ClusterTiming } from "./cluster-timing.js";
import { beatAt, beatTag, readFeed, type Beat } from "./beat-feed.js";
import { afterPoll, isChanged, isOverdue, livesOn, mayBury, needsRecord, type WatchedMember } from "./member-signs.js";
import { bury, readMemberRecords, type MemberRecord } from "./membership.js";

/** A notice triggers a poll at once, but no sooner than this after the last poll, because many members may join together. */
const noticeGapMs = 100;
/** Lifetime of the key with which a poll probes for writes. */
const probeMs = 10_000;
/** Every record is read once in this many polls regardless of the feed, which limits how long a lost notice goes unnoticed. */
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
 * Judges members by the observer's monotonic clock, because wall clocks and Redis expiry can jump. Polls one
 * feed of beats and reads single records where `needsRecord`. Emits `change` when a member's state changes.
 */
export class MemberWatch extends EventEmitter<{ change: [] }> {
  private names: readonly string[] = [];
  private readonly watched = new Map<string, WatchedMember>();
  private members: readonly MemberRecord[] = [];
  /** Members with a notice since the last poll. */
  private readonly noticed = new Set<string>();
  private round = 0;
  /** Whether `change` is due: subscribers decide by the state of members. */
  private changed = false;
  private judgedAt = 0;
  private readonly now: () => number;
  private soon: NodeJS.Timeout | undefined;
  private readonly timing: ClusterTiming;
  private readonly polling: Poll;
  private polledAt = -Infinity;
  private repliedAt = -Infinity;
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
    this.polling = new Poll(this.timing.pollMs, () => this.readMembers());
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

  /** Returns the milliseconds since Redis last replied to a poll, as reported by `readyz`. */
  silentMs(): number {
    return performance.now() - this.repliedAt;
  }

  /** Whether Redis counts as responding. */
  get hasReplied(): boolean {
    return this.silentMs() < this.timing.redisSilentMs;
  }

  /** Returns all members by name as of the last poll, at most a second old while Redis responds. */
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
   * Returns true while this incarnation is alive and gave a recent sign of life. A silent member keeps its
   * slots until it is buried, but its sockets may be gone. Counts only time in which Redis responded.
   */
  isResponsive(name: string, incarnation: string): boolean {
    return this.lives(name, incarnation) && (this.watched.get(name)?.silentMs ?? 0) < this.timing.unheardMs;
  }

  /** Reads now; concurrent callers share one read. Never rejects: without Redis the last view stands. */
  poll(): Promise<void> {
    return this.polling.now();
  }

  /** Reads the records of these members, whatever the feed says of them. Never rejects, as `poll`. */
  async readAgain(names: readonly string[]): Promise<void> {
    // A poll in progress may have read the members before this call.
    if (this.polling.isChecking) await this.poll();
    for (const name of names) this.noticed.add(name);
    await this.poll();
  }

  private pollSoon(): void {
    if (this.soon !== undefined) return;
    const waitMs = Math.max(0, this.polledAt + noticeGapMs - performance.now());
    if (waitMs === 0 && !this.polling.isChecking) {
      void this.poll();
      return;
    }
    // A poll in progress may have read the record before it changed.
    this.soon = setTimeout(() => {
      this.soon = undefined;
      if (!this.polling.isChecking) void this.poll();
      else this.pollSoon();
    }, waitMs || noticeGapMs);
  }

  private async readMembers(): Promise<void> {
    const { redis, log } = this.options;
    this.polledAt = performance.now();
    // What comes from here on may be of a record that was read just before.
    const noticed = new Set(this.noticed);
    this.noticed.clear();
    try {
      const [feed, count] = await Promise.all([readFeed(redis), redis.scard(keys.members)]);
      if (count !== this.names.length) await this.listNames();
      const now = this.now();
      const passedMs = Math.min(2 * this.timing.pollMs, now - this.judgedAt);
      const toRequest = this.toRead(feed, passedMs, noticed);
      const [records, refused] = await Promise.all([readMemberRecords(redis, toRequest), this.withRefusedBeats(passedMs)]);
      this.judgedAt = now;
      this.round += 1;
      this.takeIn(feed, new Map(toRequest.map((name, index) => [name, records[index]])), { passedMs, refused });
      this.repliedAt = performance.now();
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

  /**
   * Returns the overdue members whose master refuses writes, which could not have beaten either.
   * Tries one write on each master; never rejects.
   */
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
        afterPoll(
          before,
          { record, tag, wasRead, beat: beatOf(feed, record) },
          { now, passedMs, beatsRefused: refused.has(name), pollMs: this.timing.pollMs },
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
          // Redis accepts no writes; the next poll retries.
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
