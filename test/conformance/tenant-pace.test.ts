import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";

/** Two tenants with different paces on one shard. An operator changes the paces while messages are queued. */
let gateway: TestCluster;
const keysOf = new Map<string, string>();
const names = ["blue", "red"];
beforeAll(async () => {
  gateway = await startCluster({ allInOne: true, routers: 2, shards: 1 });
  for (const name of names) {
    expect((await admin("POST", "/tenants", { name })).status).toBe(201);
    const { body } = await admin("POST", "/keys", { tenant: name, role: "tenant" });
    keysOf.set(name, (body as { key: string }).key);
  }
}, 120_000);
afterAll(() => gateway.stop());

function admin(method: string, path: string, body: object, key = gateway.adminKey): Promise<ApiResponse> {
  return request(`${new URL(gateway.telegram[1] ?? "").origin}/admin${path}`, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const waiting = async (): Promise<number> => metricOf(await scrape(gateway.adminPorts[2] ?? 0), "gateway_shard_pace_queue_messages");

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  let bob: object;
  beforeAll(async () => {
    side = new BobSide(gateway, underTest);
    bob = await side.bob();
  });

  const anAccount = async (account: string): Promise<{ phone: string }> => {
    expect((await side.post("/accounts", { account })).status).toBe(200);
    return { phone: await side.phoneOf(account) };
  };
  const sessionOf = async (tenant: string, account: string): Promise<Caller> => {
    await anAccount(account);
    return loggedIn({ ...gateway, adminKey: keysOf.get(tenant) ?? "" }, account, platform);
  };
  const say = (from: Caller, to: object, text: string): Promise<ApiResponse> =>
    from.send("POST", "/message", { ...to, type: "text", text });
  const sayMany = (from: Caller, text: string, count: number): Promise<ApiResponse>[] =>
    Array.from({ length: count }, (_, at) => say(from, bob, `${text} ${at}`));
  const idsOf = (responses: readonly ApiResponse[]): string[] =>
    responses.flatMap(({ status, body }) => (status === 200 ? [(body as { messageId: string }).messageId] : [])).sort();
  const sentBy = async (account: string): Promise<string[]> => (await side.received(account, "message")).map(({ id }) => id).sort();
  const setPace = async (tenant: string, pace: Record<string, number | null>): Promise<void> => {
    expect((await admin("PATCH", `/tenants/${tenant}`, { pace })).status).toBe(200);
  };
  /** Sends until `waits` messages are queued, because the shard learns of the pace a moment later. */
  async function sendUntil(waits: number, from: Caller): Promise<Promise<ApiResponse>[]> {
    const sent: Promise<ApiResponse>[] = [];
    await eventually(`${waits} wait`, async () => {
      sent.push(say(from, bob, `message ${sent.length}`));
      return (await waiting()) >= waits;
    });
    return sent;
  }
  const statusesOf = (responses: readonly ApiResponse[]): number[] => responses.map(({ status }) => status);

  it("one tenant's messages wait, the other's on the same shard do not; a faster pace lets those go that wait", async () => {
    const [blue, red] = [await sessionOf("blue", `${platform}-blue`), await sessionOf("red", `${platform}-red`)];
    // Six messages go out at once, then one every ten seconds.
    await setPace("blue", { sendsPerMinute: 6 });
    const sent = await sendUntil(5, blue);
    expect(statusesOf(await Promise.all(sayMany(red, "red", 15)))).toEqual(Array.from({ length: 15 }, () => 200));
    const before = await waiting();
    expect(before).toBeGreaterThanOrEqual(3);
    const startedAt = performance.now();
    await setPace("blue", { sendsPerMinute: 6_000 });
    const responses = await Promise.all(sent);
    expect(performance.now() - startedAt).toBeLessThan((before - 1) * 10_000);
    expect(statusesOf(responses)).toEqual(sent.map(() => 200));
    expect(await sentBy(`${platform}-blue`)).toEqual(idsOf(responses));
    expect(await waiting()).toBe(0);
    await setPace("blue", { sendsPerMinute: null });
  }, 120_000);

  it("rejects at once at a slower pace when the wait would be too long, and uses the deployment's pace without an own one", async () => {
    const slow = await sessionOf("red", `${platform}-slow`);
    await setPace("red", { sendsPerMinute: 30 });
    const sent = await sendUntil(15, slow);
    // The first waits one minute, or two if another has just been sent. Two minutes exceed the limit, so it and the next are rejected.
    await setPace("red", { sendsPerMinute: 1 });
    await eventually("one is left at the most", async () => (await waiting()) <= 1, 10_000);
    const startedAt = performance.now();
    await setPace("red", { sendsPerMinute: null });
    const responses = await Promise.all(sent);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(10);
    for (const { status, body, headers } of refused) {
      expect([status, body]).toEqual([429, { statusCode: 429, message: "too many requests" }]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(60);
    }
    expect(await sentBy(`${platform}-slow`)).toEqual(idsOf(responses));
    expect(statusesOf(await Promise.all(sayMany(slow, "after", 20)))).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await waiting()).toBe(0);
  }, 120_000);

  it("new contacts are counted by the tenant's pace, from the moment at which it has one", async () => {
    const [blue, red] = [await sessionOf("blue", `${platform}-meets`), await sessionOf("red", `${platform}-other`)];
    const people = await Promise.all(Array.from({ length: 12 }, (_, at) => anAccount(`${platform}-n${at}`)));
    const [first = {}] = people;
    expect((await say(blue, people.pop() ?? {}, "without a pace")).status).toBe(200);
    await setPace("blue", { newContactsPerHour: 1 });
    // From the moment when the shard knows the pace, it allows one new contact.
    let next = {};
    const refused = await eventually("a refusal", async () => {
      next = people.pop() ?? {};
      const response = await say(blue, next, "hello");
      return response.status === 429 && response;
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect((await say(red, next, "from the other")).status).toBe(200);
    expect((await say(blue, first, "hello")).status).toBe(429);
    await setPace("blue", { newContactsPerHour: 0 });
    await eventually("none is refused", async () => (await say(blue, next, "hello")).status === 200, 10_000);
    expect((await say(blue, first, "hello")).status).toBe(200);
    await setPace("blue", { newContactsPerHour: null });
  }, 120_000);
});

it("is an operator's to set, and is shown and kept as it was set", async () => {
  const pace = { sendsPerMinute: 0, newContactsPerHour: 7 };
  const ofTenant = keysOf.get("red") ?? "";
  expect((await admin("PATCH", "/tenants/red", { pace }, ofTenant)).status).toBe(403);
  expect(await admin("PATCH", "/tenants/red", { pace })).toMatchObject({ status: 200, body: { name: "red", pace } });
  expect(await admin("PATCH", "/tenants/red", { quotas: { sessions: 100 } })).toMatchObject({ body: { pace } });
  expect(await admin("PATCH", "/tenants/red", { pace: { sendsPerMinute: null } })).toMatchObject({
    body: { pace: { sendsPerMinute: null, newContactsPerHour: 7 }, quotas: { sessions: 100 } },
  });
  expect(await admin("PATCH", "/tenants/red", { pace: null })).toMatchObject({
    body: { pace: { sendsPerMinute: null, newContactsPerHour: null } },
  });
  const warmUp = { days: 14, from: 50 };
  expect(await admin("PATCH", "/tenants/red", { pace: { warmUp } })).toMatchObject({ body: { pace: { sendsPerMinute: null, warmUp } } });
  expect(await admin("PATCH", "/tenants/red", { pace: null })).toMatchObject({ body: { pace: { warmUp: null } } });
  expect(await admin("POST", "/tenants", { name: "green", pace })).toMatchObject({ status: 201, body: { pace } });
  const { body } = await request(`${new URL(gateway.telegram[0] ?? "").origin}/admin/tenants`, {
    headers: { "x-api-key": gateway.adminKey },
  });
  expect(body).toMatchObject({
    docs: expect.arrayContaining([expect.objectContaining({ name: "green", pace: { ...pace, warmUp: null } })]) as object,
  });
});
