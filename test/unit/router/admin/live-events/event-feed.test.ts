import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reportMember, watchMembers } from "../../../../../router/admin/live-events/member-events.js";
import { EventFeed, type EventFeedBounds } from "../../../../../router/admin/live-events/event-feed.js";
import type { EventStream } from "../../../../../router/admin/live-events/event-stream.js";
import type { Principal } from "../../../../../router/tenant/principal.js";
import { MemberWatch } from "../../../../../shared/cluster/member-watch.js";
import { bury, join } from "../../../../../shared/cluster/membership.js";
import { liveEventsMax, type OperatorEvent } from "../../../../../shared/cluster/live-events.js";
import { appendLiveEvents } from "../../../../../shard/session/live-events/append-live-events.js";
import { newSessionId } from "../../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { eventually } from "../../../../harness/eventually.js";
import { plainRedis } from "../../../../harness/plain-redis.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let redis: TestRedis;
let feed: EventFeed;
let ends: string[] = [];
let open = 0;
let revoked = new Set<string>();
const left = new AbortController();
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  ends = [];
  revoked = new Set();
  feed = aFeed();
});
afterEach(() => feed.stop());

function aFeed(bounds: Partial<EventFeedBounds> = {}): EventFeed {
  return new EventFeed({
    redis: redis.client,
    stands: ({ keyId }) => !revoked.has(keyId),
    metrics: { eventStreamsOpen: (count) => (open = count), eventStreamEnded: (end) => void ends.push(end) },
    log: silentLog,
    bounds: { pollMs: 20, ...bounds },
  });
}

const admin: Principal = { keyId: "a", role: "admin" };
const reader = (tenant: string, keyId = `key of ${tenant}`): Principal => ({
  keyId,
  role: "read",
  tenant: tenant as TenantName,
  incarnation: "",
});
const stateOf = (tenant: string, state: "connected" | "disconnected" = "connected"): OperatorEvent => ({
  ...{ type: "session", at: new Date().toISOString(), session: newSessionId(Date.now()), platform: "telegram" },
  ...{ tenant: tenant as TenantName, state, member: "shard-1" },
});

/** Reads a stream as a client does, from its opening. */
class Client {
  text = "";
  over = false;
  private constructor(readonly stream: EventStream) {}

