import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { Log } from "../../../../shared/log/logger.js";
import { keys } from "../../../../shared/redis/keys.js";
import { isUnreadable, type SessionState } from "../../../../shared/session/state.js";
import { SessionStore } from "../../../../shard/session/session-store.js";
import { aCourier } from "../../../harness/courier.js";
import { ownedSession } from "../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const state: SessionState = { kind: "connected", account: { generatedId: "7", name: "Ann", username: "", phone: "", picture: "" } };
const altered = "altered: longer than a nonce and a tag";

async function aSession(): Promise<{ id: SessionId; hosted: SessionStore; told: string[] }> {
  const { writer, id, token } = await ownedSession(redis.client);
  const told: string[] = [];
  const log: Log = pino({ level: "error" }, { write: (line: string) => void told.push((JSON.parse(line) as { part: string }).part) });
  const hosted = new SessionStore({
    id,
    token,
    state,
    writer,
    fence: { holds: () => true },
    openDelivery: (options) => aCourier().open(options),
    qrPng: () => Promise.resolve(Buffer.from("png")),
    onFenced: () => undefined,
    onState: () => undefined,
    log,
  });
  return { id, hosted, told };
}

it("is not marked by a sent message that does not open, which is told once and goes within a day", async () => {
  const { id, hosted, told } = await aSession();
  await hosted.sent.keep("m1", Buffer.from("text"));
  await redis.client.set(keys.sent(id, "m1"), altered, "KEEPTTL");
  for (let time = 0; time < 2; time += 1) await expect(hosted.sent.read("m1")).rejects.toThrow("stored sent message cannot be opened");
  await hosted.flushed();
  expect(isUnreadable(hosted.state())).toBe(false);
  expect(told).toEqual(["sent message"]);
});

it("is marked by a key that does not open, told beside what was told before, until its credentials are read", async () => {
  const { id, hosted, told } = await aSession();
  await hosted.credentials.write(Buffer.from("login"));
  await hosted.sent.keep("m1", Buffer.from("text"));
  await hosted.secrets.apply(new Map([["session:5", Buffer.from("key")]]));
  await redis.client.set(keys.sent(id, "m1"), altered, "KEEPTTL");
  await redis.client.hset(keys.secrets(id), "session:5", altered);
  await expect(hosted.sent.read("m1")).rejects.toThrow();
  await expect(hosted.secrets.getMany(["session:5"])).rejects.toThrow("stored secret cannot be opened");
  await hosted.flushed();
  expect(isUnreadable(hosted.state())).toBe(true);
  expect(told).toEqual(["sent message", "secret"]);
  expect(await hosted.credentials.read((bytes) => bytes.toString())).toBe("login");
  expect(isUnreadable(hosted.state())).toBe(false);
});
