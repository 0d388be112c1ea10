import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { memberPid } from "../harness/member-pid.js";
import { ownerOf } from "../harness/owner-of.js";
import { PlatformSide, type Doc } from "../harness/platform-side.js";
import { TelegramSide } from "../harness/telegram-side.js";

/**
 * Kills the router, then the shard, of a POST /message with an idempotency key: one message is sent, with one response. Also kills the
 * shard of a POST /status without a key.
 */
let gateway: Gateway;
const callers = {} as Record<Platform, Caller>;
const phones = {} as Record<Platform, string>;
beforeAll(async () => {
  gateway = await startGateway({ routers: 2, shards: 2 });
  for (const platform of platforms) {
    callers[platform] = await loggedIn(gateway, "alice", platform);
    phones[platform] = await new PlatformSide(gateway, platform).phoneOf("bob");
  }
});
afterAll(() => gateway.stop());

describe.each(platforms)("on %s", (platform) => {
  const side = (): PlatformSide<Doc & { type: string }> => new PlatformSide(gateway, platform);
  const method = platform === "whatsapp" ? "message" : "messages.sendMessage";
  const send = (router: number, text: string, key: string): Promise<ApiResponse> =>
    callers[platform].through(router).send("POST", "/message", { phone: phones[platform], type: "text", text }, { "idempotency-key": key });
  const arrived = async (text: string): Promise<number> =>
    (await side().received("alice", "message")).filter((row) => row["text"] === text).length;
  /** Resolves when the message has reached the platform, which has not confirmed it. */
  const begin = async (text: string, key: string): Promise<void> => {
    const before = await side().calls(method);
    await side().fault({ account: "alice", kind: platform === "whatsapp" ? "stall" : "delay", method, seconds: 60 });
    // The request ends with its router.
    send(0, text, key).catch(() => undefined);
    await eventually("at the platform", async () => (await side().calls(method)) > before);
  };

  it("over a killed router: the other one brings what the first would have", async () => {
    const [text, key] = [`router ${platform} ${randomUUID()}`, randomUUID()];
    await begin(text, key);
    await kill("router-1", memberPid(gateway, "router-1"));
    const repeat = send(1, text, key);
    await side().clearFaults();
    const response = await repeat;
    expect([response.status, response.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    await routerBack();
    expect((await send(0, text, key)).body).toEqual(response.body);
    expect(await arrived(text)).toBe(1);
  });

  it("over a killed router and a killed shard: the next owner sends the same message", async () => {
    const [text, key] = [`both ${platform} ${randomUUID()}`, randomUUID()];
    await begin(text, key);
    await kill("router-1", memberPid(gateway, "router-1"));
    const repeat = send(1, text, key);
    const owner = await ownerOf(gateway, callers[platform]);
    await kill(owner, await gateway.shardPid(owner));
    await side().clearFaults();
    const responses = [await repeat];
    // A caller with an unknown outcome retries under the same key.
    await eventually("the answer", async () => {
      responses.push(await send(1, text, key));
      return responses.at(-1)?.status === 200;
    });
    await routerBack();
    responses.push(await send(0, text, key));
    const messages = responses.filter(({ status }) => status === 200).map(({ body }) => JSON.stringify(body));
    expect(new Set(messages).size).toBe(1);
    expect(responses.at(-1)?.headers.get("idempotency-replayed")).toBe("true");
    expect(await arrived(text)).toBe(1);
  });
});

it("a session whose router was killed is created once", async () => {
  const key = randomUUID();
  const create = (router: number): Promise<Response> =>
    fetch(`${gateway.telegram[router] ?? ""}/session`, {
      method: "POST",
      headers: { "x-api-key": gateway.adminKey, "idempotency-key": key },
    });
  // The router dies before, while or after it creates the session.
  const first = create(0).then(
    (response) => response.json(),
    () => undefined,
  );
  await kill("router-1", memberPid(gateway, "router-1"));
  const firstReply: unknown = await first;
  const [second, third] = [await create(1), await create(1)];
  expect([second.status, third.status]).toEqual([201, 201]);
  const [pair, again] = [await second.json(), await third.json()];
  expect(again).toEqual(pair);
  expect(firstReply ?? pair).toEqual(pair);
  await routerBack();
});

it("a story is published once and its caller gets a response although its shard is killed during the request", async () => {
  const platform = new TelegramSide(gateway);
  const alice = callers.telegram;
  const stories = (): Promise<unknown[]> => platform.received("alice", "story");
  const before = (await stories()).length;
  const calls = await platform.calls("stories.sendStory");
  await platform.fault({ account: "alice", method: "stories.sendStory", kind: "delay", seconds: 600, times: 1 });
  const posting = alice.send("POST", "/status", { type: "text", text: "Hello 👋" });
  await eventually("the story is on its way", async () => (await platform.calls("stories.sendStory")) > calls);
  process.kill(await gateway.shardPid(await ownerOf(gateway, alice)), "SIGKILL");
  const response = await posting;
  expect(response).toMatchObject({ status: 500, body: { statusCode: 500 } });
  expect((response.body as { message: string }).message).toBe("internal server error");
  await eventually("connected again", async () => (await alice.get("/channel")).status === 200);
  // From here on the platform may finish the dead shard's call.
  await platform.clearFaults();
  await eventually("the platform has worked the story off", async () => (await stories()).length > before);
  expect(await stories()).toHaveLength(before + 1);
  expect(await platform.calls("stories.sendStory")).toBe(calls + 1);
  expect(await platform.docs("/overlaps")).toEqual([]);
});

async function kill(name: string, pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error(`no process of ${name}`);
  process.kill(pid, "SIGKILL");
  await eventually(`the end of ${name}`, () => !isThere(pid));
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when the router takes requests again. It reports its readiness a moment before it listens. */
async function routerBack(): Promise<void> {
  await eventually("router-1 back", async () => (await fetch(`${gateway.telegram[0] ?? ""}/session`)).status === 400);
}
