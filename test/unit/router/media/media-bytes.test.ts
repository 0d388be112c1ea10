import { setMaxListeners } from "node:events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { MediaBytes, pieceOf } from "../../../../router/media/media-bytes.js";
import { byteLimits } from "../../../../router/tenant/rate-limits.js";
import { TenantRates } from "../../../../router/tenant/tenant-rates.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let rates: TenantRates | undefined;
let refused: number;
const blue = "blue" as TenantName;
const patient = new AbortController().signal;
setMaxListeners(0, patient);

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  refused = 0;
});
afterEach(() => rates?.stop());

function aRouter(quota: number | null | (() => number | null)): MediaBytes {
  rates = new TenantRates({
    redis: redis.client,
    key: keys.tenantMediaBytes,
    limitsOf: () => byteLimits({ mediaBytesPerSecond: typeof quota === "function" ? quota() : quota }),
    onRefused: () => undefined,
  });
  rates.start();
  return new MediaBytes(rates, () => refused++);
}

async function* bodyOf(...chunks: number[]): AsyncGenerator<Uint8Array> {
  for (const length of chunks) {
    await Promise.resolve();
    yield new Uint8Array(length);
  }
}

it.each([
  [1, 1],
  [1_024, 128],
  [800_000, 100_000],
  [1_000_000_000_000, 131_072],
])("of %i bytes a second a piece has %i", (rate, piece) => {
  expect(pieceOf(rate)).toBe(piece);
});

it("a tenant without a quota is not paced", async () => {
  const paced = await aRouter(null).begin(blue, 1_000_000, patient);
  expect(paced.isFree).toBe(true);
  const lengths: number[] = [];
  for await (const piece of paced.pace(bodyOf(400_000, 600_000))) lengths.push(piece.length);
  expect(lengths).toEqual([400_000, 600_000]);
  expect(await redis.client.exists(keys.tenantMediaBytes(blue))).toBe(0);
});

it("applies a quota that is set, changed or removed to bodies in progress", async () => {
  const quota: { mediaBytesPerSecond: number | null } = { mediaBytesPerSecond: null };
  const stream = (await aRouter(() => quota.mediaBytesPerSecond).begin(blue, 3_200_000, patient)).pace(bodyOf(1_600_000, 1_600_000));
  const next = async (): Promise<number> => (await stream.next()).value?.length ?? 0;
  expect(await next()).toBe(1_600_000);
  quota.mediaBytesPerSecond = 800_000;
  expect([await next(), await next()]).toEqual([100_000, 100_000]);
  quota.mediaBytesPerSecond = 400_000;
  expect(await next()).toBe(50_000);
  quota.mediaBytesPerSecond = null;
  expect([await next(), await next()]).toEqual([1_350_000, 0]);
});

it("a body comes whole, in pieces, and no faster than the quota", async () => {
  const bytes = aRouter(80_000);
  const startedAt = performance.now();
  const paced = await bytes.begin(blue, 160_000, patient);
  const lengths: number[] = [];
  for await (const piece of paced.pace(bodyOf(25_000, 70_000, 65_000))) lengths.push(piece.length);
  // The bucket held a second's worth.
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(160_000);
  expect(Math.max(...lengths)).toBe(10_000);
});

it("what a stream paid and did not hand out is given back when it ends", async () => {
  const bytes = aRouter(80_000);
  const paced = await bytes.begin(blue, 50_000, patient);
  const stream = paced.pace(bodyOf(4_000, 46_000));
  expect((await stream.next()).value).toHaveLength(4_000);
  await stream.return();
  await rates?.stop();
  expect(Number(await redis.client.hget(keys.tenantMediaBytes(blue), "tokens"))).toBeGreaterThanOrEqual(76_000);
});

it("a new stream is refused while those that wait have more than a second to wait", async () => {
  const bytes = aRouter(8_000);
  await rates?.pay(blue, 8_000, patient);
  const leaving = new AbortController();
  const streams = Array.from({ length: 8 }, () => bytes.begin(blue, 100_000, leaving.signal));
  await expect(bytes.begin(blue, 1, patient)).rejects.toMatchObject({ status: 429, message: "too many requests", retryAfterSeconds: 1 });
  expect(refused).toBe(1);
  leaving.abort(new Error("left"));
  await Promise.allSettled(streams);
  await expect(bytes.begin(blue, 1, patient)).resolves.toMatchObject({ isFree: false });
});
