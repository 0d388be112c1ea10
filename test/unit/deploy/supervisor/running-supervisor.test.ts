import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataLock } from "../../../../deploy/supervisor/data-lock.js";
import { alreadyRunning, readRunning, type RunningSupervisor } from "../../../../deploy/supervisor/running-supervisor.js";

const running: RunningSupervisor = {
  pid: 4711,
  version: "0.2.0",
  build: "b1",
  built: "2026-11-21T10:00:00.000Z",
  started: "2026-11-21T11:00:00.000Z",
};
const who = "version 0.2.0, process 4711, since 2026-11-21T11:00:00.000Z";

describe("alreadyRunning", () => {
  const changeOver =
    "to change over to this one, end it with: kill 4711, and start again; sessions come back by themselves (deploy/docs/upgrade.md)";
  it.each([
    ["the same build", running, { build: "b1", built: running.built }, ` (${who}): use that one, or end it with: kill 4711`],
    ["an older build", running, { build: "b2", built: "2026-11-22T10:00:00.000Z" }, `, of an older build (${who}): ${changeOver}`],
    ["a newer build", running, { build: "b0", built: "2026-11-20T10:00:00.000Z" }, `, of a newer build (${who}): ${changeOver}`],
    [
      "one that says nothing",
      undefined,
      { build: "b2", built: "" },
      ", of an older version: to upgrade, end it with Ctrl-C where it was started, and start again (deploy/docs/upgrade.md)",
    ],
  ])("%s", (_, found, own, end) => {
    expect(alreadyRunning("/data", found, own)).toBe(`another supervisor is running with DATA_DIR /data${end}`);
  });
});

describe("askRunning", () => {
  let folder: string;
  let server: Server | undefined;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "running-"))));
  afterEach(() => {
    server?.close();
    server = undefined;
    rmSync(folder, { recursive: true });
  });

  it("reads from the lock which supervisor holds it", async () => {
    const lock = new DataLock(folder);
    await lock.start();
    expect(await readRunning(join(folder, "supervisor.sock"))).toMatchObject({ pid: process.pid, version: expect.any(String) as string });
    lock.stop();
  });

  it.each([
    ["closes at once, as older ones did", ""],
    ["says something else", "-ERR unknown"],
  ])("does not mind one that %s", async (_, text) => {
    const path = join(folder, "other.sock");
    server = createServer((socket) => socket.end(text)).listen(path);
    expect(await readRunning(path)).toBeUndefined();
  });

  it("does not wait for one that says nothing", async () => {
    const path = join(folder, "silent.sock");
    server = createServer((socket) => void socket.on("error", () => undefined)).listen(path);
    expect(await readRunning(path)).toBeUndefined();
  });
});
