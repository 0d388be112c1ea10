import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalBus } from "../../shared/bus/local-bus.js";
import type { Platform } from "../../shared/contract/platform.js";
import { silentLog } from "../../shared/log/logger.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import { Lifecycle } from "../../shared/process/lifecycle.js";
import { raiseSchema } from "../../shared/cluster/schema/schema-record.js";
import { tickMs, type DeletionClock } from "../../shard/session/deadlines.js";
import type { ShardOverrides } from "../../shard/shard.js";
import type { Reachable } from "./api.js";
import { claimPorts } from "./claimed-ports.js";
import { adminKey, clusterEnvironment } from "./cluster-environment.js";
import { startRedis, type TestRedis } from "./redis.js";
import { slotsSettled } from "./slots-settled.js";

export interface TestCluster extends Reachable {
  readonly redis: TestRedis;
  /** Key ring that seals the cluster's records. */
  readonly ring: KeyRing;
  /** Ports of the routers, then of the shards. */
  readonly adminPorts: readonly number[];
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly routers?: number;
  readonly shards?: number;
  /** A router shares a process with the shard of its number, if there is one, as with `npm start`. */
  readonly allInOne?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Additional variables for only the routers or only the shards. */
  readonly envOf?: Readonly<Record<"router" | "shard", Readonly<Record<string, string>>>>;
  /** Overrides for the shards. */
  readonly overrides?: Partial<ShardOverrides>;
  /** Redis writes an append-only file. */
  readonly redisFile?: boolean;
  /** Schema version that Redis holds at the start: that of an older version which the cluster replaces. */
  readonly schema?: number;
  /** Parent of Redis' folder; default: the system's temporary folder. */
  readonly redisWithin?: string;
}

const startsMost = 3;

/**
 * Starts shards and routers in this process, with a real Redis and sandbox: a test file gets its own cluster in a second, and can control
 * deletion timers and webhook delays. Uses the compiled build, because the render process needs it.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const { routers = 1, shards = 1, allInOne = false, env = {}, envOf, overrides = {}, redisFile = false, redisWithin, schema } = options;
  const { readShardSettings, buildShard, readRouterSettings, buildRouter, startSandbox, LocalBus } = await compiled();
  const dataDir = await mkdtemp(join(tmpdir(), "tl-cluster-"));
  const redis = await startRedis({ withFile: redisFile, ...(redisWithin === undefined ? {} : { within: redisWithin }) });
  if (schema !== undefined) await raiseSchema(redis.client, schema);
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const sandbox = await startSandbox({
    dataDir,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    log: quiet,
  });
  const ports = await claimPorts();
  const httpPorts = Array.from({ length: routers }, (_, i) => ports.first + i);
  const adminPorts = Array.from({ length: routers + shards }, (_, i) => ports.first + routers + i);
  const bases = (platform: Platform): string[] => httpPorts.map((port) => `http://127.0.0.1:${port}/${platform}`);
  const environment = { ...clusterEnvironment({ redisUrl: redis.url, firstPort: ports.first, sandbox }), LOG_LEVEL: "silent", ...env };
  const lifecycles: Lifecycle[] = [];
  const start = async (build: (lifecycle: Lifecycle) => Promise<unknown>): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const lifecycle = new Lifecycle(silentLog);
      try {
        await build(lifecycle);
        await lifecycle.start();
        lifecycles.push(lifecycle);
        return;
      } catch (error) {
        await lifecycle.stop();
        // A supervisor starts a process again, too, for example when Redis was late on a busy machine.
        if (tries === startsMost) throw error;
      }
    }
  };
  const buses = Array.from({ length: allInOne ? shards : 0 }, (_, i) => new LocalBus(`shard-${i + 1}`));
  const localOf = (i: number): { local?: LocalBus } => (buses[i] === undefined ? {} : { local: buses[i] });
  // Starts all shards at once, because shards that start together divide the slots first.
  await Promise.all(
    adminPorts.slice(routers).map(async (port, i) => {
      const own = { DATA_DIR: join(dataDir, `shard-${i + 1}`), ADMIN_PORT: String(port), MEMBER_NAME: `shard-${i + 1}` };
      const shard = readShardSettings({ ...environment, ...envOf?.shard, ...own });
      await start((lifecycle) => buildShard({ ...shard, lifecycle, log: silentLog, overrides, ...localOf(i) }));
    }),
  );
  for (const [i, port] of httpPorts.entries()) {
    const own = { PORT: String(port), ADMIN_PORT: String(adminPorts[i] ?? 0), MEMBER_NAME: `router-${i + 1}` };
    const router = readRouterSettings({ ...environment, ...envOf?.router, ...own });
    await start((lifecycle) => buildRouter({ ...router, lifecycle, log: silentLog, ...localOf(i) }));
  }
  await slotsSettled(adminPorts.slice(routers));
  return {
    telegram: bases("telegram"),
    whatsapp: bases("whatsapp"),
    sandbox: sandbox.controlUrl,
    adminKey,
    redis,
    ring: KeyRing.parse(environment.CRED_KEYS),
    adminPorts,
    stop: async () => {
      await Promise.all(lifecycles.map((life) => life.stop()));
      await sandbox.stop();
      await redis.stop();
      ports.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A cluster whose deletion timers see only the time that `pass` adds, tick by tick. */
export interface HeldCluster extends TestCluster {
  pass(ms: number): void;
}

export async function startHeldCluster(options: ClusterOptions = {}): Promise<HeldCluster> {
  const clock = { ms: 0, ticks: [] as (() => void)[] };
  const deletionClock: DeletionClock = {
    now: () => clock.ms,
    every: (_, tick) => {
      clock.ticks.push(tick);
      return () => undefined;
    },
  };
  const cluster = await startCluster({ ...options, overrides: { ...options.overrides, deletionClock } });
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += tickMs) {
      clock.ms += tickMs;
      for (const tick of clock.ticks) tick();
    }
  };
  return { ...cluster, pass };
}

/** Types come from the sources; the modules come from the build of the same sources. */
async function compiled(): Promise<typeof import("./in-process.js")> {
  const built = new URL("../../dist/test/harness/in-process.js", import.meta.url);
  if (!existsSync(fileURLToPath(built))) throw new Error("no build: run npm test, or npm run build");
  // The HTTP engine reads this when it loads; supervisors set it for routers.
  process.env["UWS_HTTP_MAX_HEADERS_SIZE"] = "16384";
  return (await import(built.href)) as typeof import("./in-process.js");
}
