import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput } from "../../../shared/contract/telegram/message.js";
import { silentLog } from "../../../shared/log/logger.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";

/** The platform's servers fail for a moment, and pending requests succeed all the same. */
let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
beforeAll(async () => {
  fixture = await TelegramFixture.start();
  ({ session: alice } = await fixture.login("alice"));
  await eventually("alice's own picture", () => fixture.calls("upload.getFile") > 0);
});
afterEach(() => fixture.sandbox.telegram.control.clearFaults());
afterAll(() => fixture.stop());

const bob = { kind: "username", chat: { kind: "username", username: "bob_sandbox" } } as const;
const file = (name: string): string => `${fixture.sandbox.controlUrl}/files/${name}`;
const received = (type: string): Record<string, unknown>[] =>
  fixture.sandbox.telegram.control.received("alice").filter((one) => one["type"] === type);
const image = (): MessageInput => ({ to: bob, type: "image", image: { url: file("photo.jpg"), mimetype: "image/jpeg" }, text: "" });

const troubles = [
  "500 INTERDC_2_CALL_ERROR",
  "500 INTERDC_4_CALL_RICH_ERROR",
  "400 MSG_WAIT_FAILED",
  "500 WORKER_BUSY_TOO_LONG_RETRY",
  "500 INTERNAL",
  "500 RPC_CALL_FAIL",
  "-503 Timeout",
];

describe.each(troubles)("%s", (error) => {
  test("a password is checked again, each time by a new challenge, and the log-out reaches the platform", async () => {
    const { session, context } = fixture.open();
    await fixture.scan("dave", await context.qr());
    await context.until(({ kind }) => kind === "awaiting-password");
    fixture.resetCalls();
    await fixture.fault({ kind: "error", error, method: "auth.checkPassword", account: "dave", times: 2 });
    await expect(fixture.run(session, "submit-password", { password: "wrong" })).rejects.toThrow("invalid password");
    expect([fixture.calls("auth.checkPassword"), fixture.calls("account.getPassword")]).toEqual([3, 3]);
    await fixture.run(session, "submit-password", { password: "correct horse" });
    expect(context.state().kind).toBe("connected");
    const devices = fixture.sandbox.telegram.world.devices;
    expect(devices.keysOf("dave")).toHaveLength(1);
    await fixture.fault({ kind: "error", error, method: "auth.logOut", account: "dave", times: 2 });
    await session.delete();
    expect([fixture.calls("auth.logOut"), devices.keysOf("dave").length]).toEqual([3, 0]);
  });

  test("a message is one message", async () => {
    await fixture.fault({ kind: "error", error, method: "messages.sendMessage" });
    const words = `through ${error}`;
    const { messageId } = await fixture.run(alice, "send-message", { to: bob, type: "text", text: words });
    expect(received("message").filter((one) => one["text"] === words)).toMatchObject([{ id: messageId }]);
  });

  test("a chunk comes", async () => {
    const media = fixture.sandbox.telegram.control.media?.() ?? [];
    const video = media.find(({ kind }) => kind === "video");
    const address = { chatId: String(video?.["chatId"]), messageId: String(video?.["messageId"]), variant: "file" as const };
    await fixture.fault({ kind: "error", error, method: "channels.getMessages" });
    const { fileKey, etag } = await fixture.run(alice, "describe-media", address);
    fixture.chunks.clear();
    await fixture.fault({ kind: "error", error, method: "upload.getFile" });
    await fixture.run(alice, "read-chunk", { ...address, fileKey, etag, chunk: 0 });
    expect(fixture.chunks.has(`${fileKey}:0`)).toBe(true);
  });
});

