import { setImmediate as nextTick } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newCommandId, type SessionId } from "../../../../shared/contract/ids.js";
import { defaultTenant } from "../../../../shared/contract/tenant.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import { silentLog, type Log } from "../../../../shared/log/logger.js";
import { keys } from "../../../../shared/redis/keys.js";
import { RecordTexts } from "../../../../shared/session/record-texts.js";
import { initialState, isUnreadable, type SessionState } from "../../../../shared/session/state.js";
import { SessionStore, type SessionStoreOptions } from "../../../../shard/session/session-store.js";
import { openSummary } from "../../../../shard/session/store/session-record.js";
import { secretName } from "../../../../shard/session/store/session-secrets.js";
import { aCourier } from "../../../harness/courier.js";
import { eventually } from "../../../harness/eventually.js";
import { noPace } from "../../../harness/no-pace.js";
import { anyLife, ownedSession, testRing } from "../../../harness/owned-session.js";
import { storedKey, storedState } from "../../../harness/stored-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const state: SessionState = { kind: "connected", account: { generatedId: "7", name: "Ann", username: "", phone: "", picture: "" } };
const altered = "altered: longer than a nonce and a tag";

async function aSession(
  options: Partial<SessionStoreOptions> = {},
): Promise<{ id: SessionId; hosted: SessionStore; loggedParts: string[] }> {
  const { writer, id, token } = await ownedSession(redis.client);
  const loggedParts: string[] = [];
  const log: Log = pino(
    { level: "error" },
    { write: (line: string) => void loggedParts.push((JSON.parse(line) as { part: string }).part) },
  );
  return { id, hosted: aStore({ id, token, state, writer, log, ...options }), loggedParts };
}

function aStore(options: Partial<SessionStoreOptions> & Pick<SessionStoreOptions, "id" | "token" | "state" | "writer">): SessionStore {
  return new SessionStore({
    life: anyLife,
    hasProxy: false,
    tenantProxy: () => "",
    fence: { holds: () => true },
    openDelivery: (options) => aCourier().open({ ...options, tenant: defaultTenant, onOutcome: () => undefined }),
    openPace: noPace,
    qrPng: () => Promise.resolve(Buffer.from("png")),
    onFenced: () => undefined,
    onState: () => undefined,
    log: silentLog,
    ...options,
  });
}

it("has sent no message under an id that callers or strangers made up", async () => {
  const { hosted, loggedParts } = await aSession();
  for (const id of ["", "a b", "a/b", "é", "\0", "1".repeat(256)]) expect(await hosted.sent.read(id)).toBeUndefined();
  expect(loggedParts).toEqual([]);
});

it("is not marked unreadable by a sent message that does not open, which is logged once", async () => {
  const { id, hosted, loggedParts } = await aSession();
  await hosted.sent.keep("m1", Buffer.from("text"));
  await redis.client.set(keys.sent(id, "m1"), altered, "KEEPTTL");
  for (let time = 0; time < 2; time += 1) await expect(hosted.sent.read("m1")).rejects.toThrow("stored sent message cannot be opened");
  await hosted.flushed();
  expect(isUnreadable(hosted.state())).toBe(false);
  expect(loggedParts).toEqual(["sent message"]);
});

it("is marked unreadable by a key that does not open, until its credentials are read", async () => {
  const { id, hosted, loggedParts } = await aSession();
  await hosted.credentials.write(Buffer.from("login"));
  await hosted.sent.keep("m1", Buffer.from("text"));
  await hosted.secrets.apply(new Map([["session:5", Buffer.from("key")]]));
  await redis.client.set(keys.sent(id, "m1"), altered, "KEEPTTL");
  await redis.client.hset(keys.secrets(id), secretName(await storedKey(redis.client, id), "session:5"), altered);
  await expect(hosted.sent.read("m1")).rejects.toThrow();
  await expect(hosted.secrets.getMany(["session:5"])).rejects.toThrow("stored secret cannot be opened");
  await hosted.flushed();
  expect(isUnreadable(hosted.state())).toBe(true);
  expect(loggedParts).toEqual(["sent message", "secret"]);
  expect(await hosted.credentials.read((bytes) => bytes.toString())).toBe("login");
  expect(isUnreadable(hosted.state())).toBe(false);
});

