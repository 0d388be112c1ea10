import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisProgram } from "../../../../../deploy/supervisor/redis-program.js";
import { appendRows } from "../../../../../shared/cluster/audit/append-rows.js";
import { bury, join as joinCluster } from "../../../../../shared/cluster/membership.js";
import { readReports, writeReport, withdrawReport } from "../../../../../shared/cluster/process-report.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { appendLiveEvents } from "../../../../../shard/session/live-events/append-live-events.js";
import { reportMember } from "../../../../../router/admin/live-events/member-events.js";
import {
  firstPosition,
  isBehind,
  markListener,
  newestPosition,
  eventsAfter,
} from "../../../../../router/admin/live-events/stored-events.js";
import { connectRedis, type RedisClient } from "../../../../../shared/redis/connect.js";
import { initialState } from "../../../../../shared/session/state.js";
import { rotateKeyring } from "../../../../../router/admin/keyring.js";
import { DirectoryStore } from "../../../../../router/tenant/directory-store.js";
import { MessageDays } from "../../../../../router/tenant/message-days.js";
import { byteLimits, requestLimits } from "../../../../../router/tenant/rate-limits.js";
import { SessionPlaces } from "../../../../../router/tenant/session-places.js";
import { TenantRemains } from "../../../../../router/admin/tenant-remains.js";
import { TenantRates } from "../../../../../router/tenant/tenant-rates.js";
import { slotOf } from "../../../../../shared/contract/slot.js";
import { ApiError } from "../../../../../shared/contract/api-error.js";
import { newCommandId, newSessionId, type SessionId } from "../../../../../shared/contract/ids.js";
import { defaultTenant, type TenantName } from "../../../../../shared/contract/tenant.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { KeyRing } from "../../../../../shared/config/key-ring.js";
import { checkKeys } from "../../../../../shared/cluster/keyring/key-check.js";
import { Resealer } from "../../../../../shard/cluster/keyring/resealer.js";
import { DeliveryTally } from "../../../../../shard/session/live-events/delivery-tally.js";
import { aRequest } from "../../../router/support.js";
import { claimPorts, type ClaimedPorts } from "../../../../harness/claimed-ports.js";
import { eventually } from "../../../../harness/eventually.js";
import { ownedSession, testRingText } from "../../../../harness/owned-session.js";

/** Tests the users that deploy/manifests/compose.yaml gives to its processes, on a real server. */
const root = resolve(import.meta.dirname, "../../../../..");
const roles = ["router", "shard", "supervisor", "rewriter", "metrics"] as const;
type Role = (typeof roles)[number];

let folder: string;
let server: ChildProcess;
let ports: ClaimedPorts;
const clients = new Map<Role | "default", RedisClient>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tl-users-"));
  expect(run("deploy/manifests/make-env.mjs", join(folder, "env"))).toMatchObject({ status: 0 });
  ports = await claimPorts();
  const options = { port: String(ports.first), bind: "127.0.0.1", dir: folder, save: "", aclfile: join(folder, "redis-users.acl") };
  server = spawn(
    redisProgram(),
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: "ignore" },
  );
  for (const role of ["default", ...roles] as const) {
    const url = `redis://${role}:${settings(join(folder, "env")).get(passwordName(role))}@127.0.0.1:${ports.first}`;
    clients.set(role, await eventually(`${role} connected`, () => connectRedis(url, "writer", silentLog)));
  }
});
afterAll(async () => {
  for (const client of clients.values()) client.disconnect();
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  await ended;
  ports.release();
  rmSync(folder, { recursive: true });
});

function as(role: Role | "default"): RedisClient {
  const client = clients.get(role);
  if (client === undefined) throw new Error(`${role} is not connected`);
  return client;
}

