import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readOwners } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { platforms } from "../../shared/contract/platform.js";
import { slotCount } from "../../shared/limits.js";
import { createSession, request, type Caller, type Reachable } from "../harness/api.js";
import { readServices } from "../harness/compose-file.js";
import { eventually } from "../harness/eventually.js";
import { metricOf } from "../harness/metrics.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";

/**
 * Freezes shards without losing a login. A frozen shard's sockets stay open, so a login from another address would be lost
 * (AUTH_KEY_DUPLICATED).
 */
const root = resolve(import.meta.dirname, "../..");
const net = `127.78.${1 + Math.floor(Math.random() * 250)}`;
const [frozen, other] = ["shard-1", "shard-2"];
const addresses: Record<string, string> = { "router-1": `${net}.1`, [frozen]: `${net}.2`, [other]: `${net}.3` };
const processes = new Map<string, ChildProcess>();
let redis: TestRedis;
let sandbox: Sandbox;
let folder: string;
let callers: Caller[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tl-frozen-"));
  redis = await startRedis();
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  sandbox = await startSandbox({
    dataDir: folder,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    log: quiet,
  });
  const key = (byte: string): string => `a:${Buffer.alloc(32, byte).toString("base64")}`;
  const variables = {
    CRED_KEYS: key("c"),
    MEDIA_KEYS: key("m"),
    API_KEYS: "admin:admin-key-of-the-test",
    REDIS_PASSWORD: "none",
    REDIS_ROUTER_PASSWORD: "none",
    REDIS_SHARD_PASSWORD: "none",
    REDIS_SUPERVISOR_PASSWORD: "none",
    REDIS_REWRITER_PASSWORD: "none",
    REDIS_METRICS_PASSWORD: "none",
    GRAFANA_PASSWORD: "none",
    TELEGRAM_API_ID: "12345",
    TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef",
  };
  const services = readServices(join(root, "deploy/manifests/compose.yaml"), variables);
  for (const [name, address] of Object.entries(addresses)) {
    const { command = [], environment } = services[name] ?? {};
    const sandboxed = {
      TELEGRAM_DC_MAP: sandbox.telegram.dcMap,
      TELEGRAM_SERVER_KEYS: sandbox.telegram.publicKeyPath,
      WHATSAPP_URL: sandbox.whatsapp.url,
      WHATSAPP_ROOT_KEY: sandbox.whatsapp.rootKeyPath,
      WHATSAPP_MEDIA_CA: sandbox.whatsapp.mediaCaPath,
    };
    const own = {
      HOST_ID: name,
      HOST: address,
      PORT: "8080",
      ADMIN_HOST: address,
      ADMIN_PORT: "9090",
      EGRESS_ADDRESS: address,
      DATA_DIR: join(folder, name),
      LOG_LEVEL: process.env["LOG_LEVEL"] ?? "silent",
    };
    const env = {
      PATH: process.env["PATH"],
      ...environment,
      ...sandboxed,
      ...own,
      WEBHOOK_DENY: "",
      REDIS_URL: redis.url,
      REDIS_CACHE_URL: redis.url,
      SUPERVISOR_REDIS_URL: redis.url,
    };
    processes.set(name, spawn(process.execPath, command.slice(1), { cwd: root, env, stdio: "inherit" }));
  }
  await Promise.all(
    Object.values(addresses).map((address) => eventually("ready", async () => (await fetch(`http://${address}:9090/readyz`)).ok, 90_000)),
  );
  await bothHaveHalf();
  callers = await loginsOf(frozen);
});