it("does not overwrite a state that its key does not open, and restores it once the key opens it", async () => {
  const { writer, id, token } = await ownedSession(redis.client);
  await writer.writeCredentials({ id, token }, Buffer.from("login"));
  await writer.writeState({ id, token }, state, anyLife, "");
  const [sealed, dataKey] = await redis.client.hmgetBuffer(keys.session(id), "state", "dk");
  await redis.client.hset(keys.session(id), "dk", testRing.seal(Buffer.alloc(32), "another context"));
  const [loaded] = await writer.load([slotOf(id)], () => undefined);
  if (loaded === undefined) throw new Error("no session");
  const hosted = aStore({ id, token, writer, state: loaded.state, key: loaded.key });
  await hosted.stamp();
  await expect(hosted.credentials.read((bytes) => bytes)).rejects.toThrow("stored data key cannot be opened");
  await hosted.dispatch({ type: "elapsed", ms: 40 * 60_000 });
  expect(isUnreadable(hosted.state())).toBe(true);
  expect(await redis.client.hgetBuffer(keys.session(id), "state")).toEqual(sealed);
  expect(await redis.client.hget(keys.session(id), "unreadable")).toBe("1");
  await redis.client.hset(keys.session(id), "dk", dataKey ?? "");
  expect(await hosted.credentials.read((bytes) => bytes.toString())).toBe("login");
  expect(hosted.state()).toEqual({ kind: "disconnected", account: "account" in state ? state.account : undefined, elapsedMs: 0 });
  expect(await storedState(redis.client, id)).toEqual(hosted.state());
  expect(await redis.client.hexists(keys.session(id), "unreadable")).toBe(0);
});

