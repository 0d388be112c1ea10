import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Platform } from "../../shared/contract/platform.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { adminKey, clusterEnvironment } from "../harness/cluster-environment.js";
import { eventually } from "../harness/eventually.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { slotsSettled } from "../harness/slots-settled.js";
import type { Watched } from "../redis/gateway-on.js";

export type Build = "former" | "present";
export type Role = "router" | "shard";

/** `npm run test:upgrade` makes the former one and tells where it is. */
const folders: Readonly<Record<Build, string>> = {
  former: resolve(process.env["FORMER_BUILD"] ?? ""),
  present: resolve(import.meta.dirname, "../.."),
};
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

interface Running {
  readonly child: ChildProcess;
  readonly printed: () => string;
}

/** Two routers and two shards on one Redis and the sandbox, each a process of the build that it was last started from. */
export class MixedGateway implements Watched {
  readonly adminKey = adminKey;
  readonly telegram: readonly string[];
  readonly whatsapp: readonly string[];
  readonly sandbox: string;
  private readonly running = new Map<string, Running>();
  /** Routers that a balancer would ask. */
  private readonly taking = new Set([0, 1]);
  private tries = 0;
  private starts = 0;

  private constructor(
    readonly redis: TestRedis,
    private readonly platforms: Sandbox,
    private readonly ports: ClaimedPorts,
    private readonly dataDir: string,
    private readonly environment: ReturnType<typeof clusterEnvironment>,
  ) {
    const bases = (platform: Platform): string[] => [0, 1].map((i) => `http://127.0.0.1:${ports.first + i}/${platform}`);
    this.telegram = bases("telegram");
    this.whatsapp = bases("whatsapp");
    this.sandbox = platforms.controlUrl;
  }

  static async start(build: Build): Promise<MixedGateway> {
    const dataDir = await mkdtemp(join(tmpdir(), "tl-mixed-"));
    const redis = await startRedis();
    const cacheFolder = process.env["SANDBOX_CACHE"];
    const sandbox = await startSandbox({ dataDir, cacheFolder, controlPort: 0, telegramPort: () => 0, log: quiet });
    const ports = await claimPorts();
    const environment = clusterEnvironment({ redisUrl: redis.url, firstPort: ports.first, sandbox });
    const gateway = new MixedGateway(redis, sandbox, ports, dataDir, environment);
    try {
      await Promise.all((["shard", "router"] as const).flatMap((role) => [0, 1].map((i) => gateway.open(role, i, build))));
      await gateway.settled();
    } catch (error) {
      await gateway.stop();
      throw error;
    }
    return gateway;
  }

  get adminPorts(): number[] {
    return (["router", "shard"] as const).flatMap((role) => [0, 1].map((i) => this.adminPort(role, i)));
  }

  get mediaKeys(): string {
    return this.environment.MEDIA_KEYS;
  }

  through(): number {
    const routers = [...this.taking];
    this.tries += 1;
    return routers[this.tries % routers.length] ?? 0;
  }

  /** As an operator does it: out of the balancer, told to end, started anew, and in again when it is ready and every shard has its share. */
  async replace(role: Role, index: number, build: Build): Promise<void> {
    if (role === "router") this.taking.delete(index);
    await this.end(role, index, "SIGTERM");
    await this.open(role, index, build);
    if (role === "router") this.taking.add(index);
    await this.settled();
  }

  async end(role: Role, index: number, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const name = nameOf(role, index);
    const child = this.running.get(name)?.child;
    this.running.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Resolves when it is ready. */
  async open(role: Role, index: number, build: Build): Promise<void> {
    this.launch(role, index, build);
    await eventually(`${nameOf(role, index)} of the ${build} build`, async () => {
      const { child, printed } = this.of(role, index);
      if (child.exitCode !== null) throw new Error(printed());
      return (await fetch(`http://127.0.0.1:${this.adminPort(role, index)}/readyz`)).ok;
    });
  }

  launch(role: Role, index: number, build: Build): void {
    const name = nameOf(role, index);
    this.starts += 1;
    const child = fork(join(folders[build], "dist", role, "main.js"), {
      execArgv: ["--enable-source-maps"],
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        ...this.environment,
        LOG_LEVEL: "info",
        DATA_DIR: join(this.dataDir, name),
        MEMBER_NAME: name,
        HOST_ID: "host",
        PORT: String(this.ports.first + index),
        ADMIN_PORT: String(this.adminPort(role, index)),
        UWS_HTTP_MAX_HEADERS_SIZE: "16384",
        ...(role === "shard" ? { EGRESS_ADDRESS: `127.201.0.${this.starts}` } : {}),
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (part: string) => (text += part));
    this.running.set(name, { child, printed: () => text });
  }

  printed(role: Role, index: number): string {
    return this.of(role, index).printed();
  }

  adminPort(role: Role, index: number): number {
    return this.ports.first + (role === "router" ? 2 : 4) + index;
  }

  settled(): Promise<void> {
    return slotsSettled([0, 1].map((i) => this.adminPort("shard", i)));
  }

  async stop(): Promise<void> {
    for (const role of ["router", "shard"] as const) await Promise.all([0, 1].map((i) => this.end(role, i, "SIGTERM")));
    await this.platforms.stop();
    await this.redis.stop();
    this.ports.release();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private of(role: Role, index: number): Running {
    const running = this.running.get(nameOf(role, index));
    if (running === undefined) throw new Error(`${nameOf(role, index)} does not run`);
    return running;
  }
}

function nameOf(role: Role, index: number): string {
  return `${role}-${index + 1}`;
}
