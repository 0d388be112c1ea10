import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import { loggedIn, type Reachable } from "../harness/api.js";
import { readEnvFile } from "../harness/compose-file.js";
import { ComposeEngine, docker } from "../harness/compose-engine.js";
import { eventually } from "../harness/eventually.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";

/**
 * Runs deploy/manifests/compose.yaml on a Docker engine with freshly built images. The sandbox replaces the live platforms and listens on
 * the host's address in the shards' network. `npm run test:containers` provides the base images.
 */
const checkout = resolve(import.meta.dirname, "../..");
const processes = ["router-1", "router-2", "shard-1", "shard-2"];
const redis = ["redis-state", "redis-cache"];
const octet = 20 + Math.floor(Math.random() * 200);
const gatewayAddress = `172.29.${octet}.1`;
const bind = `127.79.${octet}.1`;
const image = "trunkline-test:live";

let folder: string;
let engine: ComposeEngine;
let sandbox: Sandbox;
let reachable: Reachable;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tl-containers-"));
  chmodSync(folder, 0o755); // Containers read the sandbox's public keys as another user.
  const project = `trunkline-test-${octet}`;
  const network = `${project}-platforms`;
  await docker(["network", "create", "--subnet", `172.29.${octet}.0/24`, "--gateway", gatewayAddress, network]);
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  sandbox = await startSandbox({
    dataDir: folder,
    cacheFolder: process.env["SANDBOX_CACHE"],
    host: gatewayAddress,
    controlPort: 0,
    telegramPort: () => 0,
    log: quiet,
  });
  execFileSync(process.execPath, [join(checkout, "deploy/manifests/make-env.mjs"), join(folder, "env")]);
  const settings = readEnvFile(join(folder, "env"));
  writeFileSync(join(folder, "override.yaml"), stringify(override(network)));
  engine = new ComposeEngine(project, [join(checkout, "deploy/manifests/compose.yaml"), join(folder, "override.yaml")], {
    ...settings,
    TELEGRAM_API_ID: "12345",
    TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef",
    HTTP_BIND: bind,
  });
  await engine.build("router-1", process.env["CONTAINER_NODE_IMAGE"] ?? "node:24-trixie-slim");
  await engine.run(["up", "--detach", "--wait", "--no-build", ...redis, ...processes]);
  const routers = [`http://${bind}:8080`, `http://${bind}:8081`];
  reachable = {
    telegram: routers.map((router) => `${router}/telegram`),
    whatsapp: routers.map((router) => `${router}/whatsapp`),
    sandbox: sandbox.controlUrl,
    adminKey: (settings["API_KEYS"] ?? "").replace("admin:", ""),
  };
}, 3_600_000);

afterAll(async () => {
  await engine?.remove();
  await sandbox?.stop();
  await docker(["network", "rm", `trunkline-test-${octet}-platforms`]).catch(() => undefined); // The network may not exist.
  rmSync(folder, { recursive: true, force: true });
});

it("the image is smaller than 600 MB and holds no compiler", async () => {
  expect(Number(await docker(["image", "inspect", "--format", "{{.Size}}", image]))).toBeLessThan(600e6);
  const packages = (await engine.exec("router-1", ["ls", "node_modules"])).split("\n");
  expect(packages).toContain("sharp");
  expect(packages.filter((name) => ["typescript", "typia", "rxjs", "lodash", "esbuild", "vitest"].includes(name))).toEqual([]);
});

it.each(["telegram", "whatsapp"] as const)("%s: an account logs in, sends, and goes on after its shards restarted", async (platform) => {
  const account = platform === "telegram" ? "alice" : "judy";
  const caller = await loggedIn(reachable, account, platform);
  const text = { type: "text", text: "from a container", phone: "+1 555 010 0002" };
  expect(await caller.send("POST", "/message", text)).toMatchObject({ status: 200 });
  for (const shard of ["shard-1", "shard-2"]) await engine.run(["restart", shard]);
  await eventually("connected again", async () => (await caller.through(1).record()).isConnected);
  expect(await caller.through(1).send("POST", "/message", { ...text, text: "after the restart" })).toMatchObject({ status: 200 });
  const texts = (await receivedFrom(platform, account)).map((message) => message["text"]);
  expect(texts).toEqual(expect.arrayContaining([text.text, "after the restart"]));
  const { docs: overlaps } = (await (await fetch(`${sandbox.controlUrl}/overlaps`)).json()) as { docs: unknown[] };
  expect(overlaps).toEqual([]);
});

it("a video gets its preview from the image's own ffmpeg", async () => {
  const caller = await loggedIn(reachable, "kenji", "telegram");
  const video = { url: `${sandbox.controlUrl}/files/video.mp4`, mimetype: "video/mp4", duration: 3 };
  expect(await caller.send("POST", "/message", { type: "video", phone: "+1 555 010 0002", video })).toMatchObject({ status: 200 });
  expect((await receivedFrom("telegram", "kenji")).at(-1)).toMatchObject({
    kind: "video",
    file: { thumbnail: { mimetype: "image/jpeg" } },
  });
});

it("a shard hands its slots over and every container ends with 0 when it is stopped", async () => {
  for (const name of ["shard-1", "router-1", "shard-2", "router-2"]) {
    await engine.run(["stop", name]);
    expect([name, await engine.exitCode(name)]).toEqual([name, 0]);
  }
});

/** Returns the messages that recipients of an account see, oldest first. */
async function receivedFrom(platform: string, account: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${sandbox.controlUrl}/received?platform=${platform}&account=${account}`);
  return ((await answer.json()) as { docs: Record<string, unknown>[] }).docs;
}

/** Returns the differences from compose.yaml: images, the platforms' addresses, and a limit of open files that every engine grants. */
function override(network: string): unknown {
  const own = { image, ulimits: { nofile: 16_384 } };
  const shard = {
    ...own,
    environment: {
      TELEGRAM_DC_MAP: sandbox.telegram.dcMap,
      TELEGRAM_SERVER_KEYS: sandbox.telegram.publicKeyPath,
      WHATSAPP_URL: sandbox.whatsapp.url,
      WHATSAPP_ROOT_KEY: sandbox.whatsapp.rootKeyPath,
      WHATSAPP_MEDIA_CA: sandbox.whatsapp.mediaCaPath,
      DOWNLOAD_ALLOW: `${new URL(sandbox.controlUrl).host}/files/`,
    },
    volumes: [`${folder}:${folder}:ro`],
  };
  const state = { image: process.env["CONTAINER_REDIS_IMAGE"] ?? "redis:7.2-alpine" };
  const users = { volumes: [`${join(folder, "redis-users.acl")}:/etc/redis/users.acl:ro`] };
  return {
    services: {
      "router-1": own,
      "router-2": own,
      "shard-1": shard,
      "shard-2": shard,
      "redis-state": { ...state, ...users },
      "redis-cache": { ...state, ...users },
    },
    networks: { egress: { external: true, name: network } },
  };
}