it("keeps the time of linking over lost connections, owners and the trash", async () => {
  const { writer, id, token } = await ownedSession(redis.client);
  const account = "account" in state ? state.account : undefined;
  if (account === undefined) throw new Error("no account");
  const hosted = aStore({ id, token, writer, state: initialState });
  expect(hosted.linkedAt).toBeUndefined();
  await hosted.dispatch({ type: "qr-issued", qr: "tg://login?token=x" });
  const before = Date.now();
  await hosted.dispatch({ type: "logged-in", account });
  const first = hosted.linkedAt;
  expect(first?.getTime()).toBeGreaterThanOrEqual(before);
  await hosted.dispatch({ type: "connection-lost" });
  await hosted.dispatch({ type: "logged-in", account });
  expect(hosted.linkedAt).toBe(first);
  expect((await writer.load([slotOf(id)], () => undefined))[0]?.life.linked).toEqual(first);
  await hosted.dispatch({ type: "connection-lost" });
  await hosted.dispatch({ type: "elapsed", ms: 40 * 60_000 });
  expect(hosted.state().kind).toBe("deleted");
  const undeleted = await writer.undelete({ id, token }, newCommandId());
  if (typeof undeleted === "string") throw new Error(undeleted);
  expect(undeleted.life.linked).toEqual(first);
  const again = aStore({ id, token, writer, state: undeleted.state, life: undeleted.life });
  await again.dispatch({ type: "logged-out" });
  await again.dispatch({ type: "password-required", hint: "" });
  await eventually("a later millisecond", () => Date.now() > (first?.getTime() ?? 0));
  await again.dispatch({ type: "logged-in", account });
  expect(again.linkedAt?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
});

/** Reads the mark as a router does. */
const storedAsUnreadable = async (id: SessionId): Promise<boolean> => {
  const stored = await storedState(redis.client, id);
  return stored !== undefined && isUnreadable(stored);
};

it("loses the mark without another owner once all unreadable keys open or are removed", async () => {
  let rounds = 0;
  const holds = (): boolean => (rounds += 1) > 0;
  const { id, hosted, loggedParts } = await aSession({ rereadMs: 20, fence: { holds } });
  const [restored, replaced, gone] = ["session:5", "session:6", "session:7"];
  const all = [restored, replaced, gone, "session:8"];
  await hosted.secrets.apply(new Map(all.map((field) => [field, Buffer.from("key")])));
  const key = await storedKey(redis.client, id);
  const nameOf = (secret: string): string => secretName(key, secret);
  const sound = await redis.client.hgetBuffer(keys.secrets(id), nameOf(restored));
  await redis.client.hset(keys.secrets(id), { [nameOf(restored)]: altered, [nameOf(replaced)]: altered, [nameOf(gone)]: altered });
  await expect(hosted.secrets.getMany(all)).rejects.toThrow("stored secret cannot be opened");
  await eventually("the mark", () => storedAsUnreadable(id));
  await redis.client.hset(keys.secrets(id), nameOf(restored), sound ?? "");
  await hosted.secrets.apply(new Map([[replaced, Buffer.from("other")]]));
  rounds = 0;
  await eventually("further rounds", () => rounds > 10);
  expect(isUnreadable(hosted.state())).toBe(true);
  await redis.client.hdel(keys.secrets(id), nameOf(gone));
  await eventually("no mark", async () => !(await storedAsUnreadable(id)));
  expect(isUnreadable(hosted.state())).toBe(false);
  expect((await hosted.secrets.getMany(all)).map(String)).toEqual(["key", "other", "undefined", "key"]);
  expect(loggedParts).toEqual(["secret"]);
  // Another value that does not open is reported and marked again.
  await redis.client.hset(keys.secrets(id), nameOf("session:8"), altered);
  await expect(hosted.secrets.getMany(["session:8"])).rejects.toThrow();
  expect(loggedParts).toEqual(["secret", "secret"]);
  await eventually("the mark again", () => storedAsUnreadable(id));
});

it("loses the mark of unreadable webhook settings once they open", async () => {
  const { id, hosted, loggedParts } = await aSession({ rereadMs: 20 });
  await redis.client.hset(keys.session(id), "wh", altered);
  hosted.delivery.wake();
  await eventually("the mark", () => storedAsUnreadable(id));
  await redis.client.hdel(keys.session(id), "wh");
  await eventually("no mark", async () => !(await storedAsUnreadable(id)));
  expect(loggedParts).toEqual(["webhook"]);
  await hosted.delivery.close();
});

it("uses its own proxy or its tenant's, and reports whether a change differs from the last connection's proxy", async () => {
  const { id, hosted } = await aSession({ tenantProxy: () => "http://tenant.example.com:3128" });
  const own = "socks5://ann:s3cret@own.example.com:1080";
  expect(await hosted.proxy()).toMatchObject({ kind: "http", host: "tenant.example.com" });
  expect([await hosted.setProxy(own), hosted.hasOwnProxy]).toEqual([true, true]);
  // No connection was made since, so a repeat still requires a reconnect.
  expect(await hosted.setProxy(own)).toBe(true);
  expect(await hosted.proxy()).toMatchObject({ kind: "socks5", host: "own.example.com", user: "ann", password: "s3cret" });
  expect(await hosted.setProxy(own)).toBe(false);
  const stored = await redis.client.hgetBuffer(keys.session(id), "proxy");
  expect(stored?.includes("s3cret")).toBe(false);
  expect([await hosted.setProxy(""), hosted.hasOwnProxy]).toEqual([true, false]);
  expect(await redis.client.hexists(keys.session(id), "proxy")).toBe(0);
  expect(await hosted.proxy()).toMatchObject({ host: "tenant.example.com" });
});

it("reads its proxy again while it is unknown whether a change was stored", async () => {
  let isWritten = true;
  const { writer, id, token } = await ownedSession(redis.client);
  const hosted = aStore({ id, token, state, writer, fence: { holds: () => isWritten } });
  const [key, dk] = [await storedKey(redis.client, id), await redis.client.hgetBuffer(keys.session(id), "dk")];
  await redis.client.hset(keys.session(id), "dk", testRing.seal(Buffer.alloc(32), "another context"));
  isWritten = false;
  await expect(hosted.setProxy("http://own.example.com:3128")).rejects.toThrow("stored data key cannot be opened");
  expect(hosted.hasOwnProxy).toBe(false);
  // Simulates that the write succeeded after all.
  await redis.client.hset(keys.session(id), { dk: dk ?? "", proxy: key.sealText("http://own.example.com:3128", "proxy") });
  expect(await hosted.proxy()).toMatchObject({ host: "own.example.com" });
});

it("seals thousands of secrets without blocking the event loop, and stores later writes after them", async () => {
  const { hosted } = await aSession();
  const many = Array.from({ length: 10_000 }, (_, n) => `session:${n}`);
  let [yields, over] = [0, false];
  const counting = (async (): Promise<void> => {
    for (; !over; yields += 1) await nextTick();
  })();
  const first = hosted.secrets.apply(new Map(many.map((field) => [field, Buffer.from("first")])));
  await nextTick();
  await hosted.secrets.apply(new Map([["session:9999", Buffer.from("second")]]));
  await first;
  over = true;
  await counting;
  expect(yields).toBeGreaterThan(5);
  expect((await hosted.secrets.getMany(["session:9998", "session:9999"])).map(String)).toEqual(["first", "second"]);
});

it("stores a new error once, even if no state changes", async () => {
  const disconnected: SessionState = { kind: "disconnected", account: state.account, elapsedMs: 5 };
  const { id, hosted } = await aSession({ state: disconnected });
  const stored = (): Promise<Buffer | null> => redis.client.hgetBuffer(keys.session(id), "summary");
  const lastError = async (): Promise<string | undefined> =>
    openSummary(new RecordTexts(testRing, id, await redis.client.hgetBuffer(keys.session(id), "dk")), await stored())?.lastError;
  const refused = "the platform takes this version of the client no longer";
  hosted.failed(refused);
  expect(await hosted.dispatch({ type: "connection-lost" })).toEqual(disconnected);
  expect([await lastError(), await storedState(redis.client, id)]).toEqual([refused, disconnected]);
  const written = await stored();
  hosted.failed(refused);
  await hosted.dispatch({ type: "connection-lost" });
  expect(await stored()).toEqual(written);
  hosted.failed("connection lost (ECONNREFUSED)");
  await hosted.dispatch({ type: "connection-lost" });
  expect(await lastError()).toBe("connection lost (ECONNREFUSED)");
});
