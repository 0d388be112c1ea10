import { once } from "node:events";
import { request as open, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { ownerOf } from "../harness/owner-of.js";
import { TelegramSide } from "../harness/telegram-side.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ shards: 2 });
});
afterAll(() => gateway.stop());

/** Sends numbered messages of one session without waiting for earlier responses. */
class NumberedLoad {
  private readonly responses: Promise<{ readonly text: string; readonly status: number }>[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly caller: Caller,
    private readonly phone: string,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.responses.push(this.send(String(this.responses.length))), 40);
  }

  /** Resolves when `count` more messages were accepted. */
  async further(count: number): Promise<void> {
    const from = this.responses.length;
    await eventually("more messages", () => this.responses.length >= from + count);
    await Promise.all(this.responses.slice(0, from + count));
  }

  /** Returns the texts of all accepted messages, in the order of sending. */
  async stop(): Promise<string[]> {
    clearInterval(this.timer);
    return (await Promise.all(this.responses)).filter(({ status }) => status === 200).map(({ text }) => text);
  }

  /** Each message uses a new connection: on a reused one it would overtake an earlier message. */
  private async send(text: string): Promise<{ text: string; status: number }> {
    const { id, sessionId } = this.caller.credentials;
    const headers = { id, "session-id": sessionId, "content-type": "application/json" };
    const call = open(`${gateway.telegram[0] ?? ""}/message`, { method: "POST", headers, agent: false });
    call.end(JSON.stringify({ phone: this.phone, type: "text", text }));
    const [response] = (await once(call, "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    return { text, status: response.statusCode ?? 0 };
  }
}

it("delivers a session's messages in the order in which its router accepted them, over a kill, a move and lost connections", async () => {
  const side = new TelegramSide(gateway);
  const caller = await loggedIn(gateway, "alice");
  const load = new NumberedLoad(caller, await side.phoneOf("bob"));
  load.start();
  await load.further(10);
  const owner = await ownerOf(gateway, caller);
  process.kill(await gateway.shardPid(owner), "SIGKILL");
  await load.further(20);
  const member = (await ownerOf(gateway, caller)) === "shard-1" ? "shard-2" : "shard-1";
  const address = `${gateway.telegram[0]?.replace(/\/telegram$/, "") ?? ""}/admin/sessions/${caller.credentials.id}/move`;
  await eventually("a move", async () => {
    const headers = { "x-api-key": gateway.adminKey, "content-type": "application/json" };
    return (await request(address, { method: "POST", headers, body: JSON.stringify({ member }) })).status === 200;
  });
  await eventually("the other owner", async () => (await ownerOf(gateway, caller)) === member);
  await load.further(20);
  const redis = await connectRedis(gateway.redisUrl, "writer", silentLog);
  await redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
  redis.disconnect();
  await load.further(20);
  const sent = await load.stop();
  const texts = (await side.received("alice", "message")).map(({ text }) => text);
  expect(sent.length).toBeGreaterThan(50);
  expect(texts.filter((text) => sent.includes(text))).toEqual(sent);
});
