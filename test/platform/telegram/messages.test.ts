import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MessageInput, type Recipient } from "../../../shared/contract/telegram/message.js";
import { type TelegramSession } from "../../../shard/telegram/session.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
let alice: TelegramSession;
beforeAll(async () => {
  fixture = await TelegramFixture.start({ phoneGapMs: 50 });
  ({ session: alice } = await fixture.login("alice"));
});
afterAll(() => fixture.stop());

const bobPhone = "15550100002";
const familyGroup = "-4000001";
const bigGroup = "-1001900000001";
const bobChannel = "-1001900000012";

const byId = (kind: "group" | "channel" | "user", id: string): Recipient => ({ kind, chat: { kind: "id", id } });
const byName = (kind: "group" | "channel" | "user" | "username", username: string): Recipient => ({ kind, chat: { kind: "username", username } });
const byPhone = (digits: string): Recipient => ({ kind: "phone", digits });
const bob = byName("username", "bob_sandbox");

const send = (input: MessageInput): Promise<{ messageId: string }> => fixture.run(alice, "send-message", input);
const text = (to: Recipient, words = "Hello 👋"): Promise<{ messageId: string }> => send({ to, type: "text", text: words });
const messages = (): Record<string, unknown>[] => fixture.sandbox.telegram.control.received("alice").filter(({ type }) => type === "message");
const idOf = (account: string): string => String(fixture.sandbox.telegram.control.accounts().find((one) => one["account"] === account)?.["userId"]);

describe("receivers", () => {
  test.each<[string, () => Recipient, () => string]>([
    ["a basic group", () => byId("group", familyGroup), () => familyGroup],
    ["a supergroup", () => byId("group", bigGroup), () => bigGroup],
    ["a public group by name", () => byName("group", "sandbox_square"), () => "-1001900000003"],
    ["a channel", () => byId("channel", bobChannel), () => bobChannel],
    ["a channel by name", () => byName("channel", "alice_news"), () => "-1001900000011"],
    ["a person by id", () => byId("user", idOf("bob")), () => idOf("bob")],
    ["a person by name", () => bob, () => idOf("bob")],
    ["a person by phone", () => byPhone(bobPhone), () => idOf("bob")],
  ])("%s", async (_name, to, chat) => {
    const { messageId } = await text(to());
    expect(messages().at(-1)).toMatchObject({ id: messageId, chat: chat(), kind: "text", text: "Hello 👋" });
  });

  test.each<[string, () => Recipient, string]>([
    ["a name that nobody has", () => byName("username", "nobody_has_this"), "chat not found"],
    ["an id that the account does not know", () => byId("user", "987654321"), "chat not found"],
    ["a group as a person", () => byId("user", bigGroup), "chat not found"],
    ["a basic group that is none", () => byId("group", "-987654"), "chat not found"],
    ["a supergroup of an unknown id", () => byId("group", "-1001987654321"), "chat not found"],
    ["a channel as a group", () => byId("group", bobChannel), "group not found"],
    ["a person as a group", () => byName("group", "bob_sandbox"), "group not found"],
    ["a public group that is not joined", () => byName("group", "sandbox_other_square"), "group not found"],
    ["a group that was left", () => byId("group", "-1001900000008"), "group not found"],
    ["a group as a channel", () => byId("channel", bigGroup), "channel not found"],
    ["a public channel that is not joined", () => byName("channel", "sandbox_not_joined"), "channel not found"],
    ["a channel that nobody may see", () => byId("channel", "-1001987654322"), "chat not found"],
    ["a number without account", () => byPhone("15559999999"), "phone is not on telegram or hidden by its privacy settings"],
  ])("%s is refused", async (_name, to, message) => {
    await expect(text(to())).rejects.toMatchObject({ status: 400, message });
  });

  test("a name and a number are looked up once", async () => {
    await text(byPhone("15550100003"));
    await text(byName("username", "carol_sandbox"));
    fixture.resetCalls();
    await text(byPhone("15550100003"));
    await text(byName("username", "carol_sandbox"));
    await expect(text(byPhone("15558888888"))).rejects.toMatchObject({ status: 400 });
    await expect(text(byPhone("15558888888"))).rejects.toMatchObject({ status: 400 });
    expect(fixture.calls("contacts.resolveUsername")).toBe(0);
    expect(fixture.calls("contacts.resolvePhone")).toBe(1);
  });
});

