import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { redisProgram } from "../../deploy/supervisor/redis-program.js";
import { eventually } from "./eventually.js";

/** One server of a topology on its own port, with the test's client. */
export interface RedisNode {
  readonly port: number;
  readonly client: Redis;
  /** Kills the server, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again with the same port and data. */
  start(): Promise<void>;
  /** Suspends the server, like a cut network: it does not respond, and its connections stay open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export interface RedisNodeOptions {
  readonly port: number;
  /** Lines of its configuration, besides the port. */
  readonly config?: readonly string[];
  readonly isSentinel?: boolean;
  /** Credentials of the test's client. */
  readonly client?: { readonly password?: string; readonly tls?: { ca: string; cert: string; key: string } };
}

export async function startRedisNode({ port, config = [], isSentinel = false, client: access = {} }: RedisNodeOptions): Promise<RedisNode> {
  const folder = mkdtempSync(join(tmpdir(), "tl-node-"));
  const file = join(folder, "redis.conf");
  const plain = access.tls === undefined ? [`port ${port}`] : ["port 0", `tls-port ${port}`];
  writeFileSync(file, [...plain, "bind 127.0.0.1", `dir ${folder}`, "loglevel warning", "logfile redis.log", ...config, ""].join("\n"));
  let child: ChildProcess | undefined;
  const client = new Redis({
    host: "127.0.0.1",
    port,
    lazyConnect: true,
    retryStrategy: () => 100,
    maxRetriesPerRequest: 0,
    ...(access.password === undefined ? {} : { password: access.password }),
    ...(access.tls === undefined ? {} : { tls: access.tls }),
  });
  client.on("error", () => undefined);
  const start = async (): Promise<void> => {
    child = spawn(redisProgram(), [file, ...(isSentinel ? ["--sentinel"] : [])], { stdio: "ignore" });
    await eventually(`redis at ${port}`, async () => (await client.ping()) === "PONG");
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  const node: RedisNode = {
    port,
    client,
    kill,
    start,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    stop: async () => {
      client.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await node.stop();
    throw error;
  }
  return node;
}
