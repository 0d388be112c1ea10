import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedIn, request, type Reachable } from "../harness/api.js";
import { readEnvFile, readServices, type ComposeService } from "../harness/compose-file.js";
import { eventually } from "../harness/eventually.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";

/**
 * Starts each service of `deploy/manifests/compose.yaml` as a plain process with its command, environment and a loopback address.
 * `IMAGE_ROOT` and `IMAGE_NODE` choose the image's files instead.
 */
const checkout = resolve(import.meta.dirname, "../..");
const imageRoot = process.env["IMAGE_ROOT"] ?? checkout;
const node = process.env["IMAGE_NODE"] ?? process.execPath;
/** Variables that the image's Dockerfile sets. */
const imageSettings = { NODE_ENV: "production", PORT: "8080", ADMIN_PORT: "9090", PLATFORMS: "live", UWS_HTTP_MAX_HEADERS_SIZE: "16384" };

const processes = new Map<string, ChildProcess>();
const output = new Map<string, string>();
let folder: string;
let sandbox: Sandbox;
let services: Record<string, ComposeService>;
let addresses: Record<string, string>;

beforeAll(async () => {
  if (!existsSync(join(imageRoot, "dist/router/main.js"))) throw new Error("no build: run npm test, or npm run build");
  folder = await mkdtemp(join(tmpdir(), "tl-compose-"));
  const made = spawnSync(process.execPath, [join(checkout, "deploy/manifests/make-env.mjs"), join(folder, "env")], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  const net = 1 + Math.floor(Math.random() * 250);
  services = readServices(join(checkout, "deploy/manifests/compose.yaml"), {
    ...readEnvFile(join(folder, "env")),
    TELEGRAM_API_ID: "12345",
    TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef",
    PUBLIC_URL: `http://127.77.${net}.1:8080`,
    // The receiver is on loopback.
    WEBHOOK_ALLOW_PRIVATE: "1",
  });
  addresses = Object.fromEntries(
    ["router-1", "router-2", "shard-1", "shard-2", "redis-state", "redis-cache", "prometheus", "grafana"].map((name, i) => [
      name,
      `127.77.${net}.${i + 1}`,
    ]),
  );
  expect(Object.keys(services)).toEqual(Object.keys(addresses));
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  sandbox = await startSandbox({
    dataDir: folder,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    log: quiet,
  });
  for (const name of ["redis-state", "redis-cache"]) start(name);
  for (const name of ["redis-state", "redis-cache"])
    await eventually(`${name} ready`, () => output.get(name)?.includes("Ready to accept connections"));
  for (const name of ["shard-1", "shard-2", "router-1", "router-2"]) start(name);
  await Promise.all(
    ["shard-1", "shard-2", "router-1", "router-2"].map((name) =>
      eventually(`${name} ready:\n${output.get(name)}`, async () => (await fetch(`http://${addresses[name]}:9090/readyz`)).ok, 60_000),
    ),
  );
});

afterAll(async () => {
  const running = [...processes.values()].filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }),
  );
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Each Redis has the settings for its purpose. */
it.each([
  ["redis-state", { appendonly: "yes", appendfsync: "everysec", "maxmemory-policy": "noeviction", maxmemory: String(2 * 1024 ** 3) }],
  ["redis-cache", { appendonly: "no", "maxmemory-policy": "allkeys-lru", maxmemory: String(1024 ** 3) }],
])("%s keeps to its settings and wants the password", (name, settings) => {
  const call = (password: string, ...args: string[]): string =>
    spawnSync("redis-cli", ["-h", addresses[name] ?? "", ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], REDISCLI_AUTH: password },
    }).stdout.trim();
  expect(call("", "ping")).toContain("NOAUTH");
  const password = services[name]?.environment?.["REDISCLI_AUTH"] ?? "";
  expect(call(password, "ping")).toBe("PONG");
  for (const [setting, value] of Object.entries(settings))
    expect(call(password, "config", "get", setting).split("\n")).toEqual([setting, value]);
});

