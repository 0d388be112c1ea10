import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSession, loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { trunkline, type Said } from "../harness/trunkline.js";

/** A gateway's secrets on its host are readable by its own user only. Also tests the loss of its keys. */
let gateway: Gateway;
let alice: Caller;
beforeAll(async () => {
  gateway = await startGateway({ shards: 1 });
  alice = await loggedIn(gateway, "alice");
});
afterAll(() => gateway.stop());

/** Returns the pids of this gateway's processes by program, as the kernel lists them. */
function processes(): Map<string, number> {
  const found = new Map<string, number>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const isOurs = environment.includes(`DATA_DIR=${gateway.dataDir}`) || command.some((argument) => argument.includes(gateway.dataDir));
      if (isOurs) found.set(/dist\/(.*)\/main\.js/.exec(command.join(" "))?.[1] ?? basename(readlinkSync(`/proc/${pid}/exe`)), Number(pid));
    } catch {
      // The process has ended, or another user owns it.
    }
  }
  return found;
}

it("keeps the files of its Redis to itself, and leaves no image of anybody's memory", () => {
  for (const folder of ["redis", "cache"]) {
    const files = readdirSync(join(gateway.dataDir, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(gateway.dataDir, folder, name),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect([file, (statSync(file).mode & 0o777).toString(8)]).toEqual([file, statSync(file).isDirectory() ? "700" : "600"]);
  }
  const running = processes();
  expect([...running.keys()].map((name) => (name.startsWith("redis") ? "redis" : name)).sort()).toEqual(
    expect.arrayContaining(["deploy/supervisor", "redis", "router", "shard", "test/sandbox"]),
  );
  for (const [name, pid] of running)
    expect([name, /^Max core file size +(\S+) +(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.slice(1)]).toEqual([
      name,
      ["0", "0"],
    ]);
});

it("gives its sample files, and not what the sandbox can be told beside them, to whoever names a URL", async () => {
  const bob = (
    (await request(`${gateway.sandbox}/accounts?platform=telegram`)).body as { docs: { account: string; userId: string }[] }
  ).docs.find(({ account }) => account === "bob");
  const send = (path: string) =>
    alice.send("POST", "/message", {
      user: String(bob?.userId),
      type: "document",
      document: { url: `${gateway.sandbox}${path}`, name: "a.json", size: 5, mimetype: "application/json" },
    });
  for (const path of ["/accounts", "/received?platform=telegram&account=alice", "/files/../accounts", "/files/..%2faccounts"]) {
    expect(await send(path)).toMatchObject({
      status: 500,
      body: { message: "error parser file from url blocked address: it is not public" },
    });
  }
  expect((await send("/files/document.pdf")).status).toBe(200);
});

it("refuses a webhook that would never be called when it is set, and keeps the one that stands", async () => {
  const put = (url: string) => alice.send("PUT", "/session/webhook", { url, token: "x" });
  expect((await put("http://127.0.0.1:9/hook")).status).toBe(200);
  const own = [...gateway.adminPorts, new URL(gateway.sandbox).port, new URL(gateway.telegram[0] ?? "").port].flatMap((port) => [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
  ]);
  for (const url of [
    "http://169.254.169.254/latest/meta-data/",
    "http://[fe80::1]/",
    "http://224.0.0.1/",
    "http://0.0.0.0/",
    "http://100.100.100.200/",
    ...own,
  ]) {
    expect([url, await put(url)]).toMatchObject([
      url,
      { status: 400, body: { statusCode: 400, message: "url must not point to an address that webhooks cannot use" } },
    ]);
  }
  expect((await alice.record()).webhook).toEqual({ url: "http://127.0.0.1:9/hook", token: "x" });
  expect((await alice.send("PUT", "/session/webhook", { url: "", token: "" })).status).toBe(200);
});

it("brings a deleted session back by the command", async () => {
  const env = { TRUNKLINE_URL: new URL(gateway.telegram[0] ?? "").origin, DATA_DIR: gateway.dataDir };
  const run = (id: string): Promise<Said> => trunkline(["session", "undelete", id], env);
  const { id } = (await createSession(gateway)).credentials;
  expect(await run(id)).toMatchObject({ code: 6, out: expect.stringContaining(`${id}: session is not deleted (409, request `) as string });
  const unknown = "6b01aa5342b4f53c9f4c7e33";
  expect(await run(unknown)).toMatchObject({
    code: 3,
    out: expect.stringContaining(`${unknown}: session not found (404, request `) as string,
  });
});

it("starts no process and makes no keys when the file with its keys is gone, says which, and goes on with the logins when it is back", async () => {
  expect(await gateway.interrupt()).toBe(0);
  const [file, backup] = ["secrets.json", "backup.json"].map((name) => join(gateway.dataDir, name)) as [string, string];
  renameSync(file, backup);
  const child = spawn(process.execPath, [resolve(import.meta.dirname, "../../dist/deploy/supervisor/main.js")], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: gateway.dataDir,
      SHARDS: "1",
      PORT: new URL(gateway.sandbox).port,
      ADMIN_PORT: String(gateway.adminPorts[0]),
      SANDBOX_PORT: String(Number(new URL(gateway.sandbox).port) + 1),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number | null];
  expect({ code, said }).toEqual({
    code: 1,
    said: `trunkline: ${file}, whose keys the logins in Redis are sealed with, is missing: restore it from a backup, or give its credKeys as CRED_KEYS; to start anew without those logins, remove DATA_DIR as a whole (or empty the Redis of REDIS_URL)\n`,
  });
  expect(existsSync(file)).toBe(false);
  renameSync(backup, file);
  gateway = await startGateway({ shards: 1, from: gateway });
  await eventually("alice connected without a scan", async () => (await alice.record()).isConnected);
});
