import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { scrape } from "../harness/metrics.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

/** Metrics distinguish the platforms' rejections, while callers read the documented errors. */
let gateway: TestCluster;
let whatsapp: WhatsAppSide;
let telegram: TelegramSide;
let callers: Readonly<Record<"whatsapp" | "telegram", { caller: Caller; to: object }>>;
beforeAll(async () => {
  gateway = await startCluster();
  whatsapp = new WhatsAppSide(gateway);
  telegram = new TelegramSide(gateway);
  callers = {
    whatsapp: { caller: await loggedIn(gateway, "alice", "whatsapp"), to: { phone: await whatsapp.phoneOf("bob") } },
    telegram: { caller: await loggedIn(gateway, "alice", "telegram"), to: { username: "bob_sandbox" } },
  };
}, 240_000);
afterEach(async () => {
  await whatsapp.clearFaults();
  await telegram.clearFaults();
});
afterAll(() => gateway.stop());

const counted = async (name: string, ...labels: readonly string[]): Promise<number> => {
  const shards = await Promise.all(gateway.adminPorts.slice(1).map(scrape));
  const lines = shards
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
};
const refusals = (platform: string, kind: string, refusalClass: string): Promise<number> =>
  counted("gateway_shard_refusals_total", `platform="${platform}"`, `kind="${kind}"`, `class="${refusalClass}"`);

it.each<["whatsapp" | "telegram", object, string, string]>([
  ["whatsapp", { kind: "error", method: "message", error: "463" }, "463: the account is restricted", "restricted"],
  ["whatsapp", { kind: "error", method: "message", error: "479" }, "479: the platform found it malformed", "bad-request"],
  ["whatsapp", { kind: "error", method: "message", error: "403" }, "403: the account may not do this here", "forbidden"],
  ["whatsapp", { kind: "error", method: "message", error: "406" }, "406: the platform does not accept this", "not-accepted"],
  ["whatsapp", { kind: "error", method: "message", error: "409" }, "409: it conflicts with something", "conflict"],
  ["whatsapp", { kind: "flood-wait", method: "message" }, "429: too many requests", "flood"],
  ["telegram", { kind: "error", method: "messages.sendMessage", error: "PEER_FLOOD" }, "400: PEER_FLOOD", "restricted"],
  [
    "telegram",
    { kind: "error", method: "messages.sendMessage", error: "403 CHAT_WRITE_FORBIDDEN" },
    "403: CHAT_WRITE_FORBIDDEN",
    "forbidden",
  ],
  ["telegram", { kind: "error", method: "messages.sendMessage", error: "420 SLOWMODE_WAIT_70" }, "420: SLOWMODE_WAIT_70", "slow-mode"],
  ["telegram", { kind: "flood-wait", method: "messages.sendMessage", seconds: 90 }, "A wait of 90 seconds is required", "flood"],
])("%s: a message that is refused by %o is counted by what that means", async (platform, fault, sentence, kind) => {
  const before = await refusals(platform, kind, "send");
  const side = platform === "whatsapp" ? whatsapp : telegram;
  await side.fault({ account: "alice", times: 1, ...fault });
  const { caller, to } = callers[platform];
  const answer = await caller.send("POST", "/message", { ...to, type: "text", text: "x" });
  expect(answer).toMatchObject({ status: 500, body: { statusCode: 500, message: expect.stringContaining(sentence) as string } });
  expect(await refusals(platform, kind, "send")).toBe(before + 1);
});

it("a list that is refused is a refused read", async () => {
  await whatsapp.fault({ kind: "flood-wait", account: "alice", method: "iq w:g2", times: 1 });
  expect((await callers.whatsapp.caller.get("/group")).status).toBe(500);
  expect(await refusals("whatsapp", "flood", "read")).toBe(1);
});

it("what is no refusal is not counted", async () => {
  const all = await counted("gateway_shard_refusals_total");
  const { caller, to } = callers.whatsapp;
  expect((await caller.send("POST", "/message", { ...to, type: "text", text: "taken" })).status).toBe(200);
  expect(
    (await caller.send("POST", "/message", { ...to, type: "image", image: { url: "http://127.0.0.1:1/x.jpg", mimetype: "image/jpeg" } }))
      .status,
  ).toBe(500);
  expect(await counted("gateway_shard_refusals_total")).toBe(all);
});

it("counts a session as strained after repeated flood waits", async () => {
  const { caller, to } = callers.telegram;
  await telegram.fault({ kind: "error", account: "alice", method: "messages.sendMessage", error: "PEER_FLOOD", times: 3 });
  for (let n = 0; n < 3; n += 1) await caller.send("POST", "/message", { ...to, type: "text", text: "x" });
  expect(await counted("gateway_shard_sessions_strained_sessions", 'platform="telegram"', 'kind="restricted"')).toBe(1);
});

it("counts short waits that Telegram requests and callers do not notice", async () => {
  const { caller, to } = callers.telegram;
  await telegram.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 1, times: 1 });
  expect((await caller.send("POST", "/message", { ...to, type: "text", text: "patience" })).status).toBe(200);
  expect(await counted("gateway_shard_telegram_flood_wait_seconds_count", 'outcome="waited"')).toBe(1);
  expect(await counted("gateway_shard_telegram_flood_wait_seconds_count", 'outcome="returned"')).toBe(1);
});