it.each(["router-1", "router-2", "shard-1", "shard-2"])("%s is healthy by the image's own check", (name) => {
  const check = (address: string | undefined): number | null =>
    spawnSync(node, ["deploy/healthcheck.mjs"], { cwd: imageRoot, env: { ADMIN_HOST: address, ADMIN_PORT: "9090" } }).status;
  expect(check(addresses[name])).toBe(0);
  expect(check("127.77.255.254")).toBe(1);
});

it.each(["telegram", "whatsapp"] as const)(
  "serves %s: an account logs in at one router and is used at the other, whichever shard has it",
  async (platform) => {
    const gateway = reachable();
    const alice = await loggedIn(gateway, "alice", platform);
    const groups = await alice.through(1).get("/group");
    expect(groups).toMatchObject({ status: 200 });
    expect((groups.body as { docs: unknown[] }).docs.length).toBeGreaterThan(0);
    expect((await request(`${gateway[platform][1]}/session`, { method: "POST" })).status).toBe(401);
  },
);

it("shows operators every process, the containers' own supervisors too", async () => {
  const { adminKey, telegram } = reachable();
  const url = `${new URL(telegram[0] ?? "").origin}/admin/members`;
  const names = ["router-1", "router-2", "shard-1", "shard-2"];
  const expected = [...names, ...names.map((name) => `${name}-supervisor`)].sort();
  await eventually("all of them", async () => {
    const { docs } = (await request(url, { headers: { "x-api-key": adminKey } })).body as {
      docs: { name: string; memoryBytes: number | null }[];
    };
    return (
      docs.every(({ memoryBytes }) => memoryBytes !== null) &&
      docs
        .map(({ name }) => name)
        .sort()
        .join() === expected.join()
    );
  });
});

/** Every process has its own Redis user (deploy/manifests/redis/users.mjs). */
it("is used on both platforms, and no process sends a command that its Redis user may not", async () => {
  const gateway = reachable();
  const [alice, judy] = [await loggedIn(gateway, "alice", "telegram"), await loggedIn(gateway, "judy", "whatsapp")];
  const receiver = await WebhookReceiver.start();
  try {
    expect(await alice.send("PUT", "/session/webhook", { url: receiver.url, token: "secret" })).toMatchObject({ status: 200 });
    const text = { type: "text", text: "hello", phone: "+1 555 010 0002" };
    for (const caller of [alice, judy]) {
      expect(await caller.send("POST", "/message", text)).toMatchObject({ status: 200 });
      expect(await caller.send("POST", "/status", { type: "text", text: "hello" })).toMatchObject({ status: 200 });
      expect(await caller.through(1).get("/channel")).toMatchObject({ status: 200 });
    }
    const other = await loggedIn(gateway, "kenji", "telegram");
    expect(await other.send("POST", "/message", { user: "alice_sandbox", type: "text", text: "hello" })).toMatchObject({ status: 200 });
    await eventually("a delivered event", () => receiver.requests.length > 0);
    const { docs: media } = (await request(`${gateway.sandbox}/media?platform=telegram`)).body as {
      docs: { chatId: string; size: number }[];
    };
    const smallest = media.reduce((least, one) => (one.size < least.size ? one : least));
    const messages = (await alice.get(`/channel/message?channelId=${smallest.chatId}&limit=100`)).body as {
      docs: { url: string; size: number }[];
    };
    const file = messages.docs.find(({ size }) => size === smallest.size);
    for (const router of gateway.telegram) {
      const response = await fetch(`${new URL(router).origin}${new URL(file?.url ?? "").pathname}`);
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, file?.size]);
    }
    const admin = { method: "POST", headers: { "x-api-key": gateway.adminKey } };
    const root = new URL(gateway.telegram[0] ?? "").origin;
    expect(await request(`${root}/admin/sessions/${alice.credentials.id}/undelete`, admin)).toMatchObject({ status: 409 });
    for (const caller of [alice, judy]) {
      expect(await caller.send("POST", "/session/reset")).toMatchObject({ status: 200 });
      expect(await caller.send("DELETE", "/session")).toMatchObject({ status: 200 });
    }
  } finally {
    await receiver.stop();
  }
  // Redis keeps its last 128 rejections. The client library sends a command that old versions lack, and the test above used a wrong
  // password.
  const expected = new Set(["client|setinfo", "AUTH"]);
  for (const name of ["redis-state", "redis-cache"]) {
    const log = redisCli(name, "acl", "log").split("\n");
    expect(log.filter((object, i) => log[i - 1] === "object" && !expected.has(object))).toEqual([]);
  }
});

