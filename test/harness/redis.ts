import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { silentLog } from "../../shared/log/logger.js";

/** A real Redis of a test's own, on a unix socket in a folder that goes with it. */
export interface TestRedis {
  /** For `connectRedis` and `REDIS_URL`. */
  readonly url: string;
  readonly client: RedisClient;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "tl-redis-"));
  const url = join(folder, "r.sock");
  const server = spawn("redis-server", ["--port", "0", "--unixsocket", url, "--save", "", "--appendonly", "no", "--dir", folder], { stdio: "ignore" });
  const { pid } = server;
  if (pid === undefined) throw new Error("redis-server did not start");
  const client = await connected(url);
  return {
    url,
    client,
    pid,
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

/** The socket appears a few milliseconds after the process; two seconds are plenty. */
async function connected(url: string): Promise<RedisClient> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await connectRedis(url, "writer", silentLog);
    } catch (error) {
      if (attempt === 40) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
