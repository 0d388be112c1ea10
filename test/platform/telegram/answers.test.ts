import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { MessageInput } from "../../../shared/contract/telegram/message.js";
import { silentLog } from "../../../shared/log/logger.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
beforeAll(async () => {
  fixture = await TelegramFixture.start({ replyMs: 1_500, composeMs: 60_000 });
  ({ session: alice } = await fixture.login("alice"));
});
afterEach(() => fixture.sandbox.telegram.control.clearFaults());
afterAll(() => fixture.stop());

const bob = { kind: "username", chat: { kind: "username", username: "bob_sandbox" } } as const;
const text = (words: string): MessageInput => ({ to: bob, type: "text", text: words });
const copies = (words: string): number =>
  fixture.sandbox.telegram.control.received("alice").filter((one) => one["type"] === "message" && one["text"] === words).length;

function send(
  input: MessageInput,
  yieldLane: () => void = () => undefined,
  signal = new AbortController().signal,
): Promise<{ messageId: string }> {
  return fixture.adapter.commands["send-message"].run(alice, input, {
    id: randomUUID(),
    signal,
    ending: signal,
    yieldLane,
    log: silentLog,
  });
}

test("retries an unacknowledged message on the same connection without sending it twice", async () => {
  await fixture.fault({ kind: "stall", account: "alice", method: "messages.sendMessage", times: 2 });
  const [connection] = fixture.connections();
  fixture.resetCalls();
  let passed = 0;
  const { messageId } = await send(text("unanswered"), () => (passed += 1));
  expect(messageId).not.toBe("");
  expect(copies("unanswered")).toBe(1);
  // Two tries get no reply. More tries follow if the reply to the third is late as well.
  expect(fixture.calls("messages.sendMessage")).toBeGreaterThanOrEqual(3);
  // The next command may start after the first missing reply.
  expect(passed).toBeGreaterThanOrEqual(2);
  expect(fixture.connections()[0]).toEqual(connection);
});

test("accepts a late response to a send without sending it twice", async () => {
  await fixture.fault({ kind: "delay", account: "alice", method: "messages.sendMessage", seconds: 2.5, times: 1 });
  const { messageId } = await send(text("late"));
  expect(messageId).not.toBe("");
  expect(copies("late")).toBe(1);
});

test("waits out a flood wait without counting it as a missing response", async () => {
  await fixture.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 1 });
  let passed = 0;
  await send(text("asked to wait"), () => (passed += 1));
  expect(copies("asked to wait")).toBe(1);
  expect(passed).toBe(0);
});

test("counts a wait before the recipient is found against the command's deadline, not the call's", async () => {
  const hasty = await TelegramFixture.start({ callMs: 5_000 });
  try {
    const { session } = await hasty.login("alice");
    await hasty.fault({ kind: "flood-wait", account: "alice", method: "contacts.resolvePhone", seconds: 6 });
    await expect(
      hasty.run(session, "send-message", { to: { kind: "phone", digits: "15550100002" }, type: "text", text: "found" }),
    ).resolves.toMatchObject({ messageId: expect.stringMatching(/^\d+$/) as string });
  } finally {
    await hasty.stop();
  }
});

test("a missing response blocks no other send and ends at the command's deadline", async () => {
  await fixture.fault({ kind: "stall", account: "alice", method: "messages.sendMessage" });
  const end = new AbortController();
  let passed = 0;
  const stuck = send(text("stuck"), () => (passed += 1), end.signal);
  stuck.catch(() => undefined);
  await eventually("others may pass", () => passed > 0);
  await send({ to: bob, type: "location", location: { latitude: 1, longitude: 2 } });
  end.abort(new Error("its time is over"));
  await expect(stuck).rejects.toThrow("its time is over");
});