describe("the platform's refusals", () => {
  test("of a channel that others post in", async () => {
    await expect(text(byId("channel", "-1001900000013"))).rejects.toMatchObject({ status: 500, message: "400: CHAT_ADMIN_REQUIRED (caused by messages.SendMessage)" });
  });

  test("of a group that is for reading", async () => {
    await expect(text(byId("group", "-1001900000005"))).rejects.toMatchObject({ status: 500, message: "403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)" });
  });

  test("of a second message in a slow group", async () => {
    await text(byId("group", "-1001900000004"));
    await expect(text(byId("group", "-1001900000004"))).rejects.toMatchObject({ status: 500, message: expect.stringMatching(/^420: SLOWMODE_WAIT_\d+ \(caused by messages\.SendMessage\)$/) });
  });

  test("of people who blocked the account, or whom it blocked", async () => {
    await expect(text(byName("username", "mallory_sandbox"))).rejects.toMatchObject({ status: 500, message: "400: USER_IS_BLOCKED (caused by messages.SendMessage)" });
    await expect(text(byName("username", "lina_sandbox"))).rejects.toMatchObject({ status: 500, message: "400: YOU_BLOCKED_USER (caused by messages.SendMessage)" });
  });

  test("of a text that is too long", async () => {
    await expect(text(bob, "x".repeat(4_097))).rejects.toMatchObject({ status: 500, message: "400: MESSAGE_TOO_LONG (caused by messages.SendMessage)" });
  });

  test.each([
    ["PEER_FLOOD", "400: PEER_FLOOD (caused by messages.SendMessage)"],
    ["PRIVACY_PREMIUM_REQUIRED", "406: PRIVACY_PREMIUM_REQUIRED (caused by messages.SendMessage)"],
  ])("%s", async (error, message) => {
    await fixture.fault({ kind: "error", account: "alice", method: "messages.sendMessage", error });
    await expect(text(bob)).rejects.toMatchObject({ status: 500, message });
  });

  test("a short wait is waited out, a long one is told", async () => {
    await fixture.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 5 });
    const { messageId } = await text(bob, "patience");
    expect(messages().at(-1)).toMatchObject({ id: messageId, text: "patience" });
    await fixture.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 90 });
    await expect(text(bob)).rejects.toMatchObject({ status: 500, message: "A wait of 90 seconds is required (caused by messages.SendMessage)" });
  }, 20_000);
});

describe("a message that may have gone out", () => {
  const once = async (words: string, input: MessageInput): Promise<void> => {
    const before = messages().length;
    const { messageId } = await send(input);
    const after = messages().slice(before);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: messageId, text: words });
  };

  test.each<[string, () => Recipient]>([
    ["to a person", () => bob],
    ["to a channel", () => byId("channel", bobChannel)],
    ["to a group", () => byId("group", familyGroup)],
  ])("goes out once when the answer is lost, %s", async (_name, to) => {
    await fixture.fault({ kind: "lost-ack", account: "alice", method: "messages.sendMessage" });
    await once("once", { to: to(), type: "text", text: "once" });
  });

  test("is the same message when its command runs again", async () => {
    const call = { id: "the-same-command", signal: new AbortController().signal, letPass: () => undefined };
    const command = fixture.adapter.commands["send-message"];
    const first = await command.run(alice, { to: bob, type: "text", text: "again" }, call);
    const before = messages().length;
    expect(await command.run(alice, { to: bob, type: "text", text: "again" }, call)).toEqual(first);
    expect(messages()).toHaveLength(before);
  });
});
