import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestRedis {
  /** Path of its unix socket. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A redis-server of its own on a unix socket in a temporary folder. */
export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const url = join(folder, "redis.sock");
  const child = spawn("redis-server", ["--port", "0", "--unixsocket", url, "--dir", folder, "--save", "", "--appendonly", "no"], { stdio: "ignore" });
  const exited = once(child, "exit");
  for (let attempt = 0; !(await answers(url)); attempt++) {
    if (attempt === 200 || child.exitCode !== null) throw new Error("redis-server did not start");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(path: string): Promise<boolean> {
  const socket = createConnection(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false; // Not up yet.
  } finally {
    socket.destroy();
  }
}
