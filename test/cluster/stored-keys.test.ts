import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settleKeys } from "../../deploy/supervisor/fitting-keys.js";
import { readSecrets } from "../../deploy/supervisor/secrets.js";
import type { GivenSecrets } from "../../deploy/supervisor/settings.js";
import { acquire } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { newSessionId, type SessionId } from "../../shared/contract/ids.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import { keys } from "../../shared/redis/keys.js";
import { checkKeys } from "../../shared/cluster/keyring/key-check.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { newSession } from "../harness/new-session.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const ringText = (...ids: string[]): string => ids.map((id) => `${id}:${randomBytes(32).toString("base64")}`).join(",");
const check = (text: string): Promise<void> => checkKeys(redis.client, KeyRing.parse(text));

/** Stores sessions like a shard with this key ring. */
async function store(text: string, count = 1): Promise<SessionId[]> {
  const writer = new SessionWriter(redis.client, KeyRing.parse(text));
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const id = newSessionId(Date.now());
      const owned = await acquire(redis.client, slotOf(id), { name: "a", incarnation: "i1", host: "h1" }, undefined);
      if (owned === undefined) throw new Error("slot is taken");
      await writer.create({ id, token: owned.token }, "telegram", newSession("hash"), new Date());
      return id;
    }),
  );
}

describe("checkKeys", () => {
  const [former, other] = [ringText("a"), ringText("a")];

  it("lets any keys begin on an empty Redis, and those alone go on", async () => {
    await check(former);
    await store(former);
    await check(former);
    await expect(check(other)).rejects.toThrow('its key "a" is another than the logins in this Redis are sealed with');
    await check(former);
  });

  it("judges a Redis of before the check by its records", async () => {
    await store(former, 3);
    await expect(check(other)).rejects.toThrow('its key "a" is another');
    await expect(check(ringText("b"))).rejects.toThrow('it has no key "a"');
    expect(await redis.client.exists(keys.canaries)).toBe(0);
    await check(former);
  });

  it("does not take one altered record for another key", async () => {
    const [altered] = await store(former, 3);
    if (altered === undefined) throw new Error("no session");
    await redis.client.hset(keys.session(altered), "dk", `a.${randomBytes(60).toString("base64url")}`);
    await check(former);
  });

  it("goes along with a rotation: a new key in front, and the former one gone when no login is left that it sealed", async () => {
    const next = ringText("b");
    await check(former);
    const [old] = await store(former);
    if (old === undefined) throw new Error("no session");
    await check(`${next},${former}`);
    await expect(check(next)).rejects.toThrow('it has no key "a"');
    await redis.client.del(keys.slotSessions(slotOf(old)), keys.session(old));
    await check(next);
    expect(await redis.client.hkeys(keys.canaries)).toEqual(["b"]);
  });

  it("contains no key and no text that reveals one", async () => {
    await check(former);
    const stored = JSON.stringify(await redis.client.hgetall(keys.canaries));
    expect(stored).not.toContain(former.slice(2, 20));
    expect(stored).not.toContain("trunkline");
  });
});

describe("settleKeys", () => {
  const nothing: GivenSecrets = { apiKeys: undefined, credKeys: undefined, mediaKeys: undefined };
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tl-keys-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const start = (given = nothing): Promise<void> => settleKeys(redis.client, folder, given, readSecrets(folder, given));

  it("writes no new keys over logins that need the former ones, and says which file to restore", async () => {
    await start();
    const file = join(folder, "secrets.json");
    const former = readFileSync(file, "utf8");
    await store((JSON.parse(former) as { credKeys: string }).credKeys);
    rmSync(file);
    await expect(start()).rejects.toThrow(`${file}, whose keys the logins in Redis are sealed with, is missing: restore it from a backup`);
    expect(existsSync(file)).toBe(false);
    await expect(start({ ...nothing, credKeys: ringText("a") })).rejects.toThrow("CRED_KEYS does not open the stored logins");
    expect(existsSync(file)).toBe(false);
  });

  it("makes new ones where a Redis holds no login", async () => {
    await start();
    rmSync(join(folder, "secrets.json"));
    await start();
    await start();
  });
});

describe.each(["shard", "router"])("a %s that is started alone", (role) => {
  it("refuses keys that do not open the stored logins, in one sentence", async () => {
    await store(ringText("a"));
    const child = spawn(process.execPath, [resolve(import.meta.dirname, `../../dist/${role}/main.js`)], {
      env: {
        PATH: process.env["PATH"],
        REDIS_URL: redis.url,
        CRED_KEYS: ringText("a"),
        MEDIA_KEYS: ringText("a"),
        API_KEYS: "",
        PORT: "0",
        ADMIN_PORT: "0",
        TELEGRAM_API_ID: "1",
        TELEGRAM_API_HASH: "h",
        DATA_DIR: tmpdir(),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, said }).toEqual({
      code: 78,
      said: 'configuration:\n  CRED_KEYS does not open the stored logins (its key "a" is another than the logins in this Redis are sealed with): restore the CRED_KEYS that they were stored with (deploy/manifests/.env of containers, secrets.json in DATA_DIR of npm start)\n',
    });
  });
});