const run = (script: string, ...args: string[]) => spawnSync(process.execPath, [join(root, script), ...args], { encoding: "utf8" });
const passwordName = (role: string): string => (role === "default" ? "REDIS_PASSWORD" : `REDIS_${role.toUpperCase()}_PASSWORD`);
const settings = (file: string) =>
  new Map([...readFileSync(file, "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));

describe("no process may", () => {
  const commands = [
    ...[
      "FLUSHALL",
      "FLUSHDB",
      "KEYS *",
      "SCAN 0",
      "RANDOMKEY",
      "DBSIZE",
      "CONFIG GET *",
      "CONFIG SET maxmemory 1",
      "ACL LIST",
      "ACL WHOAMI",
    ],
    ...["SHUTDOWN NOSAVE", "MONITOR", "CLIENT LIST", "CLIENT KILL TYPE normal", "SCRIPT FLUSH", "SAVE", "BGREWRITEAOF"],
    ...["REPLICAOF NO ONE", "MODULE LIST", "SLOWLOG GET", "MIGRATE h 1 k 0 1", "DUMP members", "RESTORE members 0 x", "SWAPDB 0 1"],
    ...["GET other", "SET other x", "EVAL return(redis.call('GET','other')) 0", "EVAL return(redis.call('FLUSHALL')) 0"],
    ...["PUBLISH other x", "SUBSCRIBE other", "PSUBSCRIBE *"],
  ];
  const own: Partial<Record<Role, string>> = { rewriter: "BGREWRITEAOF" };
  const others = (role: Role): string[] => commands.filter((command) => command !== own[role]);
  it.each(roles.flatMap((role) => others(role).map((command) => [role, command] as const)))("%s: %s", async (role, command) => {
    await expect(call(role, command)).rejects.toThrow(refused);
  });
});

describe("what is another's is closed to", () => {
  it.each<[Role, string]>([
    ...[
      "HGETALL secrets:{1}:x",
      "HGETALL peers:{1}:x",
      "GET sent:{1}:x:y",
      "HGETALL message-chats:{1}:x",
      "HGETALL webhook:{1}:x",
      "HGETALL result:{1}:x",
    ].map((command): [Role, string] => ["router", command]),
    ["router", "EVAL return(redis.call('HGETALL',KEYS[1])) 1 secrets:{1}:x"],
    ["router", "EVAL return(redis.call('HGETALL','secrets:{1}:x')) 0"],
    ["router", "HGETALL trash:secrets:{1}:x"],
    ["router", "XADD dead-commands * a b"],
    ["router", "RENAME session:{1}:x session:{1}:y"],
    ["shard", "HGETALL api-keys:{directory}"],
    ["shard", "HSET tenants:{directory} x {}"],
    ["supervisor", "HGETALL api-keys:{directory}"],
    ["shard", "SET enqueued:{shard-1}:x:0 1"],
    ["shard", "CLIENT TRACKING ON"],
    ["shard", "XREAD STREAMS tenants:{directory} 0"],
    ["supervisor", "HGETALL session:{1}:x"],
    ["supervisor", "HGET session:{1}:x dk"],
    ["supervisor", "XADD commands:{shard-1} * e x"],
    ["supervisor", "PUBLISH tl:slots 1"],
    ["metrics", "HGET member:{shard-1} inc"],
    ["rewriter", "HGET session:{1}:x dk"],
    ["rewriter", "PUBLISH tl:members x"],
    ["metrics", "PUBLISH tl:members x"],
  ])("%s: %s", async (role, command) => {
    await expect(call(role, command)).rejects.toThrow(refused);
  });
});

describe("each may do its own work", () => {
  it("a shard: a session is created, deleted by a timer, and taken out of the trash", async () => {
    const { writer, id, token } = await ownedSession(as("shard"));
    await writer.writeCredentials({ id, token }, Buffer.from("login"));
    expect(await writer.remove({ id, token }, initialState)).toBe(true);
    expect(await writer.undelete({ id, token }, newCommandId())).toMatchObject({ id, platform: "telegram" });
    expect(String(await writer.readCredentials(id))).toBe("login");
    const row = {
      who: "cluster",
      what: "take-over",
      target: "shard-2",
      tenant: "",
      session: "",
      from: "shard-1",
      requestId: "",
      status: 200,
      count: 1,
    };
    await appendRows(as("shard"), [{ at: "", ...row }]);
  });

  it("a router: tenants and keys are made, counted and removed", async () => {
    const redis = as("router");
    const store = new DirectoryStore(redis);
    const metrics = { quotaReached: () => undefined };
    const [name, id] = ["blue" as TenantName, newSessionId(Date.now() - 120_000)];
    const tenant = { name, created: "", quotas: { sessions: 1, requestsPerSecond: 10, messagesPerDay: 1, mediaBytesPerSecond: 10 } };
    expect(await store.createTenant(tenant)).toBe("DONE");
    expect(await store.changeTenant(tenant, { ...tenant, created: "now" })).toBe("DONE");
    const key = { id: "00", hash: "00", tenant: name, role: "read" as const, label: "", created: "", expires: "" };
    expect(await store.createKey(key, "a.sealed")).toBe("DONE");
    expect(await store.changeKeyProxy(key.id, "a.another")).toBe("DONE");
    expect((await store.read()).keyProxies).toEqual(new Map([[key.id, "a.another"]]));
    await store.touch(new Map([[key.id, "now"]]));
    expect([(await store.read()).keys, await store.uses(), await store.version()]).toEqual([
      [key],
      { "00": "now" },
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ]);
    expect(await store.deleteKey(key.id)).toBe("DONE");
    const places = new SessionPlaces(redis, metrics);
    const owner = { tenant: name, incarnation: "" };
    expect([await places.reserve(owner, id), await places.reserve(owner, newSessionId(Date.now()))]).toEqual([true, true]);
    await places.release(name, (await redis.smembers(keys.tenantSessions(name)))[0] as SessionId);
    const trashed = newSessionId(Date.now());
    await as("default").hset(keys.trash(keys.session(trashed)), { tenant: name, dk: "sealed" });
    await as("default").zadd(keys.slotTrash(slotOf(trashed)), Date.now() + 60_000, trashed);
    await as("default").zadd(keys.creationKeys(`${name}.00`), 1, keys.creation(`${name}.00`, newCommandId()));
    await new TenantRemains(redis).erase(name, ["00"]);
    expect(await as("default").exists(keys.trash(keys.session(trashed)), keys.creationKeys(`${name}.00`))).toBe(0);
    const parts = { redis, metrics, quotasOf: () => tenant.quotas };
    const onRefused = (): void => undefined;
    const requests = new TenantRates({ redis, key: keys.tenantRequests, limitsOf: () => requestLimits(tenant.quotas), onRefused });
    expect(await requests.admit(name)).toMatchObject({ admitted: true, capacity: 10 });
    const bytes = new TenantRates({ redis, key: keys.tenantMediaBytes, limitsOf: () => byteLimits(tenant.quotas), onRefused });
    await bytes.pay(name, 10, AbortSignal.timeout(5_000));
    const refusal = new ApiError(400, "no");
    await expect(
      new MessageDays(parts).counted(name, { send: () => Promise.reject(refusal), replay: undefined, isReplayed: () => false }),
    ).rejects.toBe(refusal);
    expect(await redis.get(keys.tenantMessages(name, new Date().toISOString().slice(0, 10)))).toBe("0");
    expect(await store.deleteTenant(name)).toBe("DONE");
  });

  it("a shard and a router: publish and read live events", async () => {
    await appendLiveEvents(as("shard"), [{ type: "slots", at: "now", member: "shard-1", slots: [1] }]);
    await reportMember(as("router"), { name: "shard-1", incarnation: "i1", state: "dead", host: "h1" });
    const told = await eventsAfter(as("router"), firstPosition, 10);
    expect(told.map(({ event }) => event?.type)).toEqual(["slots", "member"]);
    expect(await newestPosition(as("router"))).toBe(told[1]?.id);
    expect(await isBehind(as("router"), firstPosition)).toBe(false);
    await markListener(as("router"));
    const session = { id: newSessionId(Date.now()), platform: "telegram", tenant: defaultTenant } as const;
    const tally = new DeliveryTally({ redis: as("shard"), member: "shard-1", onPublished: () => undefined, log: silentLog });
    tally.count(session, "delivered", 1, () => 0);
    await tally.stop();
    expect((await eventsAfter(as("router"), told[1]?.id ?? "", 10)).map(({ event }) => event?.type)).toEqual(["deliveries"]);
  });

  it("a shard: looks up a seen event and the time of a sent message", async () => {
    for (const key of ["seen-events:{1}:x", "sent-index:{1}:x"]) expect(await as("shard").zscore(key, "y")).toBeNull();
  });

  it("a supervisor: a shard that has died is buried", async () => {
    await joinCluster(as("shard"), { name: "shard-9", incarnation: "i1", weight: 1, host: "h1" });
    expect(await bury(as("supervisor"), "shard-9", "i1", "*", "reaped")).toBe(true);
  });

  it("a supervisor: writes and deletes its report", async () => {
    const report = { role: "supervisor", name: "shard-9-supervisor", host: "h1", version: "1", loopLagMs: 0, memoryBytes: 1 } as const;
    const listed = async () => (await readReports(as("router"))).filter(({ name }) => name === report.name);
    await writeReport(as("supervisor"), report);
    expect(await listed()).toMatchObject([report]);
    await withdrawReport(as("supervisor"), report);
    expect(await listed()).toEqual([]);
  });

  it("a router has another key seal, and a shard seals anew what the former one sealed", async () => {
    const { id, writer, token } = await ownedSession(as("shard"));
    const other = `b:${randomBytes(32).toString("base64")}`;
    const ring = KeyRing.parse(`${testRingText},${other}`);
    await checkKeys(as("router"), ring);
    await writeReport(as("router"), {
      role: "router",
      name: "router-1",
      host: "h1",
      version: "1",
      loopLagMs: 0,
      memoryBytes: 1,
      keys: ring.ids,
    });
    const request = {
      ...aRequest({ "content-type": "application/json" }),
      method: "POST" as const,
      body: () => Promise.resolve(Buffer.from('{"key":"b"}')),
    };
    const parts = { redis: as("router"), members: { all: () => [], get: () => undefined, lives: () => false } };
    expect(await rotateKeyring(parts)(request, new AbortController().signal)).toMatchObject({ status: 200 });
    const metrics = { resealed: () => undefined };
    const events = { rotation: () => undefined };
    const resealer = new Resealer({ redis: as("shard"), ring, runner: "shard-1:1", metrics, events, log: silentLog });
    resealer.start();
    await eventually("sealed anew", async () => (await as("default").hget(keys.session(id), "dk"))?.startsWith("b."));
    await resealer.stop();
    expect(await writer.remove({ id, token }, undefined)).toBe(true);
  });

  it("the rewriter: Redis' file is rewritten", async () => {
    expect(await as("rewriter").call("BGREWRITEAOF")).toContain("rewriting");
  });

  it("metrics: how Redis fares", async () => {
    expect(await as("metrics").info()).toContain("used_memory:");
  });

  it("the operator: everything", async () => {
    expect(await as("default").config("GET", "maxmemory")).toEqual(["maxmemory", "0"]);
  });
});

/** Compares the access of each user with the table in shared/redis/README.md. */
describe("the keys open to", () => {
  const page = readFileSync(join(root, "shared/redis/README.md"), "utf8").split("## Channels")[0] ?? "";
  const rows = page
    .split("\n")
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .flatMap(([, , texts = "", , ...who]) =>
      [...texts.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => ({
        key: text === "trash:" ? "trash:session:{slot}:id" : text,
        who: who.join(" "),
      })),
    );
  const everybody = /\b(all|each process|the first process|the key check)\b/;
  const words = { router: /\brouters?\b/, shard: /\b(shards?|owner)\b/ };

  it("are all on the page", () => expect(rows.length).toBeGreaterThan(28));
  it.each(rows.flatMap(({ key, who }) => (["router", "shard"] as const).map((role) => ({ role, key, who }))))(
    "$role, as the page says: $key",
    ({ role, key, who }) => {
      expect(patternsOf(role).some((pattern) => pattern.test(key))).toBe(everybody.test(who) || words[role].test(who));
    },
  );
});

describe("make-users", () => {
  it("writes hashes, which Redis may read, and no password", () => {
    const file = join(folder, "redis-users.acl");
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const text = readFileSync(file, "utf8");
    for (const role of ["default", ...roles]) expect(text).not.toContain(settings(join(folder, "env")).get(passwordName(role)));
  });

  it("adds the passwords that older settings lack, and leaves those that are there", () => {
    const file = join(mkdtempSync(join(folder, "older-")), "env");
    writeFileSync(file, "CRED_KEYS=a:b\nREDIS_PASSWORD=given", { mode: 0o600 });
    expect(run("deploy/manifests/redis/make-users.mjs", file)).toMatchObject({ status: 0 });
    const made = settings(file);
    expect([made.get("CRED_KEYS"), made.get("REDIS_PASSWORD")]).toEqual(["a:b", "given"]);
    for (const role of roles) expect(made.get(passwordName(role))).toMatch(/^[0-9a-f]{48}$/);
    appendFileSync(file, "OTHER=1\n");
    const before = readFileSync(file, "utf8");
    expect(run("deploy/manifests/redis/make-users.mjs", file)).toMatchObject({ status: 0 });
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

const refused = /NOPERM|can't (run|access)|ACL failure|No permissions/;

function call(role: Role, command: string): Promise<unknown> {
  const [name = "", ...args] = command.split(" ");
  return as(role).call(name, ...args);
}

function patternsOf(role: Role): RegExp[] {
  const line = readFileSync(join(folder, "redis-users.acl"), "utf8")
    .split("\n")
    .find((text) => text.startsWith(`user ${role} `));
  return (line ?? "")
    .split(" ")
    .filter((word) => word.startsWith("~"))
    .map((word) => new RegExp(`^${word.slice(1).replace(/[{}]/g, "\\$&").replaceAll("*", ".*")}$`));
}
