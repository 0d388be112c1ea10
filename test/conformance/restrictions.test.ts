import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SessionLimits } from "../../shared/contract/limits.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { SessionRestrictedData } from "../../shared/contract/session-events.js";
import { request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { ownerOf } from "../harness/owner-of.js";
import type { WebhookReceiver } from "../harness/webhook-receiver.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";
import { bodyOf, WebhookStage } from "./webhook-stage.js";

/** An account that its platform restricts: it may write only to people who have written to it, until the platform's own time. */
let gateway: TestCluster;
beforeAll(async () => {
  gateway = await startCluster({ shards: 2 });
}, 120_000);
afterAll(() => gateway.stop());

const reasons: Readonly<Record<Platform, string>> = {
  whatsapp: "WhatsApp locked new chats (BIZ_QUALITY)",
  telegram: "Telegram limits the account (PEER_FLOOD)",
};
const blocked = "account is restricted: only people who have written to it can get messages";

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  let stage: WebhookStage;
  let alice: Caller;
  let receiver: WebhookReceiver;
  let group: object;

  beforeAll(async () => {
    side = new BobSide(gateway, underTest);
    stage = await WebhookStage.open(gateway, underTest);
    alice = stage.caller;
    group = await side.family(alice);
    receiver = await stage.turnOn({ events: ["session.restricted", "session.unrestricted"] });
  }, 120_000);
  afterAll(() => stage.turnOff());
  afterEach(() => side.clearFaults());

  const aStranger = async (account: string): Promise<{ phone: string }> => {
    expect((await side.post("/accounts", { account: `${platform}-${account}` })).status).toBe(200);
    return { phone: await side.phoneOf(`${platform}-${account}`) };
  };
  const say = (to: object, text: string): Promise<ApiResponse> => alice.send("POST", "/message", { ...to, type: "text", text });
  const limits = async (): Promise<SessionLimits> => {
    const response = await alice.get("/session/limits");
    expect(response.status).toBe(200);
    return response.body as SessionLimits;
  };
  const taken = (type: string): SessionRestrictedData[] =>
    receiver.taken.map(bodyOf).flatMap((body) => (body.type === type ? [body.data as SessionRestrictedData] : []));
  const row = async (): Promise<Record<string, unknown>> => (await stage.operate("GET", stage.id)).body as Record<string, unknown>;
  const sum = async (name: string, label: string): Promise<number> => {
    const texts = await Promise.all(gateway.adminPorts.slice(1).map(scrape));
    return texts.reduce((total, text) => total + metricOf(text, name, `platform="${platform}",${label}`), 0);
  };
  const owner = (): Promise<string> => ownerOf({ redisUrl: gateway.redis.url }, alice);
  const restrict = (): Promise<void> =>
    side.fault({ account: "alice", kind: "restricted", ...(platform === "whatsapp" ? { error: "silent", seconds: 7_200 } : {}) });
  const expectBlocked = (response: ApiResponse): void => {
    expect(response).toMatchObject({ status: 429, body: { statusCode: 429, message: blocked } });
    expect(response.headers.get("x-error-code")).toBe("account-restricted");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(1_000);
  };

  it("has no restriction at first, and no limit on a server of one's own", async () => {
    const found = await limits();
    expect(found).toMatchObject({ restricted: false, until: "", reason: "", pace: { sendsPerMinute: 0, sendsUsed: 0, warmUp: null } });
    expect(found.newChats.cap).toBe(platform === "whatsapp" ? 50 : null);
    expect(await row()).toMatchObject({ restrictedUntil: "", health: { reason: "", counts: [], refusals: [] } });
  });

  it("rejects parameters that the call does not have", async () => {
    expect(await alice.get("/session/limits?verbose=1")).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: "property verbose should not exist" },
    });
  });

  it("blocks first messages after the platform's refusal; replies, groups and changes go on", async () => {
    const [stranger, other, writer] = [await aStranger("stranger"), await aStranger("other"), await aStranger("writer")];
    await stage.people("send", { chat: `${platform}-writer`, text: "hello" });
    await restrict();
    expect(await say(stranger, "first")).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(platform === "whatsapp" ? /^463: / : /^400: PEER_FLOOD/) as string },
    });
    const method = platform === "whatsapp" ? "message" : "messages.sendMessage";
    const before = await side.calls(method);
    for (const to of [stranger, other]) expectBlocked(await say(to, "again"));
    expectBlocked(await alice.send("POST", "/message/poll", { ...other, question: "?", options: ["a", "b"] }));
    expect(await side.calls(method)).toBe(before);
    await side.receives(alice, "alice", `reply on ${platform}`, writer);
    await side.receives(alice, "alice", `to the group on ${platform}`, group);
    const found = await limits();
    expect(found).toMatchObject({ restricted: true, reason: reasons[platform] });
    expect(Date.parse(found.until)).toBeGreaterThan(Date.now());
    await eventually("the event", () => taken("session.restricted").length >= 1);
    expect(taken("session.restricted")).toEqual([{ reason: reasons[platform], until: found.until }]);
  });

  it("shows operators what was refused and why", async () => {
    await eventually("the refusals are stored", async () => ((await row())["health"] as { refusals: unknown[] }).refusals.length > 0);
    expect(await row()).toMatchObject({
      restrictedUntil: (await limits()).until,
      health: { reason: reasons[platform], counts: [{ kind: "restricted", count: 1 }], refusals: [{ kind: "restricted" }] },
    });
    expect(await sum("gateway_shard_paced_messages_total", 'pace="brake",outcome="refused"')).toBe(3);
    expect(await sum("gateway_shard_sessions_restricted_sessions", `cause="${platform === "whatsapp" ? "lock" : "refusal"}"`)).toBe(1);
  });

  it("still blocks after a move to another shard, and shows the limits while it is disconnected", async () => {
    const other = await aStranger("moved");
    await restrict();
    const { until } = await limits();
    const member = (await owner()) === "shard-1" ? "shard-2" : "shard-1";
    const move = (): Promise<ApiResponse> =>
      request(`${stage.origin}/admin/sessions/${stage.id}/move`, {
        method: "POST",
        headers: { ...stage.admin, "content-type": "application/json" },
        body: JSON.stringify({ member }),
      });
    await eventually("a move", async () => (await move()).status === 200);
    await eventually("moved", async () => (await owner()) === member);
    await eventually("connected", async () => (await alice.record()).isConnected);
    expectBlocked(await say(other, "after the move"));
    expect(Math.abs(Date.parse((await limits()).until) - Date.parse(until))).toBeLessThan(120_000);
    await side.fault({ account: "alice", kind: "drop", seconds: 600 });
    await eventually("disconnected", async () => !(await alice.record()).isConnected);
    expect(await limits()).toMatchObject({ restricted: true, reason: reasons[platform] });
    await side.clearFaults();
    await eventually("connected again", async () => (await alice.record()).isConnected);
  });
});
