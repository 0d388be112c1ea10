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

/** The whole system as `npm start` runs it: supervisor, private Redis, sandbox, routers and shards as real processes on their own ports. */
export interface Gateway {
  /** Base address of each variant at each router. */
  readonly telegram: readonly string[];
  readonly whatsapp: readonly string[];
  readonly sandbox: string;
  /** Ports of the routers, then of the shards; the supervisor has the next port. */
  readonly adminPorts: readonly number[];
  /** Admin ports of the shards. */
  readonly shardPorts: readonly number[];
  readonly adminKey: string;
  readonly dataDir: string;
  /** Address of the coordination Redis. */
  readonly redisUrl: string;
  /** Monotonic milliseconds at which the supervisor reported that everything is ready. */
  readonly readyAt: number;
  /** Returns the process id of a shard's current process. */
  shardPid(name: string): Promise<number>;
  /** See `slotsSettled`. */
  settled(): Promise<void>;
  /** Returns the standard output of its processes: their logs, a line each. */
  printed(): string;
  /** Stops like Ctrl-C. Resolves with the supervisor's exit code and keeps the data folder. */
  interrupt(): Promise<number>;
  /** Kills all processes at once, like a power failure of the host, so that no process reports the end. Keeps the data folder. */
  vanish(): Promise<void>;
  /** Interrupts and removes the data folder. */
  stop(): Promise<void>;
}

export interface GatewayOptions {
  routers?: number;
  shards?: number;
  /** One router and one shard in one process, as `npm start` runs them by default. */
  allInOne?: boolean;
  /** A stopped gateway whose data this one uses. */
  from?: Gateway;
  /** Gateway of the host whose cluster this one joins: both need `REDIS_URL` and `HOST_ID` in `env`. */
  joins?: Gateway;
  env?: Record<string, string>;
  /** Time limit in ms for the start. */
  readyMs?: number;
}

const defaultReadyMs = 90_000;
/** Relative to the sources (tests) or to the build (benchmarks). */
const supervisor = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../../dist/deploy/supervisor/main.js" : "../../deploy/supervisor/main.js", import.meta.url),
);

/** Resolves when the supervisor reports that everything is ready. Needs a build, which `npm test` makes. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  if (!existsSync(supervisor)) throw new Error("no build: run npm test, or npm run build");
  const { allInOne = false, from, joins, readyMs = defaultReadyMs } = options;
  const { routers = 1, shards = allInOne ? 1 : 2 } = options;
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
      ...(allInOne ? {} : { ROUTERS: String(routers), SHARDS: String(shards) }),
      PORT: String(ports.http),
      ADMIN_PORT: String(ports.admin),
      SANDBOX_PORT: String(ports.sandbox),
      // Tests send many wrong credentials on purpose, all from one address.
      FAILED_AUTH_PER_MINUTE: "1000000",
      ...options.env,
    },
    // The closed channel shows the supervisor that this process has ended.
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
    // The caller has not received the gateway yet, so it is stopped here.
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
      // A running supervisor would bury its dead children.
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

/** Returns the child processes, each of which leads its own process group. */
async function childrenOf(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8");
  return children.split(" ").flatMap((pid) => (pid === "" ? [] : [Number(pid)]));
}

/** Resolves with the admin key in the welcome text, which the supervisor prints when everything is ready. */
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

/** Claimed ports by data folder: a second gateway on the same data uses the same ports, and removing the data releases them. */
const claims = new Map<string, ClaimedPorts>();

/** Divides one claim into three ranges: routers, admin ports, and 24 ports for the sandbox. */
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
