import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { eventually } from "../../harness/eventually.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
let context: TestContext;
const outcomes: string[] = [];
beforeAll(async () => {
  fixture = await WhatsAppFixture.start(
    { ackMs: 1_500, composeMs: 300 },
    { metrics: { onSend: (outcome) => void outcomes.push(outcome) } },
  );
  ({ session: alice, context } = await fixture.login("alice"));
});
afterEach(() => fixture.sandbox.whatsapp.control.clearFaults());
afterAll(() => fixture.stop());

const bob: Recipient = { kind: "phone", phone: "6281155501002" };
const text = (words: string, to: Recipient = bob): MessageInput => ({ to, type: "text", text: words });
const copies = (wanted: string): number => fixture.received("alice", "message").filter(({ id }) => id === wanted).length;

test.each<[string, Recipient]>([
  ["a person", bob],
  ["a group", { kind: "group", id: sharedGroups.family }],
  ["a channel", { kind: "newsletter", id: sharedChannels.alice }],
])("retries an unacknowledged message to %s on the same connection without sending it twice", async (_, to) => {
  const before = context.history.length;
  await fixture.control("/faults", { kind: "stall", account: "alice", method: "message", times: 2 });
  fixture.resetCalls();
  let passed = 0;
  const { messageId } = await fixture.run(alice, "send-message", text("again", to), { yieldLane: () => (passed += 1) });
  // The first two writes get no ack. A slow ack of the third may cause more.
  expect(fixture.calls("message")).toBeGreaterThanOrEqual(3);
  expect(fixture.sent("alice", messageId)).toMatchObject({ text: "again" });
  expect(fixture.sent("alice", messageId).failures ?? []).toEqual([]);
  expect(copies(messageId)).toBe(1);
  // From the first missing ack on, waiting commands may overtake this one.
  expect(passed).toBeGreaterThanOrEqual(2);
  expect(context.history.slice(before)).not.toContain("connection-lost");
});

test("an ack that comes late is that of the message, and nothing is sent twice", async () => {
  await fixture.control("/faults", { kind: "delay", account: "alice", method: "message", seconds: 2.5, times: 1 });
  const { messageId } = await fixture.run(alice, "send-message", text("late"));
  expect(copies(messageId)).toBe(1);
});

test("a missing ack blocks no other send and ends at the command's deadline", async () => {
  await fixture.control("/faults", { kind: "stall", account: "alice", method: "message" });
  const end = new AbortController();
  let passed = 0;
  const stuck = fixture.run(alice, "send-message", text("stuck"), { signal: end.signal, yieldLane: () => (passed += 1) });
  stuck.catch(() => undefined);
  await eventually("others may pass", () => passed > 0);
  fixture.sandbox.whatsapp.control.clearFaults();
  await fixture.control("/faults", { kind: "stall", account: "alice", method: "message", times: 1 });
  const { messageId } = await fixture.run(alice, "send-message", text("passes by"));
  expect(copies(messageId)).toBe(1);
  end.abort(new Error("its time is over"));
  await stuck.catch(() => undefined);
});

test("a file that is slow in coming holds up its own message only", async () => {
  await fixture.control("/faults", { kind: "delay", account: "alice", method: "upload", seconds: 600, times: 1 });
  let passed = 0;
  const order: string[] = [];
  const image: MessageInput = { to: bob, type: "image", text: "slow", image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" } };
  const slow = fixture.run(alice, "send-message", image, { yieldLane: () => (passed += 1) }).then(() => order.push("slow"));
  await eventually("others may pass", () => passed >= 1);
  await fixture.run(alice, "send-message", text("quick")).then(() => order.push("quick"));
  fixture.sandbox.whatsapp.control.clearFaults();
  await slow;
  expect(order).toEqual(["quick", "slow"]);
});

test("a command whose time ends meanwhile ends with it", async () => {
  await fixture.control("/faults", { kind: "stall", account: "alice", method: "message" });
  const end = new AbortController();
  outcomes.length = 0;
  const stuck = fixture.run(alice, "send-message", text("never"), {
    signal: end.signal,
    yieldLane: () => end.abort(new Error("its time is over")),
  });
  await expect(stuck).rejects.toThrow("its time is over");
  expect(outcomes).toEqual(["lost"]);
});

test("a lost ack is made up for on the next connection, once, and a login that is over ends the wait at once", async () => {
  await fixture.control("/faults", { kind: "lost-ack", account: "alice" });
  const { messageId } = await fixture.run(alice, "send-message", text("lost and found"));
  expect(copies(messageId)).toBe(1);
  await fixture.control("/faults", { kind: "stall", account: "alice", method: "message" });
  const cut = fixture.run(alice, "send-message", text("cut off"), {
    yieldLane: () => void fixture.sandbox.whatsapp.control.unlink("alice"),
  });
  await expect(cut).rejects.toMatchObject({ status: 500, message: "session not connected" });
});