afterAll(async () => {
  for (const pid of pidsOf(frozen)) process.kill(pid, "SIGCONT");
  await Promise.all(
    [...processes.values()].map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }),
  );
  await sandbox?.stop();
  await redis?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("a container that is frozen for 40 s, past its lease, keeps its logins on both platforms", async () => {
  const before = await eventually("its incarnation", () => incarnationOf(frozen));
  signal("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 40_000));
  signal("SIGCONT");
  await eventually("joined again", async () => (await incarnationOf(frozen)) !== before);
  await bothHaveHalf();
  await allConnected();
}, 300_000);

it("a container that stays frozen loses none either: others connect when the platform has dropped it", async () => {
  const frozenAt = performance.now();
  signal("SIGSTOP");
  await eventually("all slots with the other", async () => (await slotsOf(other)) === slotCount, 60_000);
  process.stdout.write(`slots with another shard ${((performance.now() - frozenAt) / 1_000).toFixed(1)} s after the freeze\n`);
  await allConnected();
  process.stdout.write(`all sessions connected elsewhere ${((performance.now() - frozenAt) / 1_000).toFixed(1)} s after the freeze\n`);
  signal("SIGCONT");
  await bothHaveHalf();
  await allConnected();
}, 300_000);

it("a shard that hangs alone is killed well inside its lease, and its sessions wait for nothing", async () => {
  const shard = await eventually("its process", () => pidsOf(frozen).find((pid) => commandOf(pid).includes("dist/shard/main.js")));
  const before = await incarnationOf(frozen);
  const hungAt = performance.now();
  process.kill(shard, "SIGSTOP");
  await eventually("killed by its supervisor", () => !pidsOf(frozen).includes(shard), 60_000);
  await eventually("its next life", async () => (await incarnationOf(frozen)) !== before, 60_000);
  await allConnected();
  process.stdout.write(`all sessions connected again ${((performance.now() - hungAt) / 1_000).toFixed(1)} s after the hang\n`);
  expect(await redis.client.hget(`member:{${frozen}}`, "fwhy")).toBe("reaped");
}, 300_000);

/** Requires that every session is connected again without a new code, and that no login was used from two places. */
async function allConnected(): Promise<void> {
  const held = await Promise.all(callers.map((caller) => caller.record()));
  expect(held.filter(({ qrcode }) => qrcode !== "")).toEqual([]);
  await eventually(
    "every session connected with a living owner",
    async () => {
      const records = await Promise.all(callers.map((caller) => caller.record()));
      const responses = await Promise.all(callers.map((caller) => caller.get("/group")));
      return records.every(({ isConnected }) => isConnected) && responses.every(({ status }) => status === 200);
    },
    120_000,
  );
  expect((await request(`${sandbox.controlUrl}/overlaps`)).body).toEqual({ docs: [] });
}

/** Logs in three sessions per platform in slots of the member. */
async function loginsOf(member: string): Promise<Caller[]> {
  const base = `http://${addresses["router-1"]}:8080`;
  const gateway: Reachable = {
    telegram: [`${base}/telegram`],
    whatsapp: [`${base}/whatsapp`],
    sandbox: sandbox.controlUrl,
    adminKey: "admin-key-of-the-test",
  };
  const wanted = platforms.flatMap((platform) => ["alice", "bob", "grace"].map((account) => ({ platform, account })));
  return await Promise.all(
    wanted.map(async ({ platform, account }) => {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const caller = await createSession(gateway, platform);
        const { id } = caller.credentials;
        const [owner] = await readOwners(redis.client, isSessionId(id) ? [slotOf(id)] : []);
        if (owner?.member !== member) {
          await caller.send("DELETE", "/session");
          continue;
        }
        const scanned = await caller.scan(account);
        if (scanned.status !== 200) throw new Error(`scan: ${JSON.stringify(scanned.body)}`);
        await eventually(`${account} connected`, async () => (await caller.record()).isConnected);
        return caller;
      }
      throw new Error(`no session of ${member}`);
    }),
  );
}

const incarnationOf = (member: string): Promise<string | null> => redis.client.hget(`member:{${member}}`, "inc");
const slotsOf = async (member: string): Promise<number> =>
  metricOf(await (await fetch(`http://${addresses[member]}:9090/metrics`)).text(), "gateway_shard_slots_owned_slots");

async function bothHaveHalf(): Promise<void> {
  await eventually(
    "both shards with their half",
    async () => (await slotsOf(frozen)) === slotCount / 2 && (await slotsOf(other)) === slotCount / 2,
    150_000,
  );
}

function signal(name: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pidsOf(frozen)) process.kill(pid, name);
}

/** Returns the container's first process and all of its descendants. */
function pidsOf(member: string): number[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const found = [processes.get(member)?.pid ?? 0];
  for (const parent of found) for (const [pid, above] of parents) if (above === parent) found.push(pid);
  return found;
}

function parentOf(pid: number): number {
  return Number(/^\d+ \(.*\) \S (\d+)/s.exec(proc(pid, "stat"))?.[1]);
}

function commandOf(pid: number): string {
  return proc(pid, "cmdline").replaceAll("\0", " ");
}

function proc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return ""; // The process has ended.
  }
}
