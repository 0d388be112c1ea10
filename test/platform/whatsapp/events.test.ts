import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { whatsappEventTypes } from "../../../shared/contract/webhook-events.js";
import type { WhatsAppMessage } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { UpdateEvent } from "../../../shard/session/session-context.js";
import { eventually } from "../../harness/eventually.js";
import { sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

/** What an account receives becomes events of its webhook, each stored before the platform gets a receipt. */
let fixture: WhatsAppFixture;
beforeAll(async () => {
  fixture = await WhatsAppFixture.start({ unreadableMs: 500 });
});
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

const eventsOf = ({ storage }: TestContext): readonly UpdateEvent[] => storage.updates?.events ?? [];

async function arrived(context: TestContext, count: number): Promise<readonly UpdateEvent[]> {
  return await eventually(`${count} events`, () => {
    const events = eventsOf(context);
    return events.length >= count ? events : undefined;
  });
}

async function loginFor(account: string, types: readonly string[]): Promise<TestContext> {
  const { context } = await fixture.login(account);
  context.requested = new Set(whatsappEventTypes.filter((type) => types.includes(type)));
  return context;
}

const send = (body: Record<string, unknown>): Promise<void> => fixture.control("/people/send", body);

it("reports a text of a private chat with its sender", async () => {
  const context = await loginFor("alice", ["message.new"]);
  await send({ account: "alice", text: "hello" });
  const [event] = await arrived(context, 1);
  expect(event).toMatchObject({ type: "message.new", data: { type: "text", text: "hello", fromMe: false, edited: "" } });
  const { chat, created } = event?.data as WhatsAppMessage;
  expect(chat.id).toMatch(/^\d+@(s\.whatsapp\.net|lid)$/);
  expect(chat.name).not.toBe("");
  expect(chat.phone).toMatch(/^\d+$/);
  expect(event?.created).toBe(created);
});

it("reports nothing that the receiver did not request", async () => {
  const context = await loginFor("alice", []);
  await send({ account: "alice", text: "unwanted" });
  await send({ account: "alice", chat: sharedGroups.family, text: "unwanted too" });
  context.requested = new Set(["message.new"]);
  await send({ account: "alice", text: "wanted" });
  expect(await arrived(context, 1)).toMatchObject([{ data: { text: "wanted" } }]);
});

it("reports messages of a chat in the order of their arrival", async () => {
  const context = await loginFor("alice", ["message.new"]);
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  for (const text of texts) await send({ account: "alice", text });
  expect((await arrived(context, 20)).map(({ data }) => (data as WhatsAppMessage).text)).toEqual(texts);
});

it("reports messages of a group with their author", async () => {
  const context = await loginFor("alice", ["group.message.new"]);
  await send({ account: "alice", chat: sharedGroups.family, from: "bob", text: "hi all" });
  const [event] = await arrived(context, 1);
  expect(event).toMatchObject({ type: "group.message.new", data: { text: "hi all", chat: { id: sharedGroups.family } } });
  expect((event?.data as WhatsAppMessage).author?.id).toMatch(/@(s\.whatsapp\.net|lid)$/);
});

it("reports edits and deletions of a message, and what the other side has read", async () => {
  const context = await loginFor("alice", ["message.edited", "message.deleted", "message.read", "message.delivered"]);
  await fixture.control("/people/edit", { account: "alice", messageId: "MID1", text: "better" });
  await fixture.control("/people/delete", { account: "alice", messageId: "MID2" });
  await fixture.control("/people/read", { account: "alice", messageId: "MID3" });
  const events = await arrived(context, 4);
  expect(events.map(({ type }) => type).sort()).toEqual(["message.deleted", "message.delivered", "message.edited", "message.read"]);
  const data = Object.fromEntries(events.map((event) => [event.type, event.data]));
  expect(data["message.edited"]).toMatchObject({ id: "MID1", text: "better" });
  expect((data["message.edited"] as WhatsAppMessage).edited).not.toBe("");
  expect(data["message.deleted"]).toMatchObject({ ids: ["MID2"] });
  expect(data["message.read"]).toMatchObject({ ids: ["MID3"], until: "MID3", by: "them" });
  expect(data["message.delivered"]).toMatchObject({ ids: ["MID3"] });
});

it("confirms the receipts of others, which the platform would deliver again", async () => {
  const context = await loginFor("alice", ["message.read", "message.delivered"]);
  await fixture.control("/people/read", { account: "alice", messageId: "MID4" });
  await arrived(context, 2);
  await eventually("what came at login is confirmed too", () => fixture.calls("ack") >= 2);
  fixture.resetCalls();
  await fixture.control("/people/read", { account: "alice", messageId: "MID5" });
  await arrived(context, 4);
  await eventually("two acks", () => fixture.calls("ack") >= 2);
});
