import { inputContext, outputContext, type Envelope, type Outcome } from "../../shared/bus/envelope.js";
import { readEnvelope, writeEnvelope, writeReply } from "../../shared/bus/envelope-bytes.js";
import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SlotOwners } from "../../router/bus/slot-owners.js";
import { InvalidationFeed } from "../../router/bus/redis/invalidation-feed.js";
import { CommandClient } from "../../router/bus/command-client.js";
import { RedisClock } from "../../shard/redis/redis-clock.js";
import { defaultClusterTiming, scaledTiming } from "../../shared/cluster/cluster-timing.js";
import { MemberWatch } from "../../shared/cluster/member-watch.js";
import { bury } from "../../shared/cluster/membership.js";
import { slotOf } from "../../shared/contract/slot.js";
import type { CommandCall } from "../../shard/session/command.js";
import { newSessionId, type CommandId, type SessionId } from "../../shared/contract/ids.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { SchemaFollower } from "../../shared/cluster/schema/schema-follower.js";
import { newestSchema } from "../../shared/cluster/schema/schema-version.js";
import { keys } from "../../shared/redis/keys.js";
import { OpenedRecords } from "../../router/sessions/opened-records.js";
import { SessionReader } from "../../router/sessions/session-reader.js";
import { SessionRecords } from "../../router/sessions/session-records.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { CommandLog } from "../../shard/bus/command-log.js";
import { PaceLine } from "../../shard/bus/pace-line.js";
import { CommandServer } from "../../shard/bus/command-server.js";
import type { CommandTable } from "../../shard/session/command-table.js";
import { HeldSlots } from "../../shard/cluster/held-slots.js";
import { Host } from "../../shard/cluster/host.js";
import { HostedSessions } from "../../shard/cluster/hosted-sessions.js";
import { LeaseKeeper } from "../../shard/cluster/lease-keeper.js";
import { SlotKeeper } from "../../shard/cluster/slot-keeper.js";
import type { ReportedEnd } from "../../shard/session/connection-end.js";
import type { Connector } from "../../shard/session/connector.js";
import type { AnyPlatform } from "../../shard/session/platform-adapter.js";
import type { Session } from "../../shard/session/session.js";
import type { ConnectorContext } from "../../shard/session/session-context.js";
import { aCourier } from "../harness/courier.js";
import { eventually } from "../harness/eventually.js";
import { plainRedis } from "../harness/plain-redis.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { newSession } from "../harness/new-session.js";

const ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);
/** Leases keep their usual length, so that a pause of this process ends none. */
const { validityMs, deathMs } = defaultClusterTiming;
const timing = { ...scaledTiming(0.2), validityMs, deathMs, quietMs: 0, stableMs: 100 };
/** Writes as a cluster in which every process has this version. */
const commandLog = (): CommandLog => new CommandLog(redis.client, ring);
const account = { generatedId: "7", name: "Ann", username: "", phone: "", picture: "" };

let redis: TestRedis;
const connections: RedisClient[] = [];
const connection = async (role: "writer" | "reader" | "subscriber" | "invalidations"): Promise<RedisClient> => {
  const made = await connectRedis(redis.url, role, silentLog);
  connections.push(made);
  return made;
};
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

/** Replaces the platform: the account logs in as soon as it connects, and its executed commands are counted. */
class Account implements Connector {
  constructor(
    private readonly context: ConnectorContext,
    private readonly beforeLogin: () => Promise<void>,
  ) {}
  load(): Promise<void> {
    return Promise.resolve();
  }
  async connect(signal: AbortSignal): Promise<ReportedEnd> {
    const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([this.beforeLogin(), ended]);
    if (!signal.aborted) await this.context.dispatch({ type: "logged-in", account });
    await ended;
    return { kind: "lost", established: true, waitMs: 0, cause: signal.reason };
  }
  forget(): Promise<void> {
    return Promise.resolve();
  }
  logOut(): Promise<void> {
    return Promise.resolve();
  }
  finish(): Promise<void> {
    return Promise.resolve();
  }
}

class Shard {
  readonly ran: { command: string; id: string; input: unknown; shard: string }[];
  readonly lease: LeaseKeeper;
  readonly held: HeldSlots;
  readonly slots: SlotKeeper;
  readonly host: Host;
  readonly commands: CommandServer;
  readonly reader: RedisClient;
  readonly writer: RedisClient;
  /** Runs before a slot's sessions are loaded. */
  onAcquired = (): Promise<void> => Promise.resolve();
  /** Runs before an account is connected. */
  onConnect = (): Promise<void> => Promise.resolve();
  private readonly subscriber: RedisClient;
  private readonly watch: MemberWatch;
  private readonly clock: RedisClock;

  static async start(name: string, ran: Shard["ran"], gates: Record<string, (call: CommandCall) => Promise<unknown>>): Promise<Shard> {
    const shard = new Shard(name, ran, gates, {
      writer: await connection("writer"),
      reader: await connection("reader"),
      subscriber: await connection("subscriber"),
    });
    await shard.clock.start();
    await shard.watch.start();
    await shard.lease.start();
    await shard.commands.start();
    await shard.slots.start();
    return shard;
  }

