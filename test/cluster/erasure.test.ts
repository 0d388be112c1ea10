import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { slotOf } from "../../shared/contract/slot.js";
import { newCommandId, type SessionId } from "../../shared/contract/ids.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { idempotencyMs } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import { initialState } from "../../shared/session/state.js";
import { erasureRow, type SecretErasure } from "../../router/admin/keyring-row.js";
import { CommandLog } from "../../shard/bus/command-log.js";
import type { KeyedRequest } from "../../shard/bus/record-plan.js";
import { AofRewriter, type AofRewriterOptions, type RewriteOutcome } from "../../shard/cluster/aof-rewriter.js";
import { eventually } from "../harness/eventually.js";
import { ownedSession, testRing, type OwnedSession } from "../harness/owned-session.js";
import { startRedis, type TestRedis } from "../harness/redis.js";

/** Nothing of a deleted session may stay: live keys lose it at once, and Redis' file loses it at the next rewrite. */
let redis: TestRedis;
let folder: string;
const outcomes: RewriteOutcome[] = [];
const rewriters: AofRewriter[] = [];
beforeAll(async () => {
  redis = await startRedis();
  folder = (await redis.client.config("GET", "dir"))[1] ?? "";
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  await redis.client.config("SET", "appendonly", "yes");
  await eventually("a file", async () => (await redis.client.info("persistence")).includes("aof_rewrite_in_progress:0"));
});
afterEach(async () => {
  await Promise.all(rewriters.splice(0).map((rewriter) => rewriter.stop()));
  outcomes.length = 0;
});

/** Stores a session with every kind of data, including an outcome of an idempotency key. */
async function fullSession(): Promise<OwnedSession & { readonly wrapped: string }> {
  const session = await ownedSession(redis.client);
  const { writer, id } = session;
  const command = newCommandId();
  const request = { id: newCommandId(), session: id, body: testRing.macs("body", "request") };
  const log = new CommandLog(redis.client, testRing);
  await log.begin(slotOf(id), session.token, command, "send", "run", request);
  await log.finish(slotOf(id), session.token, command, { kind: "ok", output: { messageId: "m" } }, request);
  await writer.writeCredentials(session, Buffer.from("login"));
  await writer.secrets(session).apply(new Map([["key", Buffer.from("secret")]]));
  await writer.secrets(session).keepSent("m1", Buffer.from("text"));
  await writer.outbox(session).configure({ url: "http://receiver/", token: "secret" });
  await writer.updates(session).advance({
    cursor: "c1",
    messages: new Map([["m1", "bob"]]),
    events: [{ id: "e1", type: "message.new", created: new Date().toISOString(), data: {} }],
  });
  await redis.client.hset(keys.peers(id), "bob", "1");
  await redis.client.set(keys.qr(id), "png");
  await redis.client.xadd(keys.deadLetters(id), "*", "i", "e0");
  return { ...session, wrapped: (await redis.client.hget(keys.session(id), "dk")) ?? "" };
}

/** Returns keys that name the session, and outcomes without an owner. */
const left = async (id: SessionId): Promise<string[]> =>
  (await redis.client.keys("*")).filter((key) => key.includes(id) || key.startsWith("result:"));

describe("an outcome of an idempotency key", () => {
  const requestOf = (session: SessionId): KeyedRequest => ({ session, id: newCommandId(), body: testRing.macs("body", "request") });
  const log = (): CommandLog => new CommandLog(redis.client, testRing);

  it("goes with its session as well when its request ran again, more than a day after the first one", async () => {
    const { writer, id, token } = await ownedSession(redis.client);
    const [slot, command] = [slotOf(id), newCommandId()];
    const refused = { kind: "error", status: 503, message: "server busy" } as const;
    await log().begin(slot, token, command, "send", "first", requestOf(id));
    await log().finish(slot, token, command, refused, requestOf(id), true);
    // Moves the outcome to one second before its expiry.
    await redis.client.zadd(keys.idempotencyKeys(id), Date.now() - idempotencyMs + 1_000, keys.result(slot, command));
    await redis.client.pexpire(keys.idempotencyKeys(id), 1_000);
    expect(await log().begin(slot, token, command, "send", "second", requestOf(id))).toMatchObject({ kind: "run" });
    await log().finish(slot, token, command, refused, requestOf(id), true);
    const overAt = Date.now() + 1_100;
    await eventually("the first one's day is over", () => Date.now() > overAt);
    // The next idempotency key evicts index entries older than a day.
    await log().begin(slot, token, newCommandId(), "send", "other", requestOf(id));
    expect(await writer.remove({ id, token }, undefined)).toBe(true);
    expect(await left(id)).toEqual([]);
  });

  it("is not kept of a request that ends after its session was deleted", async () => {
    const { writer, id, token } = await ownedSession(redis.client);
    const [slot, command, request] = [slotOf(id), newCommandId(), requestOf(id)];
    await log().begin(slot, token, command, "send", "run", request);
    expect(await writer.remove({ id, token }, undefined)).toBe(true);
    await log().finish(slot, token, command, { kind: "ok", output: { messageId: "m" } }, request);
    expect(await left(id)).toEqual([]);
  });
});