  static async of(principal: Principal, after?: string, from = feed): Promise<Client> {
    const client = new Client(await from.open(principal, after, left.signal));
    void client.read();
    await eventually("the opening", () => client.text.includes("retry: "));
    return client;
  }
  private async read(): Promise<void> {
    for (;;) {
      const { done, value } = await this.stream.next();
      if (done === true) break;
      this.text += Buffer.from(value).toString();
    }
    this.over = true;
  }
  get events(): string[] {
    return [...this.text.matchAll(/^event: (\w+)$/gm)].map(([, name = ""]) => name);
  }
  get lastId(): string {
    return [...this.text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? "";
  }
}

describe("a stream", () => {
  it("sends later events that its caller may see", async () => {
    await appendLiveEvents(redis.client, [stateOf("acme")]);
    const [all, acme, other] = [await Client.of(admin), await Client.of(reader("acme")), await Client.of(reader("other"))];
    await appendLiveEvents(redis.client, [stateOf("acme"), { type: "slots", at: "now", member: "shard-1", slots: [1] }, stateOf("other")]);
    await eventually("all of it", () => all.events.length === 3);
    await eventually("its own", () => acme.events.length === 1 && other.events.length === 1);
    expect(all.events).toEqual(["session", "slots", "session"]);
    expect(acme.text).toContain('"tenant":"acme"');
    expect(acme.text).not.toContain("other");
  });

  it("marks in Redis that somebody listens, for as long as somebody does", async () => {
    feed = aFeed({ listenerMs: 10 });
    expect(await redis.client.exists(keys.liveEventListener)).toBe(0);
    const client = await Client.of(admin);
    expect(await redis.client.pttl(keys.liveEventListener)).toBeGreaterThan(0);
    await redis.client.del(keys.liveEventListener);
    await eventually("the mark anew", async () => (await redis.client.exists(keys.liveEventListener)) === 1);
    await client.stream.return();
    await eventually("none open", () => open === 0);
    const asked = await commandsOf("set");
    await feed.stop();
    expect(await commandsOf("set")).toBe(asked);
  });

  it("resumes after the client's last event at any router, and stops reading when all clients have left", async () => {
    const first = await Client.of(reader("acme"));
    await appendLiveEvents(redis.client, [stateOf("acme"), stateOf("other")]);
    await eventually("one", () => first.events.length === 1);
    await first.stream.return();
    await eventually("none open", () => open === 0);
    await appendLiveEvents(
      redis.client,
      Array.from({ length: 450 }, () => stateOf("acme")),
    );
    const elsewhere = aFeed();
    const again = await Client.of(reader("acme"), first.lastId, elsewhere);
    await appendLiveEvents(redis.client, [stateOf("acme")]);
    await eventually("what came meanwhile, and then", () => again.events.length === 451);
    expect(new Set([...again.text.matchAll(/^id: (\S+)\nevent/gm)].map(([, id]) => id)).size).toBe(451);
    expect(again.text).not.toContain(`id: ${first.lastId}\nevent`);
    await elsewhere.stop();
    const asked = await commandsOf("xrange");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await commandsOf("xrange")).toBe(asked);
  });

  it("says that something is missing when what its client had last is no longer kept, or never was here", async () => {
    const ahead = await Client.of(reader("acme"), "99999999999999-0");
    expect(ahead.events).toEqual(["missed"]);
    // A script writes the entries, because a busy machine does not run tens of thousands of commands in time.
    await redis.client.eval(
      "for n = 1, ARGV[1] do redis.call('XADD', KEYS[1], n .. '-0', 'n', '{}') end",
      1,
      keys.liveEvents,
      liveEventsMax + 1,
    );
    await redis.client.xtrim(keys.liveEvents, "MAXLEN", liveEventsMax);
    const behind = await Client.of(reader("acme"), "1-0");
    await eventually("it", () => behind.events.length === 1);
    expect(behind.events).toEqual(["missed"]);
    const atHand = await Client.of(reader("acme"), "2-0");
    expect(atHand.events).toEqual([]);
  });

  it("resumes after an event that a faster router has already sent", async () => {
    feed = aFeed({ pollMs: 1_000 });
    await Client.of(admin);
    await appendLiveEvents(redis.client, [stateOf("acme"), stateOf("acme")]);
    const [newest] = await redis.client.xrevrange(keys.liveEvents, "+", "-", "COUNT", 1);
    const back = await Client.of(admin, newest?.[0]);
    expect(back.events).toEqual([]);
    expect(back.lastId).toBe(newest?.[0]);
    await appendLiveEvents(redis.client, [stateOf("acme", "disconnected")]);
    await eventually("the next one", () => back.events.length > 0);
    expect(back.events).toEqual(["session"]);
    expect(back.text).toContain('"disconnected"');
  });

  it("keeps streams for admins and for other tenants, whatever one with many keys opens", async () => {
    feed = aFeed({ streams: 10, streamsPerKey: 8, streamsOfTenants: 6, streamsPerTenant: 4 });
    const refused = { status: 429, message: "too many event streams" };
    for (let n = 0; n < 4; n++) await Client.of(reader("acme", `key ${n}`));
    await expect(Client.of(reader("acme", "key 5"))).rejects.toMatchObject(refused);
    for (let n = 0; n < 2; n++) await Client.of(reader("other", `key ${n}`));
    await expect(Client.of(reader("third"))).rejects.toMatchObject(refused);
    for (let n = 0; n < 4; n++) await Client.of(admin);
    await expect(Client.of(admin)).rejects.toMatchObject(refused);
  });

  it("says how far it is even when there is nothing for its client", async () => {
    feed = aFeed({ heartbeatMs: 50 });
    const client = await Client.of(reader("acme"));
    await appendLiveEvents(redis.client, [stateOf("other")]);
    const [newest] = await redis.client.xrevrange(keys.liveEvents, "+", "-", "COUNT", 1);
    await eventually("a heartbeat behind it", () => client.text.includes(`: heartbeat\nid: ${newest?.[0]}\n\n`));
    expect(client.events).toEqual([]);
  });

  it("sends no heartbeat while events cannot be read, and sends the missed events afterwards", async () => {
    feed = aFeed({ heartbeatMs: 50 });
    const client = await Client.of(admin);
    const heartbeats = (): number => client.text.split(": heartbeat").length - 1;
    await eventually("heartbeats", () => heartbeats() > 2);
    process.kill(redis.pid, "SIGSTOP");
    try {
      let before = 0;
      let quiet = 0;
      // Silence for twenty heartbeat intervals in a row.
      await eventually("silence", async () => {
        quiet = heartbeats() === before ? quiet + 1 : 0;
        before = heartbeats();
        await pause(50);
        return quiet > 20;
      });
    } finally {
      process.kill(redis.pid, "SIGCONT");
    }
    await eventually("a Redis that answers", () =>
      appendLiveEvents(redis.client, [stateOf("acme")]).then(
        () => true,
        () => false,
      ),
    );
    await eventually("what was told", () => client.events.includes("session"));
    const told = heartbeats();
    await eventually("heartbeats again", () => heartbeats() > told);
  });

  it("ends with a last event when its reader falls too far behind; nothing of it was kept meanwhile", async () => {
    feed = aFeed({ recent: 100 });
    const slow = await feed.open(admin, undefined, left.signal);
    const opening = await slow.next();
    expect(Buffer.from(opening.value ?? "").toString()).toMatch(/^retry: /);
    const quick = await Client.of(admin);
    for (let n = 0; n < 4; n++) {
      await appendLiveEvents(
        redis.client,
        Array.from({ length: 60 }, () => stateOf("acme")),
      );
      await eventually("those at the quick one", () => quick.events.length === 60 * (n + 1));
    }
    expect(Buffer.from((await slow.next()).value ?? "").toString()).toBe('event: end\ndata: {"reason":"read too slowly"}\n\n');
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect(ends).toEqual(["slow"]);
    expect(quick.over).toBe(false);
  });

  it("loses nothing in a burst while its client keeps up", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, (_, n) => Client.of(reader("acme", `key ${n}`))));
    for (let n = 0; n < 20; n++)
      await appendLiveEvents(
        redis.client,
        Array.from({ length: 500 }, () => stateOf("acme")),
      );
    for (const client of clients) await eventually("all", () => client.events.length === 10_000);
    expect(ends).toEqual([]);
  });

  it("ends when its key is revoked, and no other does", async () => {
    const [one, two] = [await Client.of(reader("acme", "one")), await Client.of(reader("acme", "two"))];
    revoked.add("one");
    await eventually("its end", () => one.over);
    expect(one.text).toContain('event: end\ndata: {"reason":"api key is no longer valid"}\n\n');
    expect([two.over, ends]).toEqual([false, ["revoked"]]);
  });

  it("ends when the router stops, which takes none any more", async () => {
    const client = await Client.of(admin);
    await feed.stop();
    await eventually("its end", () => client.over);
    expect(client.text).toContain('{"reason":"router stops"}');
    await expect(feed.open(admin, undefined, left.signal)).rejects.toMatchObject({ status: 503 });
  });
});

