import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { waitForFreePorts } from "../../../../deploy/supervisor/free-ports.js";
import { silentLog } from "../../../../shared/log/logger.js";

let folder: string;
let holder: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ports-"));
});
afterEach(async () => {
  holder?.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

it("names the process that holds a port, and nothing of its arguments but files", async () => {
  const script = join(folder, "holder.cjs");
  await writeFile(
    script,
    `const server = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log(server.address().port));`,
  );
  holder = spawn(process.execPath, ["holder.cjs", "--requirepass", "not-for-the-terminal"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(holder.stdout ?? process.stdin, "data")) as [Buffer];
  const port = Number(line.toString());
  await expect(waitForFreePorts([{ port, owner: "router-1" }], silentLog, new AbortController().signal, 0)).rejects.toThrow(
    `port ${port} (router-1) is in use by process ${holder.pid} (node holder.cjs); stop that process, or use another port`,
  );
});

it("names an outgoing connection that has a port", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const connection = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(connection, "connect");
  const port = connection.localPort ?? 0;
  await expect(waitForFreePorts([{ port, owner: "router-1" }], silentLog, new AbortController().signal, 0)).rejects.toThrow(
    `port ${port} (router-1) is in use by an outgoing connection of process ${process.pid} (`,
  );
  connection.destroy();
  server.close();
});