  private constructor(
    private readonly name: string,
    ran: Shard["ran"],
    gates: Record<string, (call: CommandCall) => Promise<unknown>>,
    redisOf: { writer: RedisClient; reader: RedisClient; subscriber: RedisClient },
  ) {
    const { writer, reader, subscriber } = redisOf;
    this.reader = reader;
    this.writer = writer;
    this.subscriber = subscriber;
    this.ran = ran;
    const counted = (command: string) => ({
      accepts: () => true,
      run: async (_session: Session, input: unknown, call: CommandCall) => {
        ran.push({ command, id: call.id, input, shard: name });
        return (await gates[command]?.(call)) ?? { id: "done", docs: [], statusId: "5", messageId: "6" };
      },
    });
    const table: CommandTable = Object.fromEntries(
      ["create-session", "list-groups", "post-status", "submit-password", "send-message"].map((command) => [command, counted(command)]),
    );
    const metrics = {
      sessionOpened: () => undefined,
      sessionClosed: () => undefined,
      stateEntered: () => undefined,
      newContactRefused: () => undefined,
      firstMessageBlocked: () => undefined,
    };
    const noPace = { sends: undefined, newContacts: undefined };
    this.watch = new MemberWatch({ redis: writer, subscriber, log: silentLog, timing });
    this.lease = new LeaseKeeper({ redis: writer, name, host: "h", weight: 1, log: silentLog, timing });
    this.clock = new RedisClock(writer, keys.commands(name), silentLog);
    const courier = aCourier({ clock: this.clock });
    const platform = (commands: CommandTable): AnyPlatform => ({
      open: (context) => new Account(context, () => this.onConnect()),
      commands,
      dropMs: 0,
      refusalOf: () => undefined,
      onConnectionEnd: () => undefined,
    });
    const platforms = { whatsapp: platform({}), telegram: platform(table) };
    const held = new HeldSlots(this.lease, silentLog);
    this.held = held;
    this.host = new Host({
      hosted: new HostedSessions(() => undefined),
      slots: held,
      writer: new SessionWriter(writer, ring),
      platforms,
      tenantProxy: () => "",
      paceOf: () => noPace,
      youngMs: { whatsapp: 0, telegram: 0 },
      qrPng: () => Promise.resolve(Buffer.from("png")),
      courier,
      metrics,
      refusals: { note: () => undefined },
      audit: { expired: () => undefined },
      liveEvents: { session: () => undefined, code: () => undefined, restriction: () => undefined, delivery: () => undefined },
      log: silentLog,
    });
    this.slots = new SlotKeeper({
      redis: writer,
      subscriber,
      members: this.watch,
      lease: this.lease,
      held,
      name,
      host: "h",
      log: silentLog,
      dropMs: 0,
      timing,
      listener: {
        acquired: async (slots) => {
          await this.onAcquired();
          await this.host.acquired(slots);
        },
        sessionsIn: (slots) => this.host.sessionsIn(slots),
        drain: async (slot) => {
          await this.commands.quiesce(slot);
          await this.host.drain(slot);
        },
        lost: (slots) => {
          this.commands.abandon(slots);
          this.host.lost(slots);
        },
      },
    });
    this.commands = new CommandServer({
      member: name,
      writer,
      reader,
      cache: writer,
      clock: this.clock,
      host: this.host,
      slots: held,
      platforms,
      refusals: { note: () => undefined },
      ring,
      paceLine: new PaceLine({
        tenantOf: (session) => this.host.tenantOf(session),
        isShared: () => this.host.isShared,
        onPaced: () => undefined,
      }),
      metrics: {
        observe: () => undefined,
        age: () => undefined,
        stage: () => undefined,
        repeated: () => undefined,
        undelivered: () => undefined,
        idempotent: () => undefined,
        rejected: () => undefined,
      },
      log: silentLog,
      timing,
    });
  }

  /** Ends the shard like a kill: it announces nothing, releases nothing and never returns. */
  async vanish(): Promise<void> {
    const { incarnation } = this.lease;
    for (const client of [this.writer, this.reader, this.subscriber]) client.disconnect();
    await bury(redis.client, this.name, incarnation, "*");
    await this.commands.stop();
    await this.slots.stop();
    this.host.stop();
    // Redis is disconnected, so the lease cannot be released.
    await this.lease.stop().catch(() => undefined);
    await this.watch.stop();
    await this.clock.stop();
  }

  async stop(): Promise<void> {
    await this.slots.stop();
    await this.commands.stop();
    this.host.stop();
    await this.lease.stop();
    await this.watch.stop();
    await this.clock.stop();
  }
}

class Router {
  /** Number of records served from memory. */
  served = 0;

  private constructor(
    readonly client: CommandClient,
    readonly sessions: SessionReader,
    readonly writer: RedisClient,
    private readonly owners: SlotOwners,
    private readonly feed: InvalidationFeed,
    /** Receives notices of changes. */
    readonly listener: RedisClient,
    private readonly watch: MemberWatch,
  ) {}

