import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DataLock } from "../../../../deploy/supervisor/data-lock.js";
import { waitForFreePorts } from "../../../../deploy/supervisor/free-ports.js";
import { silentLog } from "../../../../shared/log/logger.js";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "lock-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("keeps a second supervisor out of a data folder until the first has let go", async () => {
  const [first, second] = [new DataLock(folder), new DataLock(folder)];
  await first.start();
  await expect(second.start()).rejects.toThrow(`another supervisor is running with DATA_DIR ${folder}`);
  first.stop();
  await expect.poll(() => existsSync(join(folder, "supervisor.sock"))).toBe(false);
  await second.start();
  second.stop();
});

it("waits for a port that is about to be let go of", async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => server.listen(0, () => resolve(Number(Object(server.address()).port))));
  setTimeout(() => server.close(), 300);
  const since = performance.now();
  await waitForFreePorts([{ port, owner: "router-1" }], silentLog, new AbortController().signal);
  expect(performance.now() - since).toBeGreaterThan(200);
});
