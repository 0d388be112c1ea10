import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { adminKey, clusterEnvironment } from "../harness/cluster-environment.js";
import { eventually } from "../harness/eventually.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { dump, type Stored } from "../harness/redis-dump.js";

/**
 * Data of the last release has another format: no process of this version starts on it, and the data stays unchanged. `npm run
 * test:upgrade` builds that release and passes its folder.
 */
const former = resolve(process.env["LAST_RELEASE"] ?? "");
const present = resolve(import.meta.dirname, "../..");
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const refusal = /this Redis holds data of version 0\.2\.0 or before, which this version does not read and leaves as it is: [^\n]+\n$/;

let redis: TestRedis;
let sandbox: Sandbox;
let ports: ClaimedPorts;
let folder: string;
let environment: NodeJS.ProcessEnv;
let stored: Stored[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tl-former-"));
  redis = await startRedis();
  sandbox = await startSandbox({
    dataDir: folder,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    log: quiet,
  });
  ports = await claimPorts();
  environment = clusterEnvironment({ redisUrl: redis.url, firstPort: ports.first, sandbox });
  const running = (["shard", "router"] as const).map((role) => run(former, role));
  await eventually("a session of 0.2.0", async () => {
    for (const { child } of running) if (child.exitCode !== null) throw new Error("a process of 0.2.0 has ended");
    const created = await fetch(`http://127.0.0.1:${ports.first}/telegram/session`, {
      method: "POST",
      headers: { "x-api-key": adminKey },
    }).catch(() => undefined);
    return created?.status === 201;
  });
  for (const { child, ended } of running) {
    child.kill("SIGTERM");
    await ended;
  }
  // Keys that expire, such as a QR code, would be missing in the later comparison.
  for (const key of await redis.client.keys("*")) if ((await redis.client.pttl(key)) >= 0) await redis.client.del(key);
  stored = await dump(redis.client);
});
afterAll(async () => {
  await sandbox.stop();
  await redis.stop();
  ports.release();
  await rm(folder, { recursive: true, force: true });
});

function run(build: string, program: "shard" | "router" | "deploy/supervisor") {
  const child = spawn(process.execPath, [join(build, "dist", program, "main.js")], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      ...environment,
      LOG_LEVEL: "silent",
      DATA_DIR: join(folder, program),
      ...(program === "deploy/supervisor" ? {} : { MEMBER_NAME: `${program}-1` }),
      HOST_ID: "host",
      PORT: String(ports.first),
      ADMIN_PORT: String(ports.first + (program === "shard" ? 2 : 1)),
      UWS_HTTP_MAX_HEADERS_SIZE: "16384",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return { child, ended: Promise.all([text(child.stderr), once(child, "exit")]).then(([said]) => said) };
}

it.each([
  ["shard", 78],
  ["router", 78],
  ["deploy/supervisor", 1],
] as const)("a %s does not start on it, says so in one sentence, and touches nothing", async (program, code) => {
  const { child, ended } = run(present, program);
  expect(await ended).toMatch(refusal);
  expect(child.exitCode).toBe(code);
  expect(stored.some(({ key }) => key.startsWith("s:{"))).toBe(true);
  expect(await dump(redis.client)).toEqual(stored);
});
