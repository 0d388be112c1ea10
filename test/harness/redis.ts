import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisProgram } from "../../deploy/supervisor/redis-program.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { silentLog } from "../../shared/log/logger.js";
import { endsWithUs } from "./ends-with-us.js";
import { eventually } from "./eventually.js";

/** A real Redis of one test, on a unix socket in a folder that is deleted with it. */
export interface TestRedis {
  /** For `connectRedis` and `REDIS_URL`. */
  readonly url: string;
  readonly client: RedisClient;
  readonly pid: number;
  readonly folder: string;
  stop(): Promise<void>;
}

export interface TestRedisOptions {
  /** Writes an append-only file to the folder `appendonlydir`. */
  readonly withFile?: boolean;
  /** `within` is the parent of its folder, such as a small disk; `from` is the folder of another Redis whose data is copied. */
  readonly within?: string;
  readonly from?: string;
}

export async function startRedis({ withFile = false, within = tmpdir(), from }: TestRedisOptions = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(within, "tl-redis-"));
  if (from !== undefined) await cp(join(from, "appendonlydir"), join(folder, "appendonlydir"), { recursive: true });
  const url = join(folder, "r.sock");
  const server = spawn(
    redisProgram(),
    ["--port", "0", "--unixsocket", url, "--save", "", "--appendonly", withFile ? "yes" : "no", "--dir", folder],
    {
      stdio: "ignore",
    },
  );
  const { pid } = server;
  if (pid === undefined) throw new Error("redis-server did not start");
  const watchEnds = endsWithUs(pid);
  server.once("exit", watchEnds);
  const client = await connected(url, server);
  // On a busy machine this process reads a reply late, and few tests are about that.
  setCommandTimeout(client, 30_000);
  return {
    url,
    client,
    pid,
    folder,
    stop: async () => {
      client.disconnect();
      if (server.exitCode === null && server.signalCode === null) {
        server.kill("SIGKILL");
        await once(server, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sets how long the client waits for each reply from now on. */
export function setCommandTimeout(client: RedisClient, ms: number): void {
  (client as unknown as { options: { commandTimeout: number } }).options.commandTimeout = ms;
}

/** The socket appears a few milliseconds after the process, or seconds on a busy machine. */
async function connected(url: string, server: ChildProcess): Promise<RedisClient> {
  try {
    return await eventually("a Redis that answers", () => connectRedis(url, "writer", silentLog));
  } catch (error) {
    server.kill("SIGKILL");
    throw error;
  }
}