  static async start(name: string): Promise<Router> {
    const [writer, reader, subscriber] = [await connection("writer"), await connection("reader"), await connection("subscriber")];
    const watch = new MemberWatch({ redis: writer, subscriber, log: silentLog, timing });
    const listener = await connection("invalidations");
    const feed = new InvalidationFeed({ redis: await connection("writer"), listener, log: silentLog });
    const owners = new SlotOwners({ feed, redis: writer, subscriber, members: watch });
    const client = new CommandClient({
      router: name,
      writer,
      reader,
      cache: writer,
      owners,
      ring,
      emptiedForMs: () => 0,
      metrics: { observe: () => undefined, stage: () => undefined, repeated: () => undefined },
      log: silentLog,
      timing,
    });
    await watch.start();
    await feed.start();
    await owners.start();
    await client.start();
    const records = new SessionRecords({
      feed,
      redis: writer,
      opened: new OpenedRecords(ring),
      metrics: { recordCurrent: () => router.served++ },
    });
    const router = new Router(
      client,
      new SessionReader(writer, watch, owners, records, new SchemaFollower({ redis: writer, written: newestSchema, log: silentLog })),
      writer,
      owners,
      feed,
      listener,
      watch,
    );
    return router;
  }

  async stop(): Promise<void> {
    await this.client.stop();
    this.owners.stop();
    this.feed.stop();
    await this.watch.stop();
  }
}

/** Runs a command that only ends with its shard. */
function untilKilled(call: CommandCall): Promise<never> {
  return new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(new Error("killed")), { once: true }));
}