test.each<[string, string, () => Promise<unknown>]>([
  [
    "a look-up",
    "contacts.resolveUsername",
    () => fixture.run(alice, "send-typing", { to: { ...bob, chat: { kind: "username", username: "carol_sandbox" } }, type: "text" }),
  ],
  ["an upload", "upload.saveFilePart", () => fixture.run(alice, "send-message", image())],
  ["a picture", "messages.sendMedia", () => fixture.run(alice, "send-message", image())],
  ["a list", "messages.getDialogs", () => fixture.run(alice, "list-channels", {})],
  ["a list of members", "channels.getParticipants", () => fixture.run(alice, "list-group-members", { groupId: "-1001900000003" })],
  [
    "channel messages",
    "messages.getHistory",
    () => fixture.run(alice, "list-channel-messages", { channelId: "-1001900000011", limit: 5, before: 0 }),
  ],
  ["the typing indicator", "messages.setTyping", () => fixture.run(alice, "send-typing", { to: bob, type: "text" })],
])("%s goes on after trouble", async (_what, method, run) => {
  fixture.resetCalls();
  await fixture.fault({ kind: "error", error: "500 INTERDC_2_CALL_ERROR", method, times: 2 });
  await run();
  expect(fixture.calls(method)).toBeGreaterThanOrEqual(3);
});

test.each<[string, () => Promise<unknown>]>([
  ["list-groups", () => fixture.run(alice, "list-groups", {})],
  ["get-group", () => fixture.run(alice, "get-group", { groupId: "-1001900000003" })],
  ["list-channels", () => fixture.run(alice, "list-channels", {})],
  ["get-channel", () => fixture.run(alice, "get-channel", { channelId: "-1001900000011" })],
])("%s comes with its pictures after trouble", async (_command, run) => {
  const undisturbed = await run();
  alice.connector.services.pictures.clear();
  await fixture.fault({ kind: "error", error: "500 INTERDC_2_CALL_ERROR", method: "upload.getFile", times: 2 });
  expect(await run()).toEqual(undisturbed);
});

test("the account's own picture comes with the first connection", async () => {
  fixture.resetCalls();
  await fixture.fault({ kind: "error", error: "500 INTERDC_2_CALL_ERROR", method: "upload.getFile", account: "bob", times: 2 });
  const { context } = await fixture.login("bob");
  await eventually("bob's own picture", () => fixture.calls("upload.getFile") >= 3);
  await context.until((state) => "account" in state && state.account.picture.length > 1_000);
});

test("a story is posted once", async () => {
  const before = received("story").length;
  await fixture.fault({ kind: "error", error: "500 INTERDC_2_CALL_ERROR", method: "stories.sendStory", times: 2 });
  const { statusId } = await fixture.run(alice, "post-status", { type: "text", text: "Hello", privacy: "contacts" });
  expect(received("story").slice(before)).toMatchObject([{ id: statusId }]);
});

test.each(["messages.sendMedia", "stories.sendStory"])(
  "a file of which the platform lost a part is uploaded once more: %s",
  async (method) => {
    const type = method === "messages.sendMedia" ? "message" : "story";
    const before = received(type).length;
    fixture.resetCalls();
    await fixture.fault({ kind: "error", error: "400 FILE_PART_0_MISSING", method });
    if (type === "message") await fixture.run(alice, "send-message", image());
    else await fixture.run(alice, "post-status", { type: "text", text: "Hello", privacy: "contacts" });
    expect(received(type).length).toBe(before + 1);
    expect(fixture.calls("upload.saveFilePart")).toBe(2);
  },
);

test("trouble that lasts lets the session's next command begin", async () => {
  const slow = await TelegramFixture.start({ replyMs: 1_000 });
  try {
    const { session } = await slow.login("alice");
    await slow.fault({ kind: "error", error: "500 INTERNAL", method: "messages.sendMessage", times: 5 });
    let passed = 0;
    const { signal } = new AbortController();
    const call = { id: randomUUID(), signal, ending: signal, yieldLane: () => void (passed += 1), log: silentLog };
    await slow.adapter.commands["send-message"].run(session, { to: bob, type: "text", text: "at last" }, call);
    expect(passed).toBeGreaterThan(0);
  } finally {
    await slow.stop();
  }
});
