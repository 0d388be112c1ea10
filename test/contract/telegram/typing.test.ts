import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedIn, type Caller } from "../../harness/api.js";
import { startGateway, type Gateway } from "../../harness/gateway.js";
import { TelegramSide } from "../../harness/telegram-side.js";

/** POST /typing: what the platform is told; it takes the indicator away by itself. */
let gateway: Gateway;
let platform: TelegramSide;
let caller: Caller;
let bob: string;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  platform = new TelegramSide(gateway);
  caller = await loggedIn(gateway, "alice");
  bob = String((await platform.docs("/accounts?platform=telegram")).find((row) => row["account"] === "bob")?.["userId"]);
}, 240_000);
afterAll(() => gateway.stop());

it.each<[string, () => Promise<object>, () => string]>([
  ["a basic group", () => Promise.resolve({ group: "-4000001" }), () => "-4000001"],
  ["a public group", () => Promise.resolve({ group: "sandbox_square" }), () => "-1001900000003"],
  ["a user", () => Promise.resolve({ user: bob }), () => bob],
  ["a username", () => Promise.resolve({ username: "https://t.me/bob_sandbox" }), () => bob],
  ["a phone", async () => ({ phone: await platform.phoneOf("bob") }), () => bob],
])("shows both kinds to %s", async (_name, receiver, chat) => {
  for (const [type, action] of [
    [{}, "text"],
    [{ type: "text" }, "text"],
    [{ type: "audio" }, "audio"],
  ] as const) {
    expect(await caller.send("POST", "/typing", { ...(await receiver()), ...type })).toMatchObject({
      status: 200,
      body: { id: caller.credentials.id },
    });
    expect((await platform.received("alice", "typing")).at(-1)).toMatchObject({ chat: chat(), action });
  }
});

it.each<[object, string]>([
  [{}, "invalid phone, username, user or group"],
  [{ channel: "alice_news" }, "invalid phone, username, user or group"],
  [{ phone: "1234567" }, "invalid receiver"],
  [{ username: "1 name" }, "invalid chat"],
  [{ user: "987654321" }, "chat not found"],
  [{ group: "alice_news" }, "group not found"],
  [{ phone: "+15559999999" }, "phone is not on telegram or hidden by its privacy settings"],
  [{ username: "bob_sandbox", type: "video" }, "type must be one of the following values: text, audio"],
])("refuses %j", async (body, message) => {
  expect(await caller.send("POST", "/typing", body)).toMatchObject({ status: 400, body: { statusCode: 400, message } });
});
