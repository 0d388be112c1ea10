import { fork } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAlive } from "../../../../deploy/supervisor/is-alive.js";

const dist = new URL("../../../../dist/", import.meta.url);

let folder: string;
let pid: number | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "orphan-"));
  pid = undefined;
});
afterEach(async () => {
  if (pid !== undefined && isAlive(pid)) process.kill(pid, "SIGKILL");
  await rm(folder, { recursive: true });
});

/** The programs of every forked process: `runProcess` for routers and shards, separate files for the others. */
const children = {
  "a router or shard": async () => {
    const script = join(folder, "child.mjs");
    await writeFile(
      script,
      `
      const { runProcess } = await import(${JSON.stringify(new URL("shared/process/run.js", dist).href)});
      const log = { info() {}, warn() {}, error() {} };
      await runProcess(log, (lifecycle) => lifecycle.add(["port", { start: () => { setInterval(() => undefined, 1_000); } }]));`,
    );
    return { script, args: [] };
  },
  "the supervisor, as tests start it": async () => ({ script: new URL("deploy/supervisor/main.js", dist).pathname, args: [] }),
  "the sandbox": async () => ({ script: new URL("test/sandbox/main.js", dist).pathname, args: [] }),
  "a render process": async () => ({ script: new URL("shard/files/image/render-process.js", dist).pathname, args: ["1"] }),
  "a process of the benchmark": async () => ({ script: new URL("bench/load/load-process.js", dist).pathname, args: [] }),
};

it.each(Object.entries(children))("%s whose parent was killed while it loaded ends too", async (_, prepare) => {
  const { script, args } = await prepare();
  const note = join(folder, "pid");
  const parent = join(folder, "parent.cjs");
  // The parent is killed before the child can run a line.
  await writeFile(
    parent,
    `
    const child = require("node:child_process").fork(${JSON.stringify(script)}, ${JSON.stringify(args)}, { detached: true, stdio: "ignore" });
    require("node:fs").writeFileSync(${JSON.stringify(note)}, String(child.pid));
    process.kill(process.pid, "SIGKILL");`,
  );
  const env = { PATH: process.env["PATH"], DATA_DIR: folder, SANDBOX_PORT: String(await freePort()) };
  const killed = fork(parent, { env, execArgv: [] });
  await new Promise((resolve) => killed.once("exit", resolve));
  const orphan = Number(await readFile(note, "utf8"));
  pid = orphan;
  await expect.poll(() => isAlive(orphan)).toBe(false);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return Math.min(port, 64_000);
}
