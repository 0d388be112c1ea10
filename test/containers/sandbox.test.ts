import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ComposeEngine } from "../harness/compose-engine.js";
import { eventually } from "../harness/eventually.js";

/** Builds and runs deploy/manifests/compose.sandbox.yaml on a Docker engine, and uses an account of each platform in its container. */
const checkout = resolve(import.meta.dirname, "../..");
const octet = 20 + Math.floor(Math.random() * 200);
const bind = `127.80.${octet}.1`;

let folder: string;
let engine: ComposeEngine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tl-containers-"));
  const file = join(folder, "override.yaml");
  writeFileSync(
    file,
    `services: { gateway: { image: "trunkline-test:sandbox", ports: !override ["${bind}:8080:8080"], ulimits: { nofile: 16384 } } }`,
  );
  engine = new ComposeEngine(`trunkline-test-sandbox-${octet}`, [join(checkout, "deploy/manifests/compose.sandbox.yaml"), file]);
  await engine.build("gateway", process.env["CONTAINER_NODE_IMAGE"] ?? "node:24-trixie-slim");
  await engine.run(["up", "--detach", "--no-build"]);
  await eventually("the walk-through is printed", async () => (await engine.run(["logs", "gateway"])).includes("x-api-key"), 300_000);
}, 3_600_000);

afterAll(async () => {
  await engine?.remove();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ["telegram", "alice"],
  ["whatsapp", "judy"],
])("%s: an account of the sandbox logs in and its message arrives", async (platform, account) => {
  const base = `http://${bind}:8080/${platform}`;
  const secrets = JSON.parse(await engine.exec("gateway", ["cat", "/data/secrets.json"])) as { adminKey: string };
  const created = await json(`${base}/session`, { method: "POST", headers: { "x-api-key": secrets.adminKey } });
  const headers = { id: String(created["id"]), "session-id": String(created["sessionId"]) };
  const session = (): Promise<Record<string, unknown>> => json(`${base}/session`, { headers });
  const qrcode = await eventually("a QR code", async () => String((await session())["qrcode"]));
  await sandbox("/phone/scan", { platform, account, qrcode });
  await eventually("connected", async () => (await session())["isConnected"] === true);
  const body = JSON.stringify({ type: "text", text: "from the sandbox's container", phone: "+1 555 010 0002" });
  const sent = await json(`${base}/message`, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
  expect(sent).toEqual({ messageId: expect.stringMatching(/./) as string });
  expect(await sandbox(`/received?platform=${platform}&account=${account}`)).toContain("from the sandbox's container");
});

it("ends with 0 when it is stopped, and has its sessions again when it starts", async () => {
  await engine.run(["stop", "gateway"]);
  expect(await engine.exitCode("gateway")).toBe(0);
  await engine.run(["start", "gateway"]);
  const secrets = JSON.parse(await engine.exec("gateway", ["cat", "/data/secrets.json"])) as { adminKey: string };
  await eventually("both sessions connected", async () => {
    const { docs } = await json(`http://${bind}:8080/admin/sessions`, { headers: { "x-api-key": secrets.adminKey } });
    return (docs as { state: string }[]).filter(({ state }) => state === "connected").length === 2;
  });
});

async function json(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Calls the sandbox from inside the container, because it listens only on the container's loopback address. */
function sandbox(path: string, body?: unknown): Promise<string> {
  const post = body === undefined ? [] : ["-H", "content-type: application/json", "-d", JSON.stringify(body)];
  return engine.exec("gateway", ["curl", "-sS", "--fail-with-body", ...post, `http://127.0.0.1:8090${path}`]);
}
