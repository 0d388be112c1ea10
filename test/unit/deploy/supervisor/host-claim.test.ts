import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HostClaim } from "../../../../deploy/supervisor/host-claim.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { keys } from "../../../../shared/redis/keys.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let redis: TestRedis;
let folders: string[];
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  folders = ["one", "other"].map((name) => mkdtempSync(join(tmpdir(), `claim-${name}-`)));
});
afterEach(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const claimOf = (folder: number, host = "h1"): HostClaim =>
  new HostClaim({ redis: redis.client, host, dataDir: folders[folder] ?? "", log: silentLog });

describe("HostClaim", () => {
  it("lets one data folder at a time have a host's name", async () => {
    const first = claimOf(0);
    await first.start();
    await expect(claimOf(1).start()).rejects.toThrow(
      new Error(
        "HOST_ID h1 is the name of a host that told of itself within 20 s: give this one another HOST_ID, or start again when that one is gone",
      ),
    );
    const elsewhere = claimOf(1, "h2");
    await elsewhere.start();
    await first.stop();
    const next = claimOf(1);
    await next.start();
    await Promise.all([next.stop(), elsewhere.stop()]);
  });
  it("lets a supervisor that was killed come back at once on its own data", async () => {
    const killed = claimOf(0);
    await killed.start();
    const next = claimOf(0);
    await next.start();
    await Promise.all([killed.stop(), next.stop()]);
    expect(await redis.client.exists(keys.hostClaim("h1"))).toBe(0);
  });
  it("ends 20 s after its supervisor, and takes no other's name away", async () => {
    const first = claimOf(0);
    await first.start();
    expect(await redis.client.pttl(keys.hostClaim("h1"))).toBeGreaterThan(15_000);
    expect(await redis.client.pttl(keys.hostClaim("h1"))).toBeLessThanOrEqual(20_000);
    await redis.client.set(keys.hostClaim("h1"), "another");
    await first.stop();
    expect(await redis.client.get(keys.hostClaim("h1"))).toBe("another");
  });
});
