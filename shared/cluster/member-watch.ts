import { EventEmitter } from "node:events";
import type { Log } from "../log/logger.js";
import { channels } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { bury, readMembers, type MemberRecord } from "./membership.js";

/** A member whose sequence has not changed for so long is buried by whoever sees it (shared/README.md, "Leases"). */
export const deathAfterMs = 20_000;
const pollMs = 1_000;
/**
 * So much of that silence must be time in which Redis answered. After a longer outage nobody has beaten, and those that live join again within a second or
 * two: to bury them before that would take their slots. The outage itself counts as two polls, so a member that has died is buried 3 s after Redis' return.
 */
const answeredSilenceMs = 5_000;
/** Three missed heartbeats of 3 s, and a poll. For so long, and a poll more, an account whose host has died may be shown as connected. */
export const unheardAfterMs = 10_000;
/** Three polls: past it a process says that Redis does not answer. */
export const redisSilentMs = 3_000;

export interface MemberWatchOptions {
  redis: RedisClient;
  /** Nudges by pub/sub; the poll finds the same without it. */
  subscriber: RedisClient;
  log: Log;
  /** Monotonic milliseconds. */
  now?: () => number;
}

/**
 * Judges every member by the observer's own monotonic clock: no wall clock and no expiry in Redis, because these jump.
 * Emits `change` when a member joined, drains, left, died or came back as another incarnation.
 */
export class MemberWatch extends EventEmitter<{ change: [] }> {
  private members: readonly MemberRecord[] = [];
  private readonly seen = new Map<string, { incarnation: string; sequence: string; at: number; silentMs: number }>();
  private judgedAt = 0;
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private answeredAt = -Infinity;
  private readonly nudge = (channel: string): void => {
    if (channel === channels.members) void this.poll();
  };

  constructor(private readonly options: MemberWatchOptions) {
    super();
    this.setMaxListeners(100);
    this.now = options.now ?? (() => performance.now());
  }

  async start(): Promise<void> {
    this.options.subscriber.on("message", this.nudge);
    await this.options.subscriber.subscribe(channels.members);
    await this.poll();
    this.timer = setInterval(() => void this.poll(), pollMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.options.subscriber.off("message", this.nudge);
    await this.polling;
  }

  /** Milliseconds since Redis last answered a poll: the truth about it that `readyz` tells. */
  silentMs(): number {
    return performance.now() - this.answeredAt;
  }

  /** As of the last poll, a second ago at most while Redis answers. */
  all(): readonly MemberRecord[] {
    return this.members;
  }

  get(name: string): MemberRecord | undefined {
    return this.members.find((member) => member.name === name);
  }

  /** True while this incarnation may own slots, so while another process must not take them. */
  lives(name: string, incarnation: string): boolean {
    const member = this.get(name);
    return member !== undefined && member.incarnation === incarnation && (member.state === "active" || member.state === "draining");
  }

  /**
   * True while this incarnation lives and has been heard of lately. A silent one keeps its slots until it is buried, and commands wait for that; but nobody
   * knows whether its sockets still stand. Only time in which Redis answered counts.
   */
  heard(name: string, incarnation: string): boolean {
    return this.lives(name, incarnation) && (this.seen.get(name)?.silentMs ?? 0) < unheardAfterMs;
  }

  /** Reads now; concurrent callers share one read. Never rejects: without Redis the last view stands. */
  poll(): Promise<void> {
    this.polling ??= this.read().finally(() => {
      this.polling = undefined;
    });
    return this.polling;
  }

  private async read(): Promise<void> {
    try {
      const members = await readMembers(this.options.redis);
      const passedMs = Math.min(2 * pollMs, this.now() - this.judgedAt);
      this.judgedAt = this.now();
      await Promise.all(members.map((member) => this.judge(member, passedMs)));
      const changed = fingerprint(members) !== fingerprint(this.members);
      this.members = members;
      this.answeredAt = performance.now();
      if (changed) this.emit("change");
    } catch (error) {
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "members could not be read");
    }
  }

  private async judge(member: MemberRecord, passedMs: number): Promise<void> {
    if (member.state === "dead" || member.state === "gone") return;
    const last = this.seen.get(member.name);
    const now = this.now();
    if (last === undefined || last.incarnation !== member.incarnation || last.sequence !== member.sequence) {
      this.seen.set(member.name, { incarnation: member.incarnation, sequence: member.sequence, at: now, silentMs: 0 });
      return;
    }
    last.silentMs += passedMs;
    if (now - last.at < deathAfterMs || last.silentMs < answeredSilenceMs) return;
    if (await bury(this.options.redis, member.name, member.incarnation, member.sequence)) {
      member.state = "dead";
      member.buriedBy = "timeout";
      this.options.log.error({ member: member.name, incarnation: member.incarnation }, "member buried after silence");
    }
  }
}

function fingerprint(members: readonly MemberRecord[]): string {
  return members.map((member) => `${member.name}/${member.incarnation}/${member.state}/${member.weight}`).join(",");
}
