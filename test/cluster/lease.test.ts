import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { link, mkdtemp, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultClusterTiming, scaledTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { MemberWatch } from "../../shared/cluster/member-watch.js";
import { beatTag, takePlace, writeBeat } from "../../shared/cluster/beat-feed.js";
import { announceMemberState, bury, heartbeat, join as joinCluster, readMembers } from "../../shared/cluster/membership.js";
import { readOwners } from "../../shared/cluster/ownership.js";
import { silentLog, type Log } from "../../shared/log/logger.js";
import { slotCount } from "../../shared/limits.js";
import { channels, keys } from "../../shared/redis/keys.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { LeaseKeeper } from "../../shard/cluster/lease-keeper.js";
import { NameConflict } from "../../shard/cluster/name-conflict.js";
import type { Takeover } from "../../shard/cluster/takeovers.js";
import { HeldSlots } from "../../shard/cluster/held-slots.js";
import { SlotKeeper } from "../../shard/cluster/slot-keeper.js";
import { claimPorts } from "../harness/claimed-ports.js";
import { eventually } from "../harness/eventually.js";
import { startRedis, type TestRedis } from "../harness/redis.js";

let redis: TestRedis;
let subscriber: RedisClient;
beforeAll(async () => {
  redis = await startRedis();
  subscriber = await connectRedis(redis.url, "subscriber", silentLog);
});
afterAll(async () => {
  subscriber.disconnect();
  await redis.stop();
});
beforeEach(() => redis.client.flushall());

const { deathMs, unheardMs } = defaultClusterTiming;
/**
 * Settle gaps are five times shorter. Polls and heartbeats are real: a buried member must stop before its next heartbeat reports the
 * burial.
 */
const { releasedGapMs, buriedGapMs } = scaledTiming(0.2);
const brisk: ClusterTiming = { ...defaultClusterTiming, releasedGapMs, buriedGapMs };

/** Less than the 20 s after which every member counts a silent one as dead. An earlier takeover needs an explicit burial. */
const takeoverMs = 15_000;

const everySlot = Array.from({ length: slotCount }, (_, slot) => slot);
const ascending = (a: number, b: number): number => a - b;

/** A monotonic clock that the test advances. */
const clock = () => {
  let ms = 0;
  return { now: () => ms, pass: (by: number) => void (ms += by) };
};

describe("LeaseKeeper", () => {
  it("holds for 17 s after its last good heartbeat, whatever Redis thinks", async () => {
    const time = clock();
    const lease = new LeaseKeeper({ redis: redis.client, name: "a", host: "h", weight: 1, log: silentLog, now: time.now });
    await lease.start();
    expect(lease.holds()).toBe(true);
    time.pass(16_999);
    expect(lease.holds()).toBe(true);
    time.pass(1);
    expect(lease.holds()).toBe(false);
    await lease.stop();
  });
  it("is fenced when it was buried, and comes back as another incarnation", async () => {
    const lease = new LeaseKeeper({ redis: redis.client, name: "a", host: "h", weight: 1, log: silentLog, timing: brisk });
    const fenced: boolean[] = [];
    lease.on("fenced", () => fenced.push(lease.holds()));
    await lease.start();
    const first = lease.incarnation;
    await bury(redis.client, "a", first, "*");
    await eventually("a new incarnation", () => lease.incarnation !== "" && lease.incarnation !== first);
    expect(fenced).toEqual([false]);
    await lease.stop();
    expect(await readMembers(redis.client)).toMatchObject([{ state: "gone" }]);
  });
});

describe("a member name that is taken", () => {
  const lease = (): LeaseKeeper =>
    new LeaseKeeper({ redis: redis.client, name: "shard-1", host: "h", weight: 1, log: silentLog, timing: brisk });

  const shards: ChildProcess[] = [];
  afterEach(() => {
    // A shard left over from a failed test would take the name, and slots, in every later test.
    for (const shard of shards.splice(0)) shard.kill("SIGKILL");
  });

  const startShard = async (adminPort: number): Promise<ChildProcessByStdio<null, null, Readable>> => {
    const shard = spawn(process.execPath, [resolve(import.meta.dirname, "../../dist/shard/main.js")], {
      env: {
        PATH: process.env["PATH"],
        REDIS_URL: redis.url,
        MEMBER_NAME: "shard-1",
        CRED_KEYS: `a:${"A".repeat(43)}=`,
        MEDIA_KEYS: `a:${"A".repeat(43)}=`,
        ADMIN_PORT: String(adminPort),
        TELEGRAM_API_ID: "1",
        TELEGRAM_API_HASH: "h",
        LOG_LEVEL: "silent",
        DATA_DIR: await mkdtemp(join(tmpdir(), "tl-namesake-")),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    shards.push(shard);
    return shard;
  };

  it("by a process that lives: the second one's start says so and ends", async () => {
    const living = lease();
    await living.start();
    const second = await startShard(0);
    let said = "";
    second.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [code] = (await once(second, "close")) as [number | null];
    expect({ code, said }).toEqual({
      code: 78,
      said: "configuration:\n  MEMBER_NAME shard-1 is the name of a process that is running on host h: give this one another name\n",
    });
    expect(living.holds()).toBe(true);
    await living.stop();
  });

  it("by a process that lives: one that was fenced meanwhile says so now and again, and joins when that one has ended", async () => {
    const time = clock();
    const reasons: string[] = [];
    const log: Log = pino(
      { level: "error" },
      { write: (line: string) => void reasons.push((JSON.parse(line) as { reason: string }).reason) },
    );
    const fenced = new LeaseKeeper({ redis: redis.client, name: "shard-1", host: "h", weight: 1, log, now: time.now, timing: brisk });
    const elsewhere = { redis: redis.client, name: "shard-1", host: "elsewhere", weight: 1, log: silentLog, timing: brisk };
    const living = new LeaseKeeper(elsewhere);
    const checks = async (): Promise<number> => Number(/cmdstat_hmget:calls=(\d+)/.exec(await redis.client.info("commandstats"))?.[1]);
    const said = (): number => reasons.filter((reason) => reason === "member name shard-1 is in use on host elsewhere").length;
    await fenced.start();
    await bury(redis.client, "shard-1", fenced.incarnation, "*");
    await living.start();
    await eventually("the reason in the log", () => said() === 1);
    expect(fenced.nameTaken).toBe("member name shard-1 is in use on host elsewhere");
    time.pass(59_999);
    const before = await checks();
    await eventually("further looks", async () => (await checks()) >= before + 3);
    expect(said()).toBe(1);
    time.pass(1);
    await eventually("the reason again, a minute later", () => said() === 2);
    expect(living.holds()).toBe(true);
    await living.stop();
    await eventually("the name back", () => fenced.holds());
    expect(fenced.nameTaken).toBeUndefined();
    await fenced.stop();
  });

  it("by a process that lives: /readyz of one that was fenced meanwhile names it", async () => {
    const ports = await claimPorts();
    const shard = await startShard(ports.first);
    const ready = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${ports.first}/readyz`)).json();
    await eventually("the shard ready", async () => ((await ready()) as { status: string }).status === "ready");
    const [member] = await readMembers(redis.client);
    // The stopped process cannot rejoin under its name before the other one has joined.
    shard.kill("SIGSTOP");
    await bury(redis.client, "shard-1", member?.incarnation ?? "", "*");
    const living = lease();
    await living.start();
    shard.kill("SIGCONT");
    await eventually("the reason", async () => {
      const { reasons } = (await ready()) as { reasons: string[] };
      return reasons.includes("member name shard-1 is in use on host h");
    });
    shard.kill("SIGKILL");
    await once(shard, "close");
    await living.stop();
    ports.release();
  });

  it("by a former life that is dead: the next one waits until it is buried", async () => {
    await joinCluster(redis.client, { name: "shard-1", incarnation: "former", weight: 1, host: "h" });
    const next = lease();
    const started = next.start();
    await bury(redis.client, "shard-1", "former", "*");
    await started;
    expect(next.holds()).toBe(true);
    await next.stop();
  });

  it("is a living process's after two beats, not after one, and no drained one's", async () => {
    const nameConflict = new NameConflict(redis.client, "shard-1");
    const beat = async (): Promise<void> => {
      await redis.client.hincrby(keys.member("shard-1"), "seq", 1);
      await nameConflict.check();
    };
    await nameConflict.check();
    await joinCluster(redis.client, { name: "shard-1", incarnation: "former", weight: 1, host: "h" });
    await nameConflict.check();
    // The last heartbeat of a killed process may still have been in flight.
    await beat();
    for (let round = 0; round < 50; round += 1) await nameConflict.check();
    await announceMemberState(redis.client, "shard-1", "former", "draining");
    for (let round = 0; round < 5; round += 1) await beat();
    await announceMemberState(redis.client, "shard-1", "former", "gone");
    await joinCluster(redis.client, { name: "shard-1", incarnation: "other", weight: 1, host: "h" });
    await nameConflict.check();
    await beat();
    await expect(beat()).rejects.toThrow("MEMBER_NAME shard-1 is the name of a process that is running on host h");
  });
});

describe("LeaseKeeper without Redis", () => {
  const leases: LeaseKeeper[] = [];
  const connections: RedisClient[] = [];
  const started = async (): Promise<LeaseKeeper> => {
    const heartbeat = await connectRedis(redis.url, "heartbeat", silentLog);
    const lease = new LeaseKeeper({ redis: heartbeat, name: "a", host: "h", weight: 1, log: silentLog, timing: scaledTiming(0.2) });
    connections.push(heartbeat);
    leases.push(lease);
    await lease.start();
    return lease;
  };
  afterEach(async () => {
    for (const lease of leases.splice(0)) await lease.stop();
    for (const connection of connections.splice(0)) connection.disconnect();
  });

  it("rides through most of its validity with a frozen Redis, is fenced at its end and not later, and comes back at once", async () => {
    const lease = await started();
    const { heartbeatMs, retryMs, validityMs } = scaledTiming(0.2);
    let isFenced = false;
    lease.on("fenced", () => (isFenced = true));
    const wrong: string[] = [];
    const frozenAt = performance.now();
    process.kill(redis.pid, "SIGSTOP");
    try {
      // Redis has been frozen since `frozenAt`. The clock is read before and after the check, so that a pause of this process does not
      // matter.
      await eventually("fenced", () => {
        const before = performance.now() - frozenAt;
        const holds = lease.holds();
        const after = performance.now() - frozenAt;
        if (!holds && after < validityMs - heartbeatMs - retryMs) wrong.push(`given up after ${after} ms`);
        if (holds && before >= validityMs) wrong.push(`held after ${before} ms`);
        return isFenced;
      });
    } finally {
      process.kill(redis.pid, "SIGCONT");
    }
    expect(wrong).toEqual([]);
    await eventually("a new incarnation", () => lease.holds());
  });
});

describe("MemberWatch", () => {
  it("reports a live member as silent after 10 s of polls without a heartbeat, not counting outages of Redis", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    const member = new LeaseKeeper({ redis: redis.client, name: "a", host: "h", weight: 1, log: silentLog, now: time.now });
    await member.start();
    const { incarnation } = member;
    // The member's own beats come every 3 s of real time, so it is stopped: only the test beats from here on.
    await member.stop();
    await redis.client.hset(keys.member("a"), "st", "active");
    await watch.poll();
    const pollsFor = async (ms: number): Promise<boolean> => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        time.pass(1_000);
        await watch.poll();
      }
      return watch.isResponsive("a", incarnation);
    };
    expect(await pollsFor(unheardMs - 1_000)).toBe(true);
    expect(await pollsFor(1_000)).toBe(false);
    expect(watch.lives("a", incarnation)).toBe(true);
    await redis.client.hincrby(keys.member("a"), "seq", 1);
    expect(await pollsFor(1_000)).toBe(true);
    // No response has arrived for this long.
    time.pass(unheardMs);
    await watch.poll();
    expect(watch.isResponsive("a", incarnation)).toBe(true);
  });
  it("buries a silent member by its own clock, and never one that beats", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    const [silent, living] = ["silent", "living"].map(
      (name) => new LeaseKeeper({ redis: redis.client, name, host: "h", weight: 1, log: silentLog, now: time.now }),
    );
    if (silent === undefined || living === undefined) throw new Error("two leases");
    await silent.start();
    await living.start();
    await watch.start();
    for (let passed = 1_000; passed < deathMs; passed += 1_000) {
      time.pass(1_000);
      await watch.poll();
    }
    time.pass(999);
    await redis.client.hincrby("member:{living}", "seq", 1);
    await watch.poll();
    expect(watch.lives("silent", silent.incarnation)).toBe(true);
    time.pass(1);
    await watch.poll();
    await watch.poll();
    expect(watch.lives("silent", silent.incarnation)).toBe(false);
    expect(watch.lives("living", living.incarnation)).toBe(true);
    await watch.stop();
    await Promise.all([silent.stop(), living.stop()]);
  });
  it("buries no member while Redis rejects writes, but one that is silent for 3 s after it accepts them again", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    for (const name of ["back", "dead"]) await joinCluster(redis.client, { name, incarnation: `${name}-1`, weight: 1, host: "h" });
    const living = (): boolean[] => ["back", "dead"].map((name) => watch.lives(name, `${name}-1`));
    await watch.poll();
    await redis.client.config("SET", "maxmemory", "1");
    try {
      for (let passed = 0; passed <= 2 * deathMs; passed += 1_000) {
        time.pass(1_000);
        await watch.poll();
      }
      const requestedAt = performance.now();
      await watch.poll();
      expect(watch.silentMs()).toBeLessThanOrEqual(performance.now() - requestedAt);
      expect(watch.isResponsive("back", "back-1")).toBe(false);
    } finally {
      await redis.client.config("SET", "maxmemory", "0");
    }
    await watch.poll();
    expect(living()).toEqual([true, true]);
    await redis.client.hincrby(keys.member("back"), "seq", 1);
    for (let second = 0; second < 3; second += 1) {
      expect(living()).toEqual([true, true]);
      time.pass(1_000);
      await watch.poll();
    }
    expect(living()).toEqual([true, false]);
  });
  it("buries no member because of a Redis outage, but one that is silent for 3 s after its return", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    for (const name of ["back", "dead"]) await joinCluster(redis.client, { name, incarnation: `${name}-1`, weight: 1, host: "h" });
    await watch.poll();
    time.pass(deathMs + 5_000);
    await watch.poll();
    expect([watch.lives("back", "back-1"), watch.lives("dead", "dead-1")]).toEqual([true, true]);
    await redis.client.hincrby(keys.member("back"), "seq", 1);
    for (let second = 0; second < 3; second += 1) {
      expect(watch.lives("dead", "dead-1")).toBe(true);
      time.pass(1_000);
      await watch.poll();
    }
    expect([watch.lives("back", "back-1"), watch.lives("dead", "dead-1")]).toEqual([true, false]);
    expect(watch.get("dead")?.buriedBy).toBe("timeout");
  });

  /** Joins a member that has a place in the feed and beats only when the test calls `beat`. */
  const inFeed = async (name: string): Promise<{ incarnation: string; beat: () => Promise<void> }> => {
    const incarnation = `${name}-1`;
    const place = (await takePlace(redis.client, name)) ?? -1;
    await joinCluster(redis.client, { name, incarnation, weight: 1, host: "h", place });
    const beat = async (): Promise<void> => {
      const sequence = (await heartbeat(redis.client, name, incarnation)) ?? 0;
      await writeBeat(redis.client, place, { tag: beatTag(incarnation), sequence, isDraining: false });
    };
    await beat();
    return { incarnation, beat };
  };
  /** Returns the number of records read. Each beat is a script that reads one, too. */
  const recordsRead = async (): Promise<number> => {
    const stats = await redis.client.info("commandstats");
    const calls = (name: string): number => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
    return calls("hmget") - calls("evalsha");
  };

  it("reads one value for all members while they beat, and no record of them", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    const members = await Promise.all(["a", "b", "c"].map(inFeed));
    // The first polls read each record once, and once more in its round.
    for (let round = 0; round < 4; round += 1) await watch.poll();
    const before = await recordsRead();
    for (let second = 0; second < 60; second += 1) {
      time.pass(1_000);
      if (second % 3 === 0) for (const member of members) await member.beat();
      await watch.poll();
    }
    expect(await recordsRead()).toBe(before);
    expect(["a", "b", "c"].map((name) => watch.isResponsive(name, `${name}-1`))).toEqual([true, true, true]);
  });
  it("buries a member that falls silent 20 s after its last beat in the feed, and not later", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    const { incarnation, beat } = await inFeed("a");
    for (let round = 0; round < 5; round += 1) {
      time.pass(1_000);
      await beat();
      await watch.poll();
    }
    for (let passed = 1_000; passed < deathMs; passed += 1_000) {
      time.pass(1_000);
      await watch.poll();
      expect([passed, watch.lives("a", incarnation), watch.isResponsive("a", incarnation)]).toEqual([passed, true, passed < unheardMs]);
    }
    time.pass(1_000);
    await watch.poll();
    expect(watch.get("a")).toMatchObject({ state: "dead", buriedBy: "timeout" });
  });
  it("believes the record where the feed does not go on", async () => {
    const time = clock();
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    const { incarnation } = await inFeed("a");
    for (let second = 0; second < 60; second += 1) {
      time.pass(1_000);
      // The member lives, but its beats do not arrive.
      if (second % 3 === 0) await heartbeat(redis.client, "a", incarnation);
      await watch.poll();
      expect([second, watch.isResponsive("a", incarnation)]).toEqual([second, true]);
    }
  });
  it.each<[string, (incarnation: string) => Promise<unknown>, object]>([
    ["drains", (incarnation) => announceMemberState(redis.client, "a", incarnation, "draining"), { state: "draining" }],
    ["was buried", (incarnation) => bury(redis.client, "a", incarnation, "*"), { state: "dead", buriedBy: "reaped" }],
  ])("sees without a notice that a member %s once it is silent", async (_, change, seen) => {
    const time = clock();
    // The watch receives no notices before it is started.
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog, now: time.now });
    const { incarnation } = await inFeed("a");
    await watch.poll();
    await change(incarnation);
    for (let second = 0; second < 5; second += 1) {
      time.pass(1_000);
      await watch.poll();
    }
    expect(watch.get("a")).toMatchObject(seen);
  });
  it("keeps a notice whose read failed: the first successful read shows the change", async () => {
    let failedReads = 0;
    const log = pino({ level: "warn" }, { write: () => void (failedReads += 1) });
    // No time passes, so no record is read because of silence.
    const watch = new MemberWatch({ redis: redis.client, subscriber, log, now: clock().now });
    await inFeed("a");
    await inFeed("b");
    await watch.start();
    try {
      expect(watch.get("a")?.weight).toBe(1);
      await redis.client.hset(keys.member("a"), "w", "3");
      // The other record has a wrong type, so Redis rejects the read of both.
      await redis.client.rename(keys.member("b"), "{b}aside");
      await redis.client.set(keys.member("b"), "no record");
      for (const name of ["a", "b"]) await redis.client.publish(channels.members, name);
      await eventually("a look that fails", () => failedReads > 0);
      let changes = 0;
      watch.on("change", () => (changes += 1));
      await redis.client.rename("{b}aside", keys.member("b"));
      // The round of all records would reach it after two minutes.
      await eventually("the weight", () => watch.get("a")?.weight === 3);
      expect(changes).toBe(1);
    } finally {
      await watch.stop();
    }
  });
  it("sees another life of a member by its first beat, without a notice", async () => {
    const watch = new MemberWatch({ redis: redis.client, subscriber, log: silentLog });
    const { incarnation } = await inFeed("a");
    for (let round = 0; round < 3; round += 1) await watch.poll();
    await redis.client.hset(keys.member("a"), "inc", "a-2", "seq", "1");
    await writeBeat(redis.client, 0, { tag: beatTag("a-2"), sequence: 1, isDraining: false });
    await watch.poll();
    expect([watch.lives("a", incarnation), watch.lives("a", "a-2")]).toEqual([false, true]);
  });
});

interface Connected {
  redis: RedisClient;
  subscriber: RedisClient;
  /** The clock of the watch over other members. */
  now?: () => number;
  timing?: ClusterTiming;
}

/** The cluster parts of one shard, without sessions. */
class Member {
  readonly lease: LeaseKeeper;
  readonly held: HeldSlots;
  readonly slots: SlotKeeper;
  readonly watch: MemberWatch;
  readonly settles = new Map<number, number>();
  /** Slots whose sessions wait until the platform has dropped a silent owner's sockets. */
  readonly silent = new Set<number>();
  readonly lost: number[] = [];
  /** Takeovers as the audit log records them. Each slot has two sessions here. */
  readonly takeovers: Takeover[] = [];
  readonly drained: number[] = [];

  private skewMs = 0;

  /** Runs before a slot's sessions are loaded. `onDrain` runs before they are closed. */
  onAcquired = (): Promise<void> => Promise.resolve();
  onDrain = (): Promise<void> => Promise.resolve();

  constructor(name: string, host = "h1", quietMs = 0, dropMs = 60_000, connected: Connected = { redis: redis.client, subscriber }) {
    const timing = { ...(connected.timing ?? brisk), quietMs, stableMs: 200 };
    const { subscriber, ...common } = { ...connected, log: silentLog, timing };
    this.watch = new MemberWatch({ ...common, subscriber });
    this.lease = new LeaseKeeper({ ...common, name, host, weight: 1, now: () => performance.now() + this.skewMs });
    this.held = new HeldSlots(this.lease, silentLog);
    this.slots = new SlotKeeper({
      ...common,
      subscriber,
      members: this.watch,
      lease: this.lease,
      held: this.held,
      name,
      host,
      dropMs,
      onTakenOver: (takeover) => void this.takeovers.push(takeover),
      listener: {
        acquired: (slots) => {
          for (const { slot, settleMs, silent } of slots) {
            this.settles.set(slot, settleMs);
            if (silent) this.silent.add(slot);
          }
          return this.onAcquired();
        },
        sessionsIn: (slots) => slots.size * 2,
        drain: (slot) => {
          this.drained.push(slot);
          return this.onDrain();
        },
        lost: (slots) => void this.lost.push(...slots),
      },
    });
  }

  async start(): Promise<void> {
    await this.watch.start();
    await this.lease.start();
    await this.slots.start();
  }

  /** Ends the validity, as a freeze does. With its next heartbeat the member buries itself and joins again. */
  fenceItself(): void {
    this.skewMs += deathMs;
  }

  async stop(): Promise<void> {
    await this.slots.stop();
    await this.lease.stop();
    await this.watch.stop();
  }
}

describe("SlotKeeper", () => {
  const running: Member[] = [];
  /** Buries the member as a watcher does after its silence. A heartbeat between the read and the burial causes another read. */
  const buryAsSilent = ({ lease }: Member): Promise<boolean> =>
    eventually("buried", async () => {
      const seen = (await readMembers(redis.client)).find(({ incarnation }) => incarnation === lease.incarnation);
      return await bury(redis.client, "b", lease.incarnation, seen?.sequence ?? "");
    });
  const started = async (name: string, host?: string): Promise<Member> => {
    const member = new Member(name, host);
    running.push(member);
    await member.start();
    return member;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((member) => member.stop()));
  });

  it("takes every slot alone, then shares with a second member without losing one", async () => {
    const a = await started("a");
    expect(a.held.count).toBe(slotCount);
    const b = await started("b");
    await eventually("half each", () => a.held.count === slotCount / 2 && b.held.count === slotCount / 2);
    expect(a.drained).toHaveLength(slotCount / 2);
    expect(a.lost).toEqual([]);
    const owners = await readOwners(
      redis.client,
      Array.from({ length: slotCount }, (_, slot) => slot),
    );
    owners.forEach((owner, slot) => {
      const [holder, other] = owner?.member === "a" ? [a, b] : [b, a];
      expect(holder.held.token(slot)).toBe(owner?.token);
      expect(other.held.token(slot)).toBeUndefined();
    });
  });
  it("shares with a member that starts at the same moment before it takes a slot", async () => {
    const [a, b] = [new Member("a", "h1", 4_000), new Member("b", "h1", 4_000)];
    running.push(a, b);
    await Promise.all([a.start(), b.start()]);
    expect([a.held.count, b.held.count]).toEqual([slotCount / 2, slotCount / 2]);
    expect([...a.drained, ...b.drained]).toEqual([]);
  });
  it("takes over a reaped member's slots at once and without a settle gap on the same host", async () => {
    const a = await started("a");
    const b = await started("b");
    await eventually("half each", () => b.held.count === slotCount / 2);
    const taken = await readOwners(redis.client, [0, 1, 2, 3]);
    await bury(redis.client, "b", b.lease.incarnation, "*");
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    taken.forEach((owner, slot) => {
      if (owner?.member === "b") expect(a.settles.get(slot)).toBe(0);
    });
    await eventually("told once", () => a.takeovers.length > 0);
    expect(a.takeovers).toEqual([{ member: "b", slots: slotCount / 2, sessions: slotCount }]);
  });
  it("waits the settle gap before the sockets of a member that fell silent on another host", async () => {
    const a = await started("a", "h1");
    const b = await started("b", "h2");
    await eventually("half each", () => b.held.count === slotCount / 2);
    const before = new Set([...a.settles.keys()]);
    await buryAsSilent(b);
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    expect(before.size).toBe(slotCount);
    expect([...a.settles.values()].filter((ms) => ms === brisk.buriedGapMs)).toHaveLength(slotCount / 2);
  });
  it("has a silent owner's sessions wait for the platform, and those of every further owner until one has waited", async () => {
    const a = await started("a", "h1");
    const b = await started("b", "h2");
    await eventually("half each", () => a.held.count === slotCount / 2 && b.held.count === slotCount / 2);
    const [ofA, ofB] = [a, b].map(({ held }) => everySlot.filter((slot) => held.token(slot) !== undefined));
    await buryAsSilent(b);
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    expect([...a.silent].sort(ascending)).toEqual(ofB);
    // The host's supervisor reaped the first member, so its sockets are closed. Those of the second one may still be open.
    const c = await started("c", "h1");
    await bury(redis.client, "a", a.lease.incarnation, "*");
    await a.lease.stop();
    await eventually("all with c", () => c.held.count === slotCount, takeoverMs);
    expect([...c.silent].sort(ascending)).toEqual(ofB);
    expect(ofA?.every((slot) => c.settles.get(slot) === 0)).toBe(true);
  });
  it("waits no more once an owner has waited", async () => {
    const a = new Member("a", "h1", 0, 100);
    running.push(a);
    await a.start();
    const b = await started("b", "h2");
    await eventually("half each", () => b.held.count === slotCount / 2);
    await buryAsSilent(b);
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    const [slot = 0] = a.silent;
    await eventually("marked", async () => (await redis.client.hget(keys.owner(slot), "silent")) === "");
    const c = await started("c", "h1");
    await eventually("half each", () => a.held.count === slotCount / 2 && c.held.count === slotCount / 2);
    expect([...c.silent]).toEqual([]);
  });
  it("leaves the slots of a member of another host that fenced itself to its next life, and waits for the platform when it does not come", async () => {
    const a = await started("a", "h1");
    const b = await started("b", "h2");
    await eventually("half each", () => a.held.count === slotCount / 2 && b.held.count === slotCount / 2);
    b.fenceItself();
    await eventually("back with b", () => b.lost.length > 0 && b.held.count === slotCount / 2);
    expect(a.silent.size).toBe(0);
    await bury(redis.client, "b", b.lease.incarnation, "*", "fenced");
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    expect(a.silent.size).toBe(slotCount / 2);
  });
  it("drops everything the moment its lease is lost", async () => {
    const a = await started("a");
    const token = a.held.token(5);
    expect(token).toBeDefined();
    await bury(redis.client, "a", a.lease.incarnation, "*");
    await eventually("fenced", () => a.lost.length === slotCount);
    if (token !== undefined) expect(a.held.holds(5, token)).toBe(false);
    await eventually("back under larger tokens", () => a.held.count === slotCount);
    expect(BigInt(a.held.token(5) ?? 0) > BigInt(token ?? 0)).toBe(true);
  });
  it("leaves a fenced member of this host, whose sockets are still closing, the settle gap", async () => {
    const a = await started("a");
    const b = await started("b");
    await eventually("half each", () => b.held.count === slotCount / 2);
    const taken = await readOwners(redis.client, [0, 1, 2, 3]);
    await bury(redis.client, "b", b.lease.incarnation, "*", "fenced");
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    taken.forEach((owner, slot) => {
      if (owner?.member === "b") expect(a.settles.get(slot)).toBe(brisk.buriedGapMs);
    });
  });
  it("takes slots whose acquiring reply was lost", async () => {
    const a = new Member("a");
    running.push(a);
    await a.watch.start();
    await a.lease.start();
    // The writer times out after 3 s, and Redis runs the command later.
    const other = await connectRedis(redis.url, "writer", silentLog);
    await other.client("PAUSE", 60_000, "WRITE");
    await a.slots.start();
    expect(a.held.count).toBeLessThan(slotCount);
    await other.client("UNPAUSE");
    other.disconnect();
    await eventually("every slot", () => a.held.count === slotCount);
  });
  it("does not keep slots whose sessions could not be loaded, and tries again", async () => {
    const a = new Member("a");
    running.push(a);
    let loads = 0;
    a.onAcquired = () => (++loads === 1 ? Promise.reject(new Error("redis does not answer")) : Promise.resolve());
    await a.start();
    expect(a.held.count).toBe(0);
    expect(a.lost.length).toBeGreaterThan(0);
    await eventually("every slot", () => a.held.count === slotCount);
    expect(loads).toBeGreaterThan(1);
  });
  it("hands over a drained slot although Redis did not respond at first", async () => {
    const a = await started("a");
    let cuts = 0;
    a.onDrain = () => {
      if (++cuts === 1) redis.client.disconnect(true);
      return Promise.resolve();
    };
    const b = await started("b");
    await eventually("half each", () => a.held.count === slotCount / 2 && b.held.count === slotCount / 2);
    expect(new Set(a.drained).size).toBe(a.drained.length);
    expect(a.lost).toEqual([]);
  });
  it("takes over a dead member's slots while a long drain goes on", async () => {
    const a = await started("a");
    const b = await started("b");
    await eventually("half each", () => a.held.count === slotCount / 2 && b.held.count === slotCount / 2);
    let finish: () => void = () => undefined;
    a.onDrain = () => new Promise((resolve) => (finish = resolve));
    const slot = Array.from({ length: slotCount }, (_, i) => i).find((i) => a.held.token(i) !== undefined) ?? 0;
    await redis.client.hset(keys.pins, String(slot), "b");
    await eventually("draining", () => a.held.token(slot) === undefined);
    await bury(redis.client, "b", b.lease.incarnation, "*");
    await b.lease.stop();
    await eventually("all with a", () => a.held.count === slotCount, takeoverMs);
    finish();
    a.onDrain = () => Promise.resolve();
  });
  it("comes back after a Redis that was away for longer than a lease without a slot that waits for the platform", async () => {
    const time = clock();
    // Each member has its own path to the same Redis. A removed path refuses connections.
    const sockets = ["a", "b"].map((name) => `${redis.url}.${name}`);
    const connections: RedisClient[] = [];
    const member = async (name: string, host: string, socket = ""): Promise<Member> => {
      await link(redis.url, socket);
      const connected = {
        redis: await connectRedis(socket, "writer", silentLog),
        subscriber: await connectRedis(socket, "subscriber", silentLog),
        now: time.now,
        timing: { ...scaledTiming(0.2), deathMs },
      };
      connections.push(connected.redis, connected.subscriber);
      const started = new Member(name, host, 0, 60_000, connected);
      running.push(started);
      await started.start();
      return started;
    };
    const [socketOfA = "", socketOfB = ""] = sockets;
    const a = await member("a", "h1", socketOfA);
    const b = await member("b", "h2", socketOfB);
    const half = slotCount / 2;
    await eventually("half each", () => a.held.count === half && b.held.count === half);
    const former = a.lease.incarnation;
    for (const socket of sockets) await unlink(socket);
    for (const type of ["pubsub", "normal"] as const) await redis.client.call("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
    await eventually("both fenced", () => a.lease.incarnation === "" && b.lease.incarnation === "");
    time.pass(deathMs + 5_000);
    // The second member returns a moment earlier and polls.
    await link(redis.url, socketOfB);
    await eventually("b back", () => b.held.count >= half);
    await b.watch.poll();
    expect(b.watch.lives("a", former)).toBe(true);
    await link(redis.url, socketOfA);
    await eventually("half each again", () => a.held.count === half && b.held.count === half);
    expect([...a.silent, ...b.silent]).toEqual([]);
    await Promise.all(running.splice(0).map((one) => one.stop()));
    for (const connection of connections) connection.disconnect();
  });
  it("gives everything back when it stops", async () => {
    const a = await started("a");
    running.length = 0;
    await a.stop();
    const owners = await readOwners(
      redis.client,
      Array.from({ length: slotCount }, (_, slot) => slot),
    );
    expect(owners.filter((owner) => owner?.state !== "free")).toEqual([]);
    expect(a.drained).toHaveLength(slotCount);
  });
});
