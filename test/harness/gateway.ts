import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Platform } from "../../shared/contract/platform.js";
import { claimPorts, mostPorts, type ClaimedPorts } from "./claimed-ports.js";
import { eventually } from "./eventually.js";
import { slotsSettled } from "./slots-settled.js";

/** The whole system as a newcomer starts it: supervisor, private Redis, sandbox, routers and shards, real processes on ports of their own. */
export interface Gateway {
  /** Base address of each variant at each router. */
  readonly telegram: readonly string[];
  readonly whatsapp: readonly string[];
  readonly sandbox: string;
  /** Of the routers, then of the shards; the supervisor's is the one after. */
  readonly adminPorts: readonly number[];
  /** Those of the shards. */
  readonly shardPorts: readonly number[];
  readonly adminKey: string;
  readonly dataDir: string;
  /** Of the coordination Redis. */
  readonly redisUrl: string;
  /** Monotonic milliseconds of the moment at which the supervisor said that everything is ready. */
  readonly readyAt: number;
  /** Process id of a shard's current life. */
  shardPid(name: string): Promise<number>;
  /** See `slotsSettled`. */
  settled(): Promise<void>;
  /** What its processes have written to standard output: their logs, a line each. */
  printed(): string;
  /** As Ctrl-C does. Resolves with the supervisor's exit code; the data folder stays. */
  interrupt(): Promise<number>;
  /** As when a host loses its power: everything of it ends at once, and nobody is left on it to say so. The data folder stays. */
  vanish(): Promise<void>;
  /** Interrupts and removes the data folder. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  routers?: number;
  shards?: number;
  /** Of an earlier life, to start on its data. */
  from?: Gateway;
  /** Of the host whose cluster this one joins: both have its `REDIS_URL` and a `HOST_ID` in `env`. */
  joins?: Gateway;
  env?: Record<string, string>;
  /** How long the supervisor may take to be ready. */
  readyMs?: number;
}

const defaultReadyMs = 90_000;
/** Seen from the sources (tests) and from the build (benchmarks). */
const supervisor = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../dist/deploy/supervisor/main.js" : "../../deploy/supervisor/main.js", import.meta.url),
);

/** Resolves when the supervisor says that everything is ready. The build must be there: `npm test` makes it. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  if (!existsSync(supervisor)) throw new Error("no build: run npm test, or npm run build");
  const { routers = 1, shards = 2, from, joins, readyMs = defaultReadyMs } = options;
  const dataDir = from?.dataDir ?? (await mkdtemp(join(tmpdir(), "tl-gateway-")));
  const ports = from === undefined ? await freePorts(dataDir, routers, shards) : portsOf(from);
  if (joins !== undefined && from === undefined) await copyFile(join(joins.dataDir, "secrets.json"), join(dataDir, "secrets.json"));
  const child = fork(supervisor, joins === undefined ? [] : ["--join"], {
    execArgv: ["--enable-source-maps"],
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      SANDBOX_CACHE: process.env["SANDBOX_CACHE"],
      TEST_TIME_PERCENT: process.env["TEST_TIME_PERCENT"],
      LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
      DATA_DIR: dataDir,
      ROUTERS: String(routers),
      SHARDS: String(shards),
      PORT: String(ports.http),
      ADMIN_PORT: String(ports.admin),
      SANDBOX_PORT: String(ports.sandbox),
      // Tests send many wrong credentials on purpose, all from one address.
      FAILED_AUTH_PER_MINUTE: "1000000",
      ...options.env,
    },
    // By its channel it knows when we are gone, however we went.
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  const printed = (): string => text;
  const adminPorts = Array.from({ length: routers + shards }, (_, i) => ports.admin + i);
  const interrupt = async (): Promise<number> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? -1;
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? -1;
  };
  const shardPorts = adminPorts.slice(routers);
  const settled = (): Promise<void> => slotsSettled([...(joins?.shardPorts ?? []), ...shardPorts]);
  let adminKey: string;
  let readyAt: number;
  try {
    adminKey = await ready(child, printed, readyMs);
    readyAt = performance.now();
    await eventually("every process ready", async () =>
      (await Promise.all(adminPorts.map((port) => fetch(`http://127.0.0.1:${port}/readyz`)))).every(({ ok }) => ok),
    );
    await settled();
  } catch (error) {
    // Nobody has got it yet, so nobody else would stop it.
    await interrupt();
    if (from === undefined) await forget(dataDir);
    throw error;
  }
  const bases = (platform: Platform): string[] =>
    Array.from({ length: routers }, (_, i) => `http://127.0.0.1:${ports.http + i}/${platform}`);
  return {
    telegram: bases("telegram"),
    whatsapp: bases("whatsapp"),
    sandbox: joins?.sandbox ?? `http://${options.env?.["SANDBOX_HOST"] ?? "127.0.0.1"}:${ports.sandbox}`,
    adminPorts,
    shardPorts,
    adminKey,
    dataDir,
    redisUrl: options.env?.["REDIS_URL"] ?? join(dataDir, "redis", "redis.sock"),
    readyAt,
    shardPid: (name) =>
      eventually(`process of ${name}`, async () => {
        const members = JSON.parse(await readFile(join(dataDir, "members.json"), "utf8")) as { member: string; pid: number }[];
        return members.find(({ member }) => member === name)?.pid;
      }),
    settled,
    printed,
    interrupt,
    vanish: async () => {
      const exited = once(child, "exit");
      // It would bury the children that it sees end.
      child.kill("SIGSTOP");
      for (const pid of await childrenOf(child.pid ?? 0)) process.kill(-pid, "SIGKILL");
      child.kill("SIGKILL");
      await exited;
    },
    stop: async () => {
      await interrupt();
      await forget(dataDir);
    },
  };
}

/** Each leads a process group of its own. */
async function childrenOf(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8");
  return children.split(" ").flatMap((pid) => (pid === "" ? [] : [Number(pid)]));
}

/** The supervisor prints its welcome, with the admin key, when all are ready. */
async function ready(child: ChildProcess, printed: () => string, readyMs: number): Promise<string> {
  const endsAt = performance.now() + readyMs;
  for (;;) {
    const key = /^Trunkline is ready[\s\S]*admin key\s+(\S+)/m.exec(printed())?.[1];
    if (key !== undefined) return key;
    if (child.exitCode !== null || performance.now() > endsAt)
      throw new Error(`the gateway did not become ready (exit code ${child.exitCode}):\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Ports {
  http: number;
  admin: number;
  sandbox: number;
}

function portsOf(gateway: Gateway): Ports {
  const port = (url: string): number => Number(new URL(url).port);
  return { http: port(gateway.telegram[0] ?? ""), admin: gateway.adminPorts[0] ?? 0, sandbox: port(gateway.sandbox) };
}

/** What each gateway of this process has, by its data folder: a second life on the same data has the same ports, and the claim ends with the data. */
const claims = new Map<string, ClaimedPorts>();

/** Three runs of neighbours in one claim: routers, admin ports, and 24 for the sandbox. */
async function freePorts(dataDir: string, routers: number, shards: number): Promise<Ports> {
  const claim = await claimPorts();
  claims.set(dataDir, claim);
  const ports = { http: claim.first, admin: claim.first + routers, sandbox: claim.first + mostPorts - 24 };
  if (ports.admin + routers + shards + 1 > ports.sandbox) throw new Error("more processes than ports of one claim");
  return ports;
}

function forget(dataDir: string): Promise<void> {
  claims.get(dataDir)?.release();
  claims.delete(dataDir);
  return rm(dataDir, { recursive: true, force: true });
}
