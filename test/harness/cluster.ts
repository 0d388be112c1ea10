import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { silentLog } from "../../shared/log/logger.js";
import { KeyRing } from "../../shared/crypto/key-ring.js";
import { Lifecycle } from "../../shared/process/lifecycle.js";
import { tickMs, type DeletionClock } from "../../shard/session/deadlines.js";
import type { WebhookTiming } from "../../shard/webhook/timing.js";
import { startSandbox } from "../sandbox/sandbox.js";
import type { Reachable } from "./api.js";
import { claimPorts } from "./claimed-ports.js";
import { startRedis, type TestRedis } from "./redis.js";

const adminKey = "key-of-the-tests-own-cluster";

export interface TestCluster extends Reachable {
  readonly redis: TestRedis;
  /** With which its records are sealed. */
  readonly ring: KeyRing;
  readonly adminPorts: { readonly router: number; readonly shard: number };
  stop(): Promise<void>;
}

/**
 * One shard and one router from their own composition roots, in this process, so that a test can hold the clock of the deletion timers, shorten the waits of webhooks
 * and see what is left in memory; Redis and the sandbox are as real as ever. The compiled build runs, because its render process is a compiled file.
 */
export async function startCluster(
  deletionClock: DeletionClock,
  webhookTiming: Partial<WebhookTiming> = {},
  settings: Record<string, string> = {},
): Promise<TestCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), "tl-cluster-"));
  const redis = await startRedis();
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const sandbox = await startSandbox({
    dataDir,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    log: quiet,
  });
  const key = (): string => `a:${randomBytes(32).toString("base64")}`;
  const environment = {
    REDIS_URL: redis.url,
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    PORT: "0",
    CRED_KEYS: key(),
    MEDIA_KEYS: key(),
    API_KEYS: `admin:${adminKey}`,
    // Tests send many wrong credentials on purpose, all from one address.
    FAILED_AUTH_PER_MINUTE: "1000000",
    TELEGRAM_API_ID: "12345",
    TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef",
    TELEGRAM_DC_MAP: sandbox.telegram.dcMap,
    TELEGRAM_SERVER_KEYS: sandbox.telegram.publicKeyPath,
    WHATSAPP_URL: sandbox.whatsapp.url,
    WHATSAPP_ROOT_KEY: sandbox.whatsapp.rootKeyPath,
    WHATSAPP_MEDIA_CA: sandbox.whatsapp.mediaCaPath,
    DOWNLOAD_ALLOW: new URL(sandbox.controlUrl).host,
    ...settings,
  };
  const ports = await claimPorts();
  const adminPorts = { router: ports.first, shard: ports.first + 1 };
  const { readShardSettings, buildShard, readRouterSettings, buildRouter } = await compiled();
  const lifecycle = new Lifecycle(silentLog);
  const shard = readShardSettings({ ...environment, ADMIN_PORT: String(adminPorts.shard), MEMBER_NAME: "shard-1" });
  await buildShard(shard.settings, shard.secrets, lifecycle, silentLog, deletionClock, webhookTiming);
  const router = readRouterSettings({ ...environment, ADMIN_PORT: String(adminPorts.router), MEMBER_NAME: "router-1" });
  const app = await buildRouter(router.settings, router.secrets, lifecycle, silentLog);
  await lifecycle.start();
  return {
    telegram: [`http://127.0.0.1:${app.port}/telegram`],
    whatsapp: [`http://127.0.0.1:${app.port}/whatsapp`],
    sandbox: sandbox.controlUrl,
    adminKey,
    redis,
    ring: KeyRing.parse(environment.CRED_KEYS),
    adminPorts,
    stop: async () => {
      await lifecycle.stop();
      await sandbox.stop();
      await redis.stop();
      ports.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Its timers that delete sessions see no time but that which `pass` lets pass, tick by tick. */
export interface HeldCluster extends TestCluster {
  pass(ms: number): void;
}

export async function startHeldCluster(): Promise<HeldCluster> {
  const clock = { ms: 0, tick: (): void => undefined };
  const cluster = await startCluster({
    now: () => clock.ms,
    every: (_, tick) => {
      clock.tick = tick;
      return () => undefined;
    },
  });
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += tickMs) {
      clock.ms += tickMs;
      clock.tick();
    }
  };
  return { ...cluster, pass };
}

/** The compiler checks against the sources; the modules come from the build of the same sources. */
async function compiled() {
  const dist = new URL("../../dist/", import.meta.url);
  if (!existsSync(fileURLToPath(dist))) throw new Error("no build: run npm test, or npm run build");
  const load = (path: string): Promise<unknown> => import(new URL(path, dist).href);
  const [shardConfig, shard, routerConfig, router] = await Promise.all([
    load("shard/config.js"),
    load("shard/shard.js"),
    load("router/config.js"),
    load("router/router.js"),
  ]);
  return {
    ...(shardConfig as typeof import("../../shard/config.js")),
    ...(shard as typeof import("../../shard/shard.js")),
    ...(routerConfig as typeof import("../../router/config.js")),
    ...(router as typeof import("../../router/router.js")),
  };
}
