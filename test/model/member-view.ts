import { beatTag, type Beat } from "../../shared/cluster/beat-feed.js";
import { afterPoll, isChanged, isOverdue, livesOn, mayBury, needsRecord, type WatchedMember } from "../../shared/cluster/member-signs.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import { pause, Signal, type Machine, type Steps } from "./machine.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import { noticeGapMs, roundPolls, timing } from "./timing.js";

/** Models `MemberWatch` of `shared/cluster/member-watch.ts` around the product's signs of life. */
export class MemberView {
  private names: readonly string[] = [];
  private readonly watched = new Map<string, WatchedMember>();
  private members: readonly MemberRecord[] = [];
  private noticed = new Set<string>();
  private nudge = new Signal();
  private judgedAt = 0;
  private round = 0;

  constructor(
    private readonly machine: Machine,
    private readonly redis: ModelRedis,
    private readonly connection: Connection,
    private readonly onChange: () => void,
  ) {}

  /** Returns a new list after each poll that found a change. */
  all(): readonly MemberRecord[] {
    return this.members;
  }

  get(name: string): MemberRecord | undefined {
    return this.watched.get(name)?.record;
  }

  lives(name: string, incarnation: string): boolean {
    const member = this.get(name);
    return member !== undefined && member.incarnation === incarnation && livesOn(member);
  }

  notice(name: string): void {
    this.noticed.add(name);
    this.nudge.abort();
  }

  *readAgain(names: readonly string[]): Steps {
    for (const name of names) this.noticed.add(name);
    yield* this.look();
  }

  *run(): Steps {
    for (;;) {
      yield* this.look();
      yield* pause(this.machine, noticeGapMs);
      yield* pause(this.machine, timing.pollMs - noticeGapMs, this.nudge);
      this.nudge = new Signal();
    }
  }

  *look(): Steps {
    const { redis, connection } = this;
    const noticed = this.noticed;
    this.noticed = new Set();
    try {
      const read = (): { beats: ReadonlyMap<string, Beat>; names: readonly string[] } => ({
        beats: new Map(redis.store.beats),
        names: [...redis.store.members.keys()].sort(),
      });
      const { beats, names } = yield* answerTo<ReturnType<typeof read>>(connection.ask({ apply: read }));
      this.names = names;
      const now = this.machine.now();
      const passedMs = Math.min(2 * timing.pollMs, now - this.judgedAt);
      const asked = this.toRead(beats, passedMs, noticed);
      const records =
        asked.length === 0 ? [] : yield* answerTo<(MemberRecord | undefined)[]>(connection.ask({ apply: () => redis.members.read(asked) }));
      const beatsRefused = yield* this.areBeatsRefused(passedMs);
      this.judgedAt = now;
      this.round += 1;
      const isNew = this.takeIn(beats, new Map(asked.map((name, i) => [name, records[i]])), { passedMs, beatsRefused });
      if (isNew) this.list();
      const buried = yield* this.buryDead();
      if (isNew || buried) this.onChange();
    } catch {
      for (const name of noticed) this.noticed.add(name);
    }
  }

  private list(): void {
    this.members = this.names.flatMap((name) => this.watched.get(name)?.record ?? []);
  }

  private toRead(beats: ReadonlyMap<string, Beat>, passedMs: number, noticed: ReadonlySet<string>): string[] {
    const turn = this.round % roundPolls;
    return this.names.filter((name, index) => {
      const member = this.watched.get(name);
      return member === undefined || noticed.has(name) || index === turn || needsRecord(member, beats.get(name), passedMs, timing);
    });
  }

  /** The model has one master, which refuses either all writes or none. */
  private *areBeatsRefused(passedMs: number): Steps<boolean> {
    if (![...this.watched.values()].some((member) => isOverdue(member, passedMs, timing))) return false;
    try {
      yield this.connection.ask({ apply: () => this.redis.store.requireWritable() });
      return false;
    } catch {
      return true;
    }
  }

  private takeIn(
    beats: ReadonlyMap<string, Beat>,
    read: ReadonlyMap<string, MemberRecord | undefined>,
    { passedMs, beatsRefused }: { readonly passedMs: number; readonly beatsRefused: boolean },
  ): boolean {
    let isNew = false;
    const now = this.machine.now();
    for (const name of this.names) {
      const before = this.watched.get(name);
      const wasRead = read.has(name);
      const record = wasRead ? read.get(name) : before?.record;
      if (record === undefined) {
        isNew = this.watched.delete(name) || isNew;
        continue;
      }
      const tag = before?.record.incarnation === record.incarnation ? before.tag : beatTag(record.incarnation);
      const isRefused = beatsRefused && before !== undefined && isOverdue(before, passedMs, timing);
      this.watched.set(
        name,
        afterPoll(
          before,
          { record, tag, wasRead, beat: beats.get(name) },
          { now, passedMs, beatsRefused: isRefused, pollMs: timing.pollMs },
        ),
      );
      isNew ||= isChanged(before?.record, record);
    }
    return isNew;
  }

  private *buryDead(): Steps<boolean> {
    let isAny = false;
    for (const member of this.watched.values()) {
      if (!mayBury(member, this.machine.now(), timing)) continue;
      const { name, incarnation, sequence } = member.record;
      const { redis, connection } = this;
      try {
        const bury = (): boolean => redis.members.bury(name, incarnation, sequence, "timeout");
        if (!(yield* answerTo<boolean>(connection.ask({ apply: bury })))) continue;
      } catch {
        continue;
      }
      redis.publish("members", name);
      this.watched.set(name, { ...member, record: { ...member.record, state: "dead", buriedBy: "timeout" } });
      this.list();
      this.redis.world.note("buried", name, incarnation, "by", this.machine.name);
      isAny = true;
    }
    return isAny;
  }
}
