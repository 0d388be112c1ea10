import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Creations, type NewPair } from "../../../../../router/sessions/idempotency/creations.js";
import { identify } from "../../../../../router/sessions/idempotency/request-identity.js";
import { newSessionId, newSessionSecret } from "../../../../../shared/contract/ids.js";
import { KeyRing } from "../../../../../shared/config/key-ring.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

const ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);
const counted: string[] = [];
const identity = (key = "k1", body: unknown = {}) => identify(ring, { scope: "me", key, endpoint: "create", body });
const pair = (): NewPair => ({ id: newSessionId(Date.now()), sessionId: newSessionSecret() });
let redis: TestRedis;
let creations: Creations;
beforeAll(async () => {
  redis = await startRedis();
  creations = new Creations(redis.client, ring, { creationRepeated: (outcome) => counted.push(outcome) });
});
afterAll(() => redis.stop());
beforeEach(async () => {
  counted.length = 0;
  await redis.client.flushall();
});

describe("the creation of a session with an idempotency key", () => {
  it("is planned once: a repeat gets the same pair, first to create it and then as the response", async () => {
    const [first, second] = [pair(), pair()];
    expect(await creations.claim("me", identity(), first)).toEqual({ pair: first, replayed: false, done: false });
    expect(await creations.claim("me", identity(), second)).toEqual({ pair: first, replayed: true, done: false });
    await creations.finish("me", identity());
    expect(await creations.claim("me", identity(), second)).toEqual({ pair: first, replayed: true, done: true });
    expect(counted).toEqual(["replayed", "replayed"]);
  });

  it("with another body is 422, and each caller has keys of its own", async () => {
    await creations.claim("me", identity(), pair());
    await expect(creations.claim("me", identity("k1", { phone: "1" }), pair())).rejects.toMatchObject({
      status: 422,
      message: "idempotency key was used for another request",
    });
    const other = pair();
    expect(await creations.claim("you", identity("k1", { phone: "1" }), other)).toMatchObject({ pair: other, replayed: false });
    expect(counted).toEqual(["conflict"]);
  });

  it("is kept sealed, for a day", async () => {
    const planned = pair();
    await creations.claim("me", identity(), planned);
    await creations.finish("me", identity());
    const key = keys.creation("me", identity().id);
    expect(JSON.stringify(await redis.client.hgetall(key))).not.toMatch(new RegExp(`${planned.id}|${planned.sessionId}`));
    const ttl = await redis.client.pttl(key);
    expect(ttl).toBeGreaterThan(23.9 * 3_600_000);
    expect(ttl).toBeLessThanOrEqual(24 * 3_600_000);
  });

  it("past 10,000 keys of one caller is 429 until the oldest is forgotten", async () => {
    const now = Date.now();
    const members = Array.from({ length: 10_000 }, (_, n) => [now - 23 * 3_600_000 + n, `m${n}`]).flat();
    await redis.client.zadd(keys.creationKeys("me"), ...members);
    const refusal: unknown = await creations.claim("me", identity(), pair()).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, message: "too many idempotency keys" });
    expect((refusal as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(3_500);
    expect((refusal as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(3_600);
    expect(await redis.client.exists(keys.creation("me", identity().id))).toBe(0);
    await redis.client.zadd(keys.creationKeys("me"), now - 25 * 3_600_000, "m0");
    expect(await creations.claim("me", identity(), pair())).toMatchObject({ replayed: false });
    expect(counted).toEqual(["full"]);
  });
});