function inFile(text: string): boolean {
  const files = readdirSync(join(folder, "appendonlydir"));
  return files.some((file) => readFileSync(join(folder, "appendonlydir", file), "latin1").includes(text));
}

function startRewriter(change: Partial<AofRewriterOptions> = {}): void {
  const metrics = { aofRewritten: (outcome: RewriteOutcome) => outcomes.push(outcome) };
  const rewriter = new AofRewriter({
    redis: redis.client,
    commandAddress: undefined,
    intervalMs: 3_600_000,
    metrics,
    log: silentLog,
    everyMs: 20,
    ...change,
  });
  rewriters.push(rewriter);
  rewriter.start();
}

/** Marks are written a minute into the future. */
async function minuteLater(): Promise<void> {
  for (const mark of await redis.client.zrange(keys.goneSecrets, "0", "-1"))
    await redis.client.zadd(keys.goneSecrets, Date.now() - 1, mark);
}

async function shown(): Promise<SecretErasure> {
  const [, gone] = await redis.client.zrangebyscore(keys.goneSecrets, "-inf", Date.now(), "WITHSCORES");
  return erasureRow(await redis.client.hgetall(keys.aof), gone);
}

describe("a session that its owner deletes", () => {
  it("leaves no key", async () => {
    const { writer, id, token } = await fullSession();
    expect((await left(id)).length).toBeGreaterThan(12);
    expect(await writer.remove({ id, token }, undefined)).toBe(true);
    expect(await left(id)).toEqual([]);
    expect(await redis.client.smembers(keys.slotSessions(slotOf(id)))).toEqual([]);
  });

  it("stays in Redis' file until the rewrite, which is requested once per interval", async () => {
    const [first, second] = [await fullSession(), await fullSession()];
    await first.writer.remove(first, undefined);
    expect(inFile(first.wrapped)).toBe(true);
    startRewriter();
    await minuteLater();
    await eventually("rewritten", () => !inFile(first.wrapped));
    await eventually("told", () => outcomes.length > 0);
    expect(outcomes).toEqual(["done"]);
    expect(await shown()).toEqual({ heldSince: "", rewritten: expect.stringMatching(/^20/) as string, problem: "" });
    await second.writer.remove(second, undefined);
    await minuteLater();
    expect(await shown()).toMatchObject({ heldSince: expect.stringMatching(/^20/) as string });
    // Pretends that an hour has passed.
    expect(inFile(second.wrapped)).toBe(true);
    await redis.client.hset(keys.aof, "asked", 1);
    await eventually("rewritten", () => !inFile(second.wrapped));
    await eventually("told", () => outcomes.length > 1);
    expect(outcomes).toEqual(["done", "done"]);
  });
});

it("a session that a timer deleted is gone after its day in the trash, and the file is to be rewritten then", async () => {
  const { writer, id, token } = await fullSession();
  const before = Date.now();
  await writer.remove({ id, token }, initialState);
  const [trash] = await Promise.all([redis.client.keys(`trash:*${id}`)]);
  for (const key of trash) expect(await redis.client.pttl(key)).toSatisfy((ms: number) => ms > 0 && ms <= 24 * 3_600_000);
  expect((await left(id)).filter((key) => !key.startsWith("trash:") && !key.startsWith("result:"))).toEqual([]);
  const [, at] = await redis.client.zrange(keys.goneSecrets, "0", "-1", "WITHSCORES");
  expect(Number(at)).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
});

describe("a rewrite", () => {
  it("reports a rewrite that our user may not request, and keeps the marks", async () => {
    await redis.client.call("ACL", "SETUSER", "shard", "reset", "on", "nopass", "~*", "&*", "+@all", "-bgrewriteaof");
    await redis.client.call(
      "ACL",
      "SETUSER",
      "rewriter",
      "reset",
      "on",
      "nopass",
      "resetchannels",
      "+ping",
      "+info",
      "+client",
      "+bgrewriteaof",
    );
    const shard = await connectRedis(redis.url, "writer", silentLog);
    await shard.call("AUTH", "shard", "x");
    const session = await fullSession();
    await session.writer.remove(session, undefined);
    await minuteLater();
    startRewriter({ redis: shard });
    await eventually("told", () => outcomes.length > 0);
    expect(outcomes).toEqual(["refused"]);
    await eventually("shown", async () => (await shown()).problem === "refused" && (await shown()).heldSince !== "");
    shard.disconnect();
  });

  it("has nothing to do without a file", async () => {
    await redis.client.config("SET", "appendonly", "no");
    const session = await fullSession();
    await session.writer.remove(session, undefined);
    await minuteLater();
    startRewriter();
    await eventually("told", () => outcomes.length > 0);
    expect(outcomes).toEqual(["off"]);
    await eventually("shown", async () => (await shown()).heldSince === "");
  });
});