describe("streams", () => {
  it("are bounded for a key and for the router: 429, and room again when one ends", async () => {
    feed = aFeed({ streams: 3, streamsPerKey: 2 });
    const refused = { status: 429, message: "too many event streams", retryAfterSeconds: 5 };
    const first = await Client.of(reader("acme"));
    await Client.of(reader("acme"));
    await expect(feed.open(reader("acme"), undefined, left.signal)).rejects.toMatchObject(refused);
    await Client.of(admin);
    await expect(feed.open(reader("other"), undefined, left.signal)).rejects.toMatchObject(refused);
    await first.stream.return();
    await Client.of(reader("other"));
    expect(ends).toEqual(["refused", "refused", "left"]);
  });

  it("are open to many at once, also where all but one leave while they wait", async () => {
    const gone = new AbortController();
    gone.abort();
    const [left, stays] = await Promise.all([feed.open(reader("one"), undefined, gone.signal), Client.of(reader("acme"))]);
    expect(await left.next()).toEqual({ done: true, value: undefined });
    await appendLiveEvents(redis.client, [stateOf("acme")]);
    await eventually("it", () => stays.events.length === 1);
  });
});

describe("members", () => {
  it("are published once by all routers when they change", async () => {
    const stop: (() => Promise<void>)[] = [];
    for (let router = 0; router < 2; router++) {
      const members = new MemberWatch({ redis: redis.client, subscriber: plainRedis(redis.client).duplicate(), log: silentLog });
      await members.poll();
      watchMembers(members, (member) => void reportMember(redis.client, member));
      stop.push(async () => await members.poll());
    }
    const look = (): Promise<unknown> => Promise.all(stop.map((poll) => poll()));
    const client = await Client.of(admin);
    await join(redis.client, { name: "shard-1", incarnation: "i1", weight: 1, host: "h1" });
    await look();
    await join(redis.client, { name: "shard-2", incarnation: "i2", weight: 1, host: "h1" });
    await look();
    await bury(redis.client, "shard-2", "i2", "*");
    await look();
    await eventually("both changes", () => client.events.length >= 2);
    const told = [...client.text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as { member: string; state: string });
    expect(told.map(({ member, state }) => `${member} ${state}`)).toEqual(["shard-2 active", "shard-2 dead"]);
  });
});

async function commandsOf(name: string): Promise<string | undefined> {
  return new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await redis.client.info("commandstats"))?.[1];
}