it("ends in order on SIGTERM, as docker compose stop sends it: a shard hands its slots over first", async () => {
  const code = async (name: string): Promise<unknown> => {
    const child = processes.get(name);
    if (child === undefined) throw new Error(`no ${name}`);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    return ((await ended) as unknown[])[0];
  };
  expect(await code("shard-1")).toBe(0);
  const slots = async (): Promise<boolean> =>
    /gateway_shard_slots_owned_slots\{[^}]*\} 4096/.test(await (await fetch(`http://${addresses["shard-2"]}:9090/metrics`)).text());
  await eventually("all slots with the other shard", slots);
  expect(await code("router-1")).toBe(0);
  expect(await code("shard-2")).toBe(0);
  expect(await code("router-2")).toBe(0);
});

function reachable(): Reachable {
  const routers = ["router-1", "router-2"].map((name) => `http://${addresses[name]}:8080`);
  return {
    telegram: routers.map((router) => `${router}/telegram`),
    whatsapp: routers.map((router) => `${router}/whatsapp`),
    sandbox: sandbox.controlUrl,
    adminKey: (services["router-1"]?.environment?.["API_KEYS"] ?? "").replace("admin:", ""),
  };
}

/** Runs redis-cli as the operator. */
function redisCli(name: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], REDISCLI_AUTH: services[name]?.environment?.["REDISCLI_AUTH"] };
  return spawnSync("redis-cli", ["-h", addresses[name] ?? "", ...args], { encoding: "utf8", env }).stdout.trim();
}

/** Starts the container's command with its environment only. Its own address replaces the wildcard, and addresses replace names. */
function start(name: string): void {
  const service = services[name];
  const address = addresses[name] ?? "";
  const isRedis = name.startsWith("redis-");
  const sandboxed = {
    TELEGRAM_DC_MAP: sandbox.telegram.dcMap,
    TELEGRAM_SERVER_KEYS: sandbox.telegram.publicKeyPath,
    WHATSAPP_URL: sandbox.whatsapp.url,
    WHATSAPP_ROOT_KEY: sandbox.whatsapp.rootKeyPath,
    WHATSAPP_MEDIA_CA: sandbox.whatsapp.mediaCaPath,
  };
  const env = {
    PATH: process.env["PATH"],
    ...(isRedis ? {} : { ...imageSettings, HOST: address, ADMIN_HOST: address, DATA_DIR: join(folder, name) }),
    ...(name.startsWith("shard-") ? { ...sandboxed, EGRESS_ADDRESS: address } : {}),
    ...mapped(service?.environment ?? {}),
  };
  const [program = "", ...given] = service?.command ?? [];
  const args = given.map((arg) => (arg === "/etc/redis/users.acl" ? join(folder, "redis-users.acl") : arg));
  const further = isRedis ? ["--bind", address, "--dir", folder, "--appenddirname", name] : [];
  const child = spawn(program === "node" ? node : program, [...args, ...further], {
    cwd: imageRoot,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  processes.set(name, child);
  output.set(name, "");
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => output.set(name, `${output.get(name)}${text}`.slice(-20_000)));
}

function mapped(environment: Readonly<Record<string, string>>): Record<string, string> {
  const names = new RegExp(`\\b(${Object.keys(addresses).join("|")}):(?=\\d)`, "g");
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(names, (_, service: string) => `${addresses[service]}:`)]),
  );
}