describe("commands", () => {
  const parts: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const part of parts.splice(0).reverse()) await part.stop();
    for (const made of connections.splice(0)) made.disconnect();
  });
  const kept = <T extends { stop(): Promise<void> }>(part: T): T => {
    parts.push(part);
    return part;
  };
  const posted: Outcome = { kind: "ok", output: { statusId: "5" } };
  /** An attempt of a command, read from a member's stream that has no reader. Builds the reply to the attempt. */
  interface Try {
    readonly reply: (outcome: Outcome) => Buffer;
  }
  const tryOf = async (member: string, attempt: number, session?: SessionId): Promise<Try | undefined> => {
    const envelopes = (await redis.client.xrangeBuffer(keys.commands(member), "-", "+")).map(([, [, bytes = Buffer.of()]]) =>
      readEnvelope(bytes),
    );
    const envelope = envelopes.find((one) => one?.attempt === attempt && (session ?? one.session) === one.session);
    if (envelope === undefined) return undefined;
    const { id } = envelope;
    const portable = (outcome: Outcome): Outcome =>
      outcome.kind === "ok"
        ? { ...outcome, output: ring.sealBytes(Buffer.from(JSON.stringify(outcome.output)), outputContext(envelope)) }
        : outcome;
    return { reply: (outcome) => writeReply({ id, session: envelope.session, attempt, outcome: portable(outcome) }) };
  };
  const nextTry = (member: string, attempt: number, session?: SessionId): Promise<Try> =>
    eventually(`try ${attempt}`, () => tryOf(member, attempt, session));
  const secretHash = createHash("sha256").update("secret").digest("hex");
  const created = async (router: Router): Promise<SessionId> => {
    const id = newSessionId(Date.now());
    await router.client.call("telegram", "create-session", id, newSession(secretHash));
    await eventually("connected", async () => (await router.sessions.read("telegram", id))?.state.kind === "connected");
    return id;
  };

  it("reach the owner and return its reply", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    expect(await router.client.call("telegram", "list-groups", id, {})).toMatchObject({ docs: [] });
    expect(shard.ran.map(({ command }) => command)).toEqual(["create-session", "list-groups"]);
    // The reply goes out before the entry is acknowledged.
    await eventually("an empty stream", async () => (await redis.client.xlen(keys.commands("a"))) === 0);
    expect(await router.sessions.read("telegram", id)).toMatchObject({ active: true, secretHash });
    expect(await router.sessions.read("whatsapp", id)).toBeUndefined();
  });
  it("carry an error with its status and sentence", async () => {
    kept(
      await Shard.start("a", [], {
        "list-groups": () => Promise.reject(new ApiError(503, "telegram asked to wait 7s", { retryAfterSeconds: 7 })),
      }),
    );
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await expect(router.client.call("telegram", "list-groups", id, {})).rejects.toMatchObject({
      status: 503,
      message: "telegram asked to wait 7s",
      retryAfterSeconds: 7,
    });
  });
  it("that change a record complete when no router serves the old one, 1,000 times", async () => {
    const ran: Shard["ran"] = [];
    const change = async (call: CommandCall): Promise<unknown> => {
      const { password } = ran.find(({ id }) => id === call.id)?.input as { password: string };
      const [session = "", webhook = ""] = password.split(" ");
      return await redis.client.hset(keys.session(session as SessionId), "wh", webhook);
    };
    kept(await Shard.start("a", ran, { "submit-password": change }));
    const [one, other] = [kept(await Router.start("r1")), kept(await Router.start("r2"))];
    const ids = await Promise.all(Array.from({ length: 50 }, () => created(one)));
    // Polling makes the router serve from memory while notices are paused for 25 ms. The pause goes by the clock because polls of a busy
    // machine are far apart.
    const { stream } = plainRedis(other.listener);
    let turnedAt = performance.now();
    const poll = setInterval(() => {
      const now = performance.now();
      if (now - turnedAt >= 25) {
        turnedAt = now;
        if (stream.isPaused()) stream.resume();
        else stream.pause();
      }
      for (const id of ids) other.sessions.atHand("telegram", id, () => true);
    }, 1);
    const stale: string[] = [];
    await Promise.all(
      ids.map(async (id) => {
        for (let webhook = 1; webhook <= 20; webhook++) {
          await one.client.call("telegram", "submit-password", id, { password: `${id} ${webhook}` });
          const read = await other.sessions.read("telegram", id);
          if (read?.webhook !== String(webhook)) stale.push(`${read?.webhook} for ${webhook}`);
        }
      }),
    );
    clearInterval(poll);
    stream.resume();
    expect(stale).toEqual([]);
    // Without a record from memory the test would prove nothing.
    expect(other.served).toBeGreaterThan(0);
  });
  it("wait for an owner until the deadline, then respond with 503; 404 for a session that the owner does not have", async () => {
    const router = kept(await Router.start("r1"));
    await expect(router.client.call("telegram", "retry-webhook", newSessionId(Date.now()), {})).rejects.toMatchObject({
      status: 503,
      message: "server busy",
    });
    kept(await Shard.start("a", [], {}));
    await expect(router.client.call("telegram", "list-groups", newSessionId(Date.now()), {})).rejects.toMatchObject({
      status: 404,
      message: "session not found",
    });
  });
  it("do not begin when they time out during the write of their record, and end without an unhandled rejection", async () => {
    const strays: unknown[] = [];
    const onStray = (reason: unknown): void => void strays.push(reason);
    process.on("unhandledRejection", onStray);
    try {
      const shard = kept(await Shard.start("a", [], { "post-status": (call) => Promise.reject(call.signal.reason) }));
      const router = kept(await Router.start("r1"));
      const id = await created(router);
      const envelope: Envelope = {
        id: "ab".repeat(16) as CommandId,
        platform: "telegram",
        command: "post-status",
        session: id,
        slot: slotOf(id),
        replyTo: "nobody",
        ttl: 400,
        attempt: 0,
        input: ring.sealBytes(Buffer.from("{}"), inputContext("ab".repeat(16) as CommandId)),
      };
      // The shard reads the command before the pause and begins it after the pause.
      await Promise.all([
        redis.client.xadd(keys.commands("a"), "*", "e", writeEnvelope(envelope)),
        redis.client.client("PAUSE", 1_500, "WRITE"),
      ]);
      await eventually("its outcome", async () => typeof (await commandLog().read(slotOf(id), envelope.id)) === "object");
      expect(shard.ran.filter(({ command }) => command === "post-status")).toEqual([]);
      expect(strays).toEqual([]);
    } finally {
      process.off("unhandledRejection", onStray);
    }
  });
  it("do not begin when their time passes while their session is loaded", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    kept({ stop: async () => open() });
    const { smembers } = shard.writer;
    vi.spyOn(shard.writer, "smembers").mockImplementation(async (...args: Parameters<typeof smembers>) => {
      if (args[0] === keys.slotSessions(slotOf(id))) await gate;
      return smembers.apply(shard.writer, args);
    });
    const loaded = vi.spyOn(shard.host, "loaded");
    const acquired = vi.spyOn(shard.host, "acquired");
    await bury(redis.client, "a", shard.lease.incarnation, "*");
    await eventually("its slot, which comes back", () => acquired.mock.calls.flat(2).some(({ slot }) => slot === slotOf(id)));
    const envelope: Envelope = {
      id: "cd".repeat(16) as CommandId,
      platform: "telegram",
      command: "post-status",
      session: id,
      slot: slotOf(id),
      replyTo: "nobody",
      ttl: 1_000,
      attempt: 0,
      input: ring.sealBytes(Buffer.from("{}"), inputContext("cd".repeat(16) as CommandId)),
    };
    const entry = (await redis.client.xadd(keys.commands("a"), "*", "e", writeEnvelope(envelope))) ?? "";
    await eventually("the wait for its session", () => loaded.mock.calls.some(([slot]) => slot === slotOf(id)));
    await eventually(
      "the end of its time",
      async () => Number((await redis.client.time())[0]) * 1_000 > Number.parseInt(entry) + envelope.ttl + 1_000,
    );
    open();
    await eventually("its end", async () => (await redis.client.xrange(keys.commands("a"), entry, entry)).length === 0);
    expect(shard.ran.filter(({ command }) => command === "post-status")).toEqual([]);
  });
  it("send large outputs beside the reply stream", async () => {
    const docs = Array.from({ length: 5_000 }, (_, i) => ({ id: String(i), name: "x".repeat(40) }));
    kept(await Shard.start("a", [], { "list-groups": () => Promise.resolve({ docs }) }));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    expect(await router.client.call("telegram", "list-groups", id, {})).toEqual({ docs });
    expect((await redis.client.keys("big-reply:*")).length).toBe(0);
  });
  it("never let a secret input stand in a stream in the clear", async () => {
    const seen: string[] = [];
    const shard = kept(
      await Shard.start("a", [], {
        "submit-password": async () => void seen.push(JSON.stringify(await redis.client.xrange(keys.commands("a"), "-", "+"))),
      }),
    );
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await router.client.call("telegram", "submit-password", id, { password: "hunter2" });
    expect(seen[0]).toContain("submit-password");
    expect(seen[0]).not.toContain("hunter2");
    expect(shard.ran.at(-1)?.input).toEqual({ password: "hunter2" });
    const record = await redis.client.get(keys.result(slotOf(id), shard.ran.at(-1)?.id as never));
    expect(record).toMatch(/^\+/);
    expect(record).not.toContain("hunter2");
  });
  it("survive a planned move while they wait, with the same id and one run of what must not repeat", async () => {
    const ran: Shard["ran"] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const gates = { "post-status": () => gate.then(() => ({ statusId: "9" })) };
    kept(await Shard.start("a", ran, gates));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    await eventually("begun", () => ran.some(({ command }) => command === "post-status"));
    await redis.client.hset(keys.pins, String(slotOf(id)), "b");
    kept(await Shard.start("b", ran, gates));
    const waiting = router.client.call("telegram", "list-groups", id, {});
    setTimeout(open, 1_500);
    expect(await posting).toEqual({ statusId: "9" });
    expect(await waiting).toMatchObject({ docs: [] });
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(1);
    await eventually("the session at b", async () => (await router.sessions.read("telegram", id))?.owner?.member === "b");
  });
  it("go to the next owner when theirs dies, and a once-only command that had begun is not run again", async () => {
    const ran: Shard["ran"] = [];
    const never = { "post-status": untilKilled };
    const a = await Shard.start("a", ran, never);
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    // The session is pinned before a second owner exists.
    await redis.client.hset(keys.pins, String(slotOf(id)), "a");
    kept(await Shard.start("b", ran, {}));
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    posting.catch(() => undefined);
    await eventually("begun", () => ran.some(({ command, shard }) => command === "post-status" && shard === "a"));
    // The record can no longer be finished, as after a kill.
    await redis.client.hset(keys.owner(slotOf(id)), "tok", "9999999999999999");
    await a.vanish();
    await expect(posting).rejects.toMatchObject({ status: 500, message: "internal server error" });
    expect(await router.client.call("telegram", "list-groups", id, {})).toMatchObject({ docs: [] });
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(1);
    expect(ran.at(-1)?.shard).toBe("b");
  });
  it("know that they are the first try, and are taken for none when another one may have been before", async () => {
    const firstTries: (boolean | undefined)[] = [];
    const seen = (call: CommandCall): void => void firstTries.push(call.isFirstTry);
    const ran: Shard["ran"] = [];
    const never = {
      "send-message": (call: CommandCall) => {
        seen(call);
        return untilKilled(call);
      },
    };
    const a = await Shard.start("a", ran, never);
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await redis.client.hset(keys.pins, String(slotOf(id)), "a");
    kept(await Shard.start("b", ran, { "send-message": async (call) => seen(call) }));
    const sending = router.client.call("telegram", "send-message", id, {
      to: { kind: "user", chat: { kind: "id", id: "7" } },
      type: "text",
      text: "hi",
    });
    await eventually("begun", () => firstTries.length === 1);
    await redis.client.hset(keys.owner(slotOf(id)), "tok", "9999999999999999");
    await a.vanish();
    await sending;
    expect(firstTries).toEqual([true, false]);
  });
  it("have not begun while they wait for their session: a shard that dies meanwhile leaves no doubt", async () => {
    const ran: Shard["ran"] = [];
    const a = await Shard.start("a", ran, {});
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await redis.client.hset(keys.pins, String(slotOf(id)), "b");
    const b = await Shard.start("b", ran, {});
    b.onConnect = () => new Promise(() => undefined);
    await a.vanish();
    await eventually("the session at b", () => b.host.get("telegram", id));
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    posting.catch(() => undefined);
    await eventually("waiting at b", () => b.commands.running === 1);
    kept(await Shard.start("c", ran, {}));
    await redis.client.hset(keys.owner(slotOf(id)), "tok", "9999999999999999");
    await b.vanish();
    expect(await posting).toMatchObject({ statusId: "5" });
    expect(ran.filter(({ command }) => command === "post-status").map(({ shard }) => shard)).toEqual(["c"]);
  });
  it("that may have been sent by a shard that died wait for their session as long as they have", async () => {
    const ran: Shard["ran"] = [];
    const never = { "send-message": untilKilled };
    const a = await Shard.start("a", ran, never);
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    const sending = router.client.call("telegram", "send-message", id, {
      type: "text",
      text: "hi",
      to: { kind: "user", chat: { kind: "id", id: "7" } },
    });
    sending.catch(() => undefined);
    await eventually("begun", () => ran.some(({ command }) => command === "send-message"));
    const b = kept(await Shard.start("b", ran, {}));
    let connect: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (connect = resolve));
    b.onConnect = () => gate;
    await redis.client.hset(keys.owner(slotOf(id)), "tok", "9999999999999999");
    await a.vanish();
    await eventually("waiting at b", () => b.commands.running === 1);
    // This is longer than the limit for a command that has not begun.
    await new Promise((resolve) => setTimeout(resolve, timing.connectWaitMs + 500));
    connect();
    expect(await sending).toMatchObject({ messageId: "6" });
    expect(ran.filter(({ command }) => command === "send-message").map(({ shard }) => shard)).toEqual(["a", "b"]);
  });
  it("wait for the one before them, unless it yields its lane", async () => {
    const ran: Shard["ran"] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let pass: () => void = () => undefined;
    const gates = {
      "post-status": async (call: CommandCall) => {
        pass = call.yieldLane;
        await gate;
        return { statusId: "9" };
      },
    };
    kept(await Shard.start("a", ran, gates));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    await eventually("begun", () => ran.some(({ command }) => command === "post-status"));
    const behind = router.client.call("telegram", "submit-password", id, { password: "p" });
    await router.client.call("telegram", "list-groups", id, {});
    expect(ran.map(({ command }) => command)).not.toContain("submit-password");
    pass();
    expect(await behind).toMatchObject({ id: "done" });
    open();
    expect(await posting).toEqual({ statusId: "9" });
  });
  it("end for whoever gave up waiting, and the shard stops the read", async () => {
    let cut = false;
    const ran: Shard["ran"] = [];
    kept(
      await Shard.start("a", ran, {
        "list-groups": (call: CommandCall) =>
          new Promise((_, reject) => {
            const onAbort = (): void => {
              cut = true;
              reject(new Error("cut"));
            };
            call.signal.addEventListener("abort", onAbort, { once: true });
          }),
      }),
    );
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    const gone = new AbortController();
    const call = router.client.call("telegram", "list-groups", id, {}, { signal: gone.signal });
    call.catch(() => undefined);
    await eventually("begun", () => ran.some(({ command }) => command === "list-groups"));
    gone.abort();
    await expect(call).rejects.toBeInstanceOf(ApiError);
    await eventually("cut", () => cut);
    expect(router.client.inFlight).toBe(0);
  });
  it("of a caller who has left are dropped if they have not begun, and come to their end if they have", async () => {
    const ran: Shard["ran"] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const shard = kept(await Shard.start("a", ran, { "post-status": () => gate.then(() => ({ statusId: "9" })) }));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    const gone = new AbortController();
    const post = (text: string, signal?: AbortSignal) =>
      router.client.call("telegram", "post-status", id, { type: "text", text, privacy: "contacts" }, { signal });
    const left = [post("first", gone.signal), post("second", gone.signal)].map((posting) => posting.catch(() => "left"));
    await eventually(
      "the first begun, the second behind it",
      () => ran.some(({ command }) => command === "post-status") && shard.commands.running === 2,
    );
    const staying = post("third");
    await eventually("all there", () => shard.commands.running === 3);
    gone.abort();
    expect(await Promise.all(left)).toEqual(["left", "left"]);
    await eventually("the second dropped", () => shard.commands.running === 2);
    open();
    expect(await staying).toEqual({ statusId: "9" });
    expect(ran.filter(({ command }) => command === "post-status").map(({ input }) => (input as { text: string }).text)).toEqual([
      "first",
      "third",
    ]);
    const [first] = ran.filter(({ command }) => command === "post-status");
    expect(await commandLog().read(slotOf(id), first?.id as CommandId)).toEqual({ kind: "ok", output: { statusId: "9" } });
    await eventually("an empty stream", async () => (await redis.client.xlen(keys.commands("a"))) === 0);
  });
  it("of a session that has its share are refused, while those of other sessions run", async () => {
    const ran: Shard["ran"] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const shard = kept(await Shard.start("a", ran, { "post-status": () => gate }));
    const router = kept(await Router.start("r1"));
    const [other, ...flooding] = [
      await created(router),
      await created(router),
      await created(router),
      await created(router),
      await created(router),
      await created(router),
    ];
    const refusals: unknown[] = [];
    const floods = flooding.flatMap((id) =>
      Array.from({ length: 250 }, () =>
        router.client
          .call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" })
          .catch((error: unknown) => refusals.push(error)),
      ),
    );
    // Every command was seen: it holds a place, or it was rejected.
    await eventually("the flood taken", () => refusals.length + shard.commands.running === floods.length);
    expect(await router.client.call("telegram", "list-groups", other, {})).toMatchObject({ docs: [] });
    expect(refusals.length).toBeGreaterThan(floods.length - 1_000);
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 503, message: "server busy", retryAfterSeconds: 1 });
    open();
    await Promise.all(floods);
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(floods.length - refusals.length);
  });
  it("complete over a connection that was cut during their delivery", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    // Redis delivered the entry in a response that the shard never received.
    await redis.client.client("PAUSE", 300, "ALL");
    shard.reader.disconnect(true);
    const lost = await connection("writer");
    const response = router.client.call("telegram", "list-groups", id, {});
    await lost.xread("COUNT", 10, "BLOCK", 1_000, "STREAMS", keys.commands("a"), "0");
    shard.reader.disconnect(true);
    expect(await response).toMatchObject({ docs: [] });
  });
  it("bring their outcome back although Redis is away when they end", async () => {
    const ran: Shard["ran"] = [];
    kept(
      await Shard.start("a", ran, {
        // Redis stays away for longer than a command waits for its reply (3 s).
        "post-status": async () => {
          process.kill(redis.pid, "SIGSTOP");
          setTimeout(() => process.kill(redis.pid, "SIGCONT"), 5_000);
          return Promise.resolve({ statusId: "9" });
        },
      }),
    );
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    expect(await router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" })).toEqual({
      statusId: "9",
    });
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(1);
  });
  it("are sent when Redis is back, once", async () => {
    const ran: Shard["ran"] = [];
    kept(await Shard.start("a", ran, {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    process.kill(redis.pid, "SIGSTOP");
    setTimeout(() => process.kill(redis.pid, "SIGCONT"), 5_000);
    expect(await router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" })).toMatchObject({
      statusId: "5",
    });
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(1);
    expect(router.client.inFlight).toBe(0);
  });
  it("find their session when Redis is back, or are refused with 503 after 5 s", async () => {
    kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    process.kill(redis.pid, "SIGSTOP");
    try {
      await eventually("nothing in memory to go by", () => router.sessions.atHand("telegram", id, () => true) === undefined);
      await expect(router.sessions.read("telegram", id)).rejects.toMatchObject({ status: 503, message: "storage unavailable" });
    } finally {
      const reading = router.sessions.read("telegram", id);
      process.kill(redis.pid, "SIGCONT");
      expect(await reading).toMatchObject({ secretHash });
    }
  });
  it("go on after a Redis that has lost its streams", async () => {
    kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await redis.client.del(keys.commands("a"), keys.replies("r1"));
    expect(await router.client.call("telegram", "list-groups", id, {})).toMatchObject({ docs: [] });
  });
  it("complete although the router's stream is lost while they run", async () => {
    const ran: Shard["ran"] = [];
    const gates = new Map<string, () => void>();
    const gated = (name: string) => () => new Promise((resolve) => gates.set(name, () => resolve(undefined)));
    kept(await Shard.start("a", ran, { "post-status": gated("post-status"), "list-groups": gated("list-groups") }));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    const reply = Promise.all([
      router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" }),
      router.client.call("telegram", "list-groups", id, {}),
    ]);
    await eventually("both run", () => gates.size === 2);
    await redis.client.del(keys.replies("r1"));
    for (const open of gates.values()) open();
    expect(await reply).toMatchObject([{ statusId: "5" }, { docs: [] }]);
    for (const command of ["post-status", "list-groups"]) expect(ran.filter((run) => run.command === command)).toHaveLength(1);
  });
  it.each<[string, (entry: string) => Promise<unknown>]>([
    [
      "the stream of their shard is lost before they were read",
      async () => {
        await redis.client.del(keys.commands("a"));
        await redis.client.xgroup("CREATE", keys.commands("a"), keys.commandGroup, "0", "MKSTREAM");
      },
    ],
    ["their reply was lost, as with a Redis that failed over", (entry) => redis.client.xdel(keys.commands("a"), entry)],
  ])("are asked again when %s", async (_, lose) => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await shard.commands.stop();
    const listing = router.client.call("telegram", "list-groups", id, {});
    await nextTry("a", 0, id);
    const [[entry] = [""]] = await redis.client.xrange(keys.commands("a"), "-", "+");
    await lose(entry);
    const { reply } = await nextTry("a", 1, id);
    await redis.client.xadd(keys.replies("r1"), "*", "r", reply({ kind: "ok", output: { docs: [] } }));
    expect(await listing).toEqual({ docs: [] });
  });
  it("that may not run twice are not resent to the next owner when Redis may have lost their record", async () => {
    const ran: Shard["ran"] = [];
    const never = { "post-status": untilKilled };
    const a = await Shard.start("a", ran, never);
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await redis.client.hset(keys.pins, String(slotOf(id)), "a");
    kept(await Shard.start("b", ran, {}));
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    posting.catch(() => undefined);
    await eventually("begun", () => ran.some(({ command }) => command === "post-status"));
    await redis.client.hset(keys.owner(slotOf(id)), "tok", "9999999999999999");
    const records = await redis.client.keys(keys.result(slotOf(id), "*" as CommandId));
    expect(records).toHaveLength(1);
    await redis.client.del(keys.replies("r1"), ...records);
    await a.vanish();
    await expect(posting).rejects.toMatchObject({ status: 500, message: "internal server error" });
    expect(await router.client.call("telegram", "list-groups", id, {})).toMatchObject({ docs: [] });
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(1);
    expect(ran.at(-1)?.shard).toBe("b");
  });
  it("find the sessions of a slot that was lost and came back while they were loaded", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    shard.onAcquired = () => gate;
    const first = shard.lease.incarnation;
    await bury(redis.client, "a", first, "*");
    await eventually("acquired again", () => shard.lease.holds() && shard.lease.incarnation !== first && shard.held.count > 0);
    const second = shard.lease.incarnation;
    await bury(redis.client, "a", second, "*");
    await eventually("joined again", () => shard.lease.holds() && shard.lease.incarnation !== second);
    open();
    await eventually("connected", async () => (await router.sessions.read("telegram", id))?.active === true);
    expect(await router.client.call("telegram", "list-groups", id, {})).toMatchObject({ docs: [] });
  });
  it("complete although they return before the refusal of the previous try is acknowledged", async () => {
    const ran: Shard["ran"] = [];
    const shard = kept(await Shard.start("a", ran, {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    // Redis names the owner before the owner has read its token, so the shard rejects the first attempt.
    vi.spyOn(shard.held, "token").mockReturnValueOnce(undefined);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { xdel } = shard.writer;
    const held = vi.spyOn(shard.writer, "xdel").mockImplementationOnce(async (...args: Parameters<typeof xdel>) => {
      await gate;
      return xdel.apply(shard.writer, args);
    });
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    kept({ stop: async () => open() });
    await eventually("sent again", async () => (await redis.client.keys(keys.enqueued("a", "*" as CommandId, 1)))[0]);
    // Entries are read in order: once the marker is read, the second attempt was handled.
    const marker = await redis.client.xadd(keys.commands("a"), "*", "x", "nothing");
    await eventually(
      "the marker read",
      async () => (await redis.client.xrange(keys.commands("a"), marker ?? "", marker ?? "")).length === 0,
    );
    expect(held).toHaveBeenCalled();
    open();
    expect(await posting).toMatchObject({ statusId: "5" });
    expect(ran.filter(({ command }) => command === "post-status")).toHaveLength(1);
  });
  it("take the reply that arrives together with a previous owner's refusal", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await shard.commands.stop();
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    const { reply } = await nextTry("a", 0);
    await redis.client
      .multi()
      .xadd(keys.replies("r1"), "*", "r", reply({ kind: "moved" }))
      .xadd(keys.replies("r1"), "*", "r", reply(posted))
      .exec();
    expect(await posting).toEqual({ statusId: "5" });
    expect(router.client.inFlight).toBe(0);
  });
  it("wait for the next owner's reply when the previous one rejects them as busy", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const id = await created(router);
    await shard.commands.stop();
    const posting = router.client.call("telegram", "post-status", id, { type: "text", text: "hi", privacy: "contacts" });
    const first = await nextTry("a", 0);
    await redis.client.xadd(keys.replies("r1"), "*", "r", first.reply({ kind: "moved" }));
    const second = await nextTry("a", 1);
    await redis.client.xadd(
      keys.replies("r1"),
      "*",
      "r",
      first.reply({ kind: "error", status: 503, message: "server busy", refused: true }),
    );
    await redis.client.xadd(keys.replies("r1"), "*", "r", second.reply(posted));
    expect(await posting).toEqual({ statusId: "5" });
  });
  it("are not refused as busy once they may have been done, however long their slot moves", async () => {
    const shard = kept(await Shard.start("a", [], {}));
    const router = kept(await Router.start("r1"));
    const [id, other] = [await created(router), newSessionId(Date.now())];
    await shard.commands.stop();
    const status = { type: "text", text: "hi", privacy: "contacts" } as const;
    const posting = router.client.call("telegram", "post-status", id, status);
    posting.catch(() => undefined);
    let refusal: unknown;
    // A command that creates a session waits 5 s for an owner that accepts it. Other commands wait for their whole deadline.
    router.client.call("telegram", "create-session", other, newSession(secretHash)).catch((error: unknown) => (refusal = error));
    const reply = (text: string | Buffer): Promise<unknown> => redis.client.xadd(keys.replies("r1"), "*", "r", text);
    await reply((await nextTry("a", 0, id)).reply({ kind: "moved", begun: true }));
    await reply((await nextTry("a", 0, other)).reply({ kind: "moved" }));
    // Every next owner rejects both, for as long as a command without a beginning may wait.
    let attempt = 1;
    for (; ; attempt += 1) {
      const next = await eventually("its next try, or its refusal", async () =>
        refusal === undefined ? tryOf("a", attempt, other) : "refused",
      );
      if (next === "refused") break;
      await reply((await nextTry("a", attempt, id)).reply({ kind: "moved" }));
      await reply(next.reply({ kind: "moved" }));
    }
    expect(refusal).toMatchObject({ status: 503, message: "server busy" });
    await reply((await nextTry("a", attempt, id)).reply({ kind: "moved" }));
    await reply((await nextTry("a", attempt + 1, id)).reply(posted));
    expect(await posting).toEqual({ statusId: "5" });
  });
  it("move an unreadable envelope to the dead commands", async () => {
    kept(await Shard.start("a", [], {}));
    await redis.client.xadd(keys.commands("a"), "*", "e", "{not json");
    await eventually("buried", async () => (await redis.client.xlen(keys.deadCommands)) === 1);
    expect(JSON.stringify(await redis.client.xrange(keys.deadCommands, "-", "+"))).not.toContain("not json");
    await eventually("an empty stream", async () => (await redis.client.xlen(keys.commands("a"))) === 0);
  });
  it("are refused while the stream is full, and not lost", async () => {
    const router = kept(await Router.start("r1"));
    const shard = kept(await Shard.start("a", [], {}));
    const id = await created(router);
    await shard.commands.stop();
    const pipeline = plainRedis(redis.client).pipeline();
    for (let i = 0; i < 2_000; i += 1) pipeline.xadd(keys.commands("a"), "*", "x", "filler");
    await pipeline.exec();
    await expect(router.client.call("telegram", "list-groups", id, {})).rejects.toMatchObject({
      status: 503,
      message: "server busy",
      retryAfterSeconds: 1,
    });
    expect(await redis.client.xlen(keys.commands("a"))).toBe(2_000);
  });
});
