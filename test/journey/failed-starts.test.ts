import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataLock } from "../../deploy/supervisor/data-lock.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { startRedisNode } from "../harness/redis-node.js";

/** A failed start prints one sentence with the command that fixes it, and leaves no process running. */
const supervisor = resolve(import.meta.dirname, "../../dist/deploy/supervisor/main.js");
let folder: string;
let ports: ClaimedPorts;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tl-start-"));
  ports = await claimPorts();
});
afterEach(async () => {
  ports.release();
  await rm(folder, { recursive: true });
});

async function complaintOf(env: NodeJS.ProcessEnv): Promise<string> {
  const { first } = ports;
  const own = {
    PORT: String(first),
    ADMIN_PORT: String(first + 1),
    SANDBOX_PORT: String(first + 8),
    DATA_DIR: folder,
    LOG_LEVEL: "silent",
  };
  const child = spawn(process.execPath, [supervisor], {
    env: { PATH: process.env["PATH"], ...own, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  expect({ printed, code: child.exitCode }).toEqual({ printed: "", code: 1 });
  return complaint;
}

describe("a start", () => {
  it("without a reachable Redis shows how to check it, and not the address, which may contain a password", async () => {
    expect(await complaintOf({ REDIS_URL: `redis://:secret@127.0.0.1:${ports.first + 7}` })).toBe(
      'trunkline: no Redis answers at REDIS_URL: look with: redis-cli -u "$REDIS_URL" ping, or start without REDIS_URL, on a private Redis\n',
    );
  });

  it.each([
    ["redis", "replicaof 127.0.0.1 1", "REDIS_URL names a replica, which takes no writes: name its master"],
    ["redis+cluster", "cluster-enabled yes", "REDIS_URL names a cluster whose hash slots are not all served: 16384 of 16384"],
  ])("on a Redis that answers %s:// and cannot serve says what it is: %s", async (scheme, config, sentence) => {
    const port = ports.first + 7;
    const node = await startRedisNode({ port, config: [config, `cluster-port ${ports.first + 15}`] });
    try {
      expect(await complaintOf({ REDIS_URL: `${scheme}://127.0.0.1:${port}` })).toContain(`trunkline: ${sentence}`);
    } finally {
      await node.stop();
    }
  });

  it("on data of a running supervisor says which one that is, and how to change over", async () => {
    const lock = new DataLock(folder);
    await lock.start();
    // The set-up did not build this test's lock, so it counts as older.
    expect(await complaintOf({})).toMatch(
      new RegExp(
        `^trunkline: another supervisor is running with DATA_DIR ${folder}, of an older build \\(version [\\d.]+, process ${process.pid}, since [^)]+\\): ` +
          `to change over to this one, end it with: kill ${process.pid}, and start again; sessions come back by themselves \\(deploy/docs/upgrade\\.md\\)\\n$`,
      ),
    );
    lock.stop();
  });

  it("on a port that is taken names who has it, and another port", async () => {
    const server = createServer().listen(ports.first);
    await once(server, "listening");
    expect(await complaintOf({})).toContain(
      `stop that process, or use another port: kill ${process.pid}, or PORT=${ports.first + 100} npm start\n`,
    );
    server.close();
  });
});
