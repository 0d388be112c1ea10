import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "../../router/admin/page.js";
import type { SessionRow } from "../../router/admin/session-row.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { trunklineHere } from "../harness/trunkline.js";
import { startSandbox, type Sandbox } from "../sandbox/sandbox.js";

/** A live deployment loses its Telegram application, serves WhatsApp alone, and gets the application back. */
const app = { TELEGRAM_API_ID: "12345", TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef" };
const off = { statusCode: 409, message: "telegram is off: the gateway has no telegram application" };
/** As pino writes `info`. */
const infoLevel = 30;
let folder: string;
let sandbox: Sandbox;
let gateway: Gateway;
let telegram: Caller;
let whatsapp: Caller;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tl-whatsapp-alone-"));
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  sandbox = await startSandbox({
    dataDir: folder,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    log,
  });
  gateway = await startLive(app);
  telegram = await loggedIn(reachable(), "alice", "telegram");
  whatsapp = await loggedIn(reachable(), "judy", "whatsapp");
  await gateway.interrupt();
  gateway = await startLive({ LOG_LEVEL: "info" }, gateway);
});

afterAll(async () => {
  await gateway?.stop();
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("serves WhatsApp whole", async () => {
  await eventually("connected", async () => (await whatsapp.record()).isConnected);
  const text = { type: "text", text: "hello", phone: "+1 555 010 0002" };
  expect(await whatsapp.send("POST", "/message", text)).toMatchObject({ status: 200 });
  await loggedIn(reachable(), "carol", "whatsapp");
});

it("refuses what begins a login on Telegram, in the form of every error", async () => {
  const headers = { "x-api-key": gateway.adminKey };
  const refused = await request(`${gateway.telegram[0] ?? ""}/session`, { method: "POST", headers });
  expect([refused.status, refused.body, refused.headers.get("x-error-code")]).toEqual([409, off, "conflict"]);
  expect(await telegram.send("POST", "/session/reset")).toMatchObject({ status: 409, body: off });
  expect((await listed()).map(({ id }) => id)).toEqual([telegram.credentials.id]);
});

it("keeps the sessions of before, and shows them as disconnected with the reason", async () => {
  await eventually("the reason", async () =>
    (await session()).lastError.startsWith("Telegram is off: TELEGRAM_API_ID and TELEGRAM_API_HASH"),
  );
  expect(await session()).toMatchObject({ state: "disconnected" });
  expect(await telegram.record()).toMatchObject({ isConnected: false, generatedId: expect.stringMatching(/^\d+$/) as string });
  expect(await telegram.get("/group")).toMatchObject({ status: 500, body: { message: "session not connected" } });
  expect(await telegram.send("PUT", "/session/webhook", { url: "http://127.0.0.1:9/", token: "t" })).toMatchObject({ status: 200 });
});

it("says so at the start, in the log of each shard and as a note of doctor, which still passes", async () => {
  const printed = gateway.printed();
  expect(printed).toContain("  telegram   off (set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on)");
  const lines = printed.split("\n").filter((line) => line.includes('"telegram is off: set TELEGRAM_API_ID and TELEGRAM_API_HASH'));
  expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([infoLevel, infoLevel]);
  const { out } = await trunklineHere(["doctor", "--json"], { DATA_DIR: gateway.dataDir, PLATFORMS: "live" });
  const { findings } = JSON.parse(out) as { findings: { level: string; about: string; says: string }[] };
  expect(findings.filter(({ about }) => about === "telegram")).toEqual([
    { level: "ok", about: "telegram", says: "off at shard-1, shard-2; set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on" },
  ]);
});

it("connects them again, without a login, after a restart with the application", async () => {
  await gateway.interrupt();
  gateway = await startLive(app, gateway);
  await eventually("connected", async () => (await telegram.record()).isConnected);
  expect(await telegram.get("/group")).toMatchObject({ status: 200 });
});

/** Starts the processes as on live platforms, with the sandbox in place of the platforms. */
function startLive(env: Readonly<Record<string, string>>, from?: Gateway): Promise<Gateway> {
  return startGateway({
    ...(from === undefined ? {} : { from }),
    env: {
      PLATFORMS: "live",
      TEST_TIME_PERCENT: "",
      TELEGRAM_DC_MAP: sandbox.telegram.dcMap,
      TELEGRAM_SERVER_KEYS: sandbox.telegram.publicKeyPath,
      WHATSAPP_URL: sandbox.whatsapp.url,
      WHATSAPP_ROOT_KEY: sandbox.whatsapp.rootKeyPath,
      WHATSAPP_MEDIA_CA: sandbox.whatsapp.mediaCaPath,
      ...env,
    },
  });
}

function reachable() {
  return { ...gateway, sandbox: sandbox.controlUrl };
}

function operate(path: string): Promise<ApiResponse> {
  return request(`${new URL(gateway.telegram[0] ?? "").origin}/admin${path}`, { headers: { "x-api-key": gateway.adminKey } });
}

async function session(): Promise<SessionRow> {
  return (await operate(`/sessions/${telegram.credentials.id}`)).body as SessionRow;
}

async function listed(): Promise<SessionRow[]> {
  const docs: SessionRow[] = [];
  let after = "";
  // On a busy machine a page ends before it has read every slot.
  do {
    const page = (await operate(`/sessions?platform=telegram&after=${encodeURIComponent(after)}`)).body as Page<SessionRow>;
    docs.push(...page.docs);
    after = page.next;
  } while (after !== "");
  return docs;
}
