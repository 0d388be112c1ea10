import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { ownerOf } from "../harness/owner-of.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";

/** Sessions with a pace on every platform: no message is lost or doubled. A kill, a move or a repeated request does not raise the limit. */
const burst = 5;
const intervalMs = 200;
const newContacts = 2;
/** Time until one more new contact is allowed. */
const refillMs = 60_000;
const nobody = { phone: "" };
const pace = {
  PACE_SENDS: String(60_000 / intervalMs),
  PACE_SENDS_BURST: String(burst),
  PACE_NEW_CONTACTS: "60",
  PACE_NEW_CONTACTS_BURST: String(newContacts),
};
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 2, env: pace });
}, 120_000);
afterAll(() => gateway.stop());

const counted = async (labels: string): Promise<number> =>
  (await Promise.all(gateway.shardPorts.map(scrape))).reduce(
    (sum, text) => sum + metricOf(text, "gateway_shard_paced_messages_total", labels),
    0,
  );
const waiting = async (): Promise<number> =>
  (await Promise.all(gateway.shardPorts.map(scrape))).reduce((sum, text) => sum + metricOf(text, "gateway_shard_pace_queue_messages"), 0);
const admin = (method: string, path: string, body?: object): Promise<ApiResponse> =>
  request(`${new URL(gateway.telegram[0] ?? "").origin}/admin${path}`, {
    method,
    headers: { "x-api-key": gateway.adminKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
/** Moves the session to the other shard without a pin, which would keep the slots from being shared evenly. */
async function moveToOther(from: Caller): Promise<void> {
  const { id } = from.credentials;
  const owner = await eventually("an owner", () => ownerOf(gateway, from));
  const member = owner === "shard-1" ? "shard-2" : "shard-1";
  // A member that has just died becomes a valid target once it is back.
  await eventually("a move", async () => (await admin("POST", `/sessions/${id}/move`, { member })).status === 200);
  await eventually("moved", async () => (await ownerOf(gateway, from)) === member);
}
const unpin = async ({ credentials: { id } }: Caller): Promise<void> => {
  expect((await admin("DELETE", `/slots/${isSessionId(id) ? slotOf(id) : ""}/pin`)).status).toBe(200);
};
const idOf = ({ body }: ApiResponse): string | undefined => (body as { messageId?: string }).messageId;
const tooMany = { status: 429, body: { statusCode: 429, message: "too many requests" } };
const retryAfter = ({ headers }: ApiResponse): number => Number(headers.get("retry-after"));

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  beforeAll(() => {
    side = new BobSide(gateway, underTest);
  });

  /** Creates an account without any messages. Resolves with the account as a recipient. */
  const newContact = async (account: string): Promise<{ phone: string }> => {
    const response = await side.post("/accounts", { account });
    expect([account, response.status]).toEqual([account, 200]);
    return { phone: await side.phoneOf(account) };
  };
  const sender = async (account: string): Promise<Caller> => {
    await newContact(account);
    return loggedIn(gateway, account, platform);
  };
  const say = (from: Caller, to: object, text: string, key?: string): Promise<ApiResponse> =>
    from.send("POST", "/message", { ...to, type: "text", text }, key === undefined ? {} : { "idempotency-key": key });

  const many = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name} ${at}`);

  it("rejects new contacts past the limit before anything is sent, and still accepts existing contacts", async () => {
    const [from, ...people] = [await sender("pace-contacts"), ...(await Promise.all(["p1", "p2", "p3", "p4"].map(newContact)))];
    const [first = nobody, second = nobody, third = nobody, fourth = nobody] = people;
    expect([(await say(from, first, "first")).status, (await say(from, second, "second")).status]).toEqual([200, 200]);
    const before = await counted(`platform="${platform}",pace="new-contacts"`);
    const refused = await say(from, third, "third", "key of the third");
    expect(refused).toMatchObject(tooMany);
    expect(retryAfter(refused)).toBeGreaterThan(0);
    expect(retryAfter(refused)).toBeLessThanOrEqual(60);
    expect(await counted(`platform="${platform}",pace="new-contacts"`)).toBe(before + 1);
    // A rejected request is not recorded under its key, so the same request is rejected again.
    expect(await say(from, third, "third", "key of the third")).toMatchObject(tooMany);
    for (const [text, to] of [
      ["again", first],
      ["once more", second],
    ] as const)
      expect([text, (await say(from, to, text)).status]).toEqual([text, 200]);
    // Sends to a contact that wrote first are allowed as soon as the message arrives.
    expect(await say(from, fourth, "hello you")).toMatchObject(tooMany);
    const hello = { account: "pace-contacts", chat: fourth.phone, text: "hello" };
    expect((await side.post("/people/send", hello)).status).toBe(200);
    await eventually("answered", async () => (await say(from, fourth, "hello you")).status === 200, refillMs / 2);
    expect((await side.received("pace-contacts", "message")).map(({ text }) => text)).toEqual([
      "first",
      "second",
      "again",
      "once more",
      "hello you",
    ]);
  });

  it("keeps what it has counted over kill -9 of its shard and over a move", async () => {
    const from = await sender("pace-kept");
    const [first = {}, second = {}, third = {}] = await Promise.all(["k1", "k2", "k3"].map(newContact));
    expect([(await say(from, first, "one")).status, (await say(from, second, "two")).status]).toEqual([200, 200]);
    const owner = await ownerOf(gateway, from);
    process.kill(await gateway.shardPid(owner), "SIGKILL");
    expect(
      await eventually("told by another", async () => {
        const response = await say(from, third, "three");
        return response.status === 429 && response;
      }),
    ).toMatchObject(tooMany);
    await moveToOther(from);
    expect(
      await eventually("told by the third owner", async () => {
        const response = await say(from, third, "three");
        return response.status === 429 && response;
      }),
    ).toMatchObject(tooMany);
    expect((await side.received("pace-kept", "message")).map(({ text }) => text)).toEqual(["one", "two"]);
    await unpin(from);
  });

  it("of 1,000 at once sends as many as it may, and refuses the others", async () => {
    const from = await sender("pace-flood");
    const to = await newContact("f1");
    expect((await say(from, to, "hello")).status).toBe(200);
    const texts = many("flood", 1_000);
    const startedAt = performance.now();
    const sending = Promise.all(texts.map((text) => say(from, to, text)));
    const responses = await sending;
    const tookMs = performance.now() - startedAt;
    const accepted = responses.filter(({ status }) => status === 200);
    // A full queue of the shard gives 503 on a slow machine, and then nothing is sent.
    expect(responses.map(({ status }) => status).filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    for (const response of responses) if (response.status !== 200) expect(retryAfter(response)).toBeGreaterThan(0);
    expect(accepted.length).toBeGreaterThan(50);
    expect(tookMs).toBeGreaterThan((accepted.length - burst) * intervalMs);
    const rows = (await side.received("pace-flood", "message")).filter(({ text }) => text.startsWith("flood "));
    expect(rows.map(({ id }) => id).sort()).toEqual(accepted.map((response) => idOf(response)).sort());
    expect(await waiting()).toBe(0);
  });

  it("kill -9 of its shard while messages wait: all are sent once, and not at once", async () => {
    const from = await sender("pace-killed");
    const to = await newContact("w1");
    expect((await say(from, to, "hello")).status).toBe(200);
    const texts = many("waits", 40);
    const startedAt = performance.now();
    const sending = Promise.all(texts.map((text, at) => say(from, to, text, at % 2 === 0 ? `${platform} ${text}` : undefined)));
    await eventually("half of them wait", async () => {
      const count = await waiting();
      return count > 0 && count < 25;
    });
    process.kill(await gateway.shardPid(await ownerOf(gateway, from)), "SIGKILL");
    const responses = await sending;
    expect(responses.map(({ status }) => status)).toEqual(texts.map(() => 200));
    expect(performance.now() - startedAt).toBeGreaterThan((texts.length - burst) * intervalMs);
    const rows = (await side.received("pace-killed", "message")).filter(({ text }) => text.startsWith("waits "));
    expect(rows.map(({ id }) => id).sort()).toEqual(responses.map((response) => idOf(response)).sort());
    expect(await side.overlaps()).toEqual([]);
  });

  it("neither a repeat nor a move waits for messages that wait, and all are sent once", async () => {
    const from = await sender("pace-moved");
    const to = await newContact("m1");
    const first = await say(from, to, "the first", "key of the first");
    const texts = many("moves", 100);
    const sending = Promise.all(texts.map((text) => say(from, to, text)));
    await eventually("most of them wait", async () => (await waiting()) > 60);
    const repeat = await say(from, to, "the first", "key of the first");
    expect([first.status, repeat.status, idOf(repeat)]).toEqual([200, 200, idOf(first)]);
    expect(await waiting()).toBeGreaterThan(0);
    const startedAt = performance.now();
    await moveToOther(from);
    // The queued messages could not all have been sent by then.
    expect(performance.now() - startedAt).toBeLessThan(60 * intervalMs);
    const responses = await sending;
    expect(responses.map(({ status }) => status)).toEqual(texts.map(() => 200));
    const rows = (await side.received("pace-moved", "message")).filter(({ text }) => text.startsWith("moves "));
    expect(rows.map(({ id }) => id).sort()).toEqual(responses.map((response) => idOf(response)).sort());
    await unpin(from);
  });

  it("a session that waits with many messages is deleted at once", async () => {
    const from = await sender("pace-deleted");
    const to = await newContact("d1");
    expect((await say(from, to, "hello")).status).toBe(200);
    const sending = Promise.all(many("gone", 100).map((text) => say(from, to, text)));
    await eventually("most of them wait", async () => (await waiting()) > 60);
    const startedAt = performance.now();
    expect((await from.send("DELETE", "/session")).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(60 * intervalMs);
    const responses = await sending;
    const sent = responses.filter(({ status }) => status === 200).length;
    expect((await side.received("pace-deleted", "message")).filter(({ text }) => text.startsWith("gone "))).toHaveLength(sent);
    expect(sent).toBeLessThan(60);
  });
});

describe("another pace after a restart", () => {
  it("holds from then on, and none lets all pass", async () => {
    expect(await gateway.interrupt()).toBe(0);
    gateway = await startGateway({
      routers: 1,
      shards: 2,
      from: gateway,
      env: { ...pace, PACE_NEW_CONTACTS: "3600", PACE_NEW_CONTACTS_BURST: "100" },
    });
    const caller = await loggedIn(gateway, "bob", "whatsapp");
    const side = new BobSide(gateway, { platform: "whatsapp", toBob: (phone) => ({ phone }) });
    for (const account of ["r1", "r2", "r3", "r4"]) {
      await side.post("/accounts", { account });
      const phone = await side.phoneOf(account);
      expect((await caller.send("POST", "/message", { phone, type: "text", text: account })).status).toBe(200);
    }
  });
});
