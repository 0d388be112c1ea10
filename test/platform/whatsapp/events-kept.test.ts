import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../harness/eventually.js";
import { sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";
import { arrived, control, deliveryOf, eventsOf, messageOf, request, textsOf } from "./received-events.js";

/** No message is lost or reported twice, whatever goes wrong between its delivery and its receipt. */
let fixture: WhatsAppFixture;
const start = (unreadableMs: number): void => {
  beforeAll(async () => {
    fixture = await WhatsAppFixture.start({ unreadableMs });
  });
  afterEach(() => fixture.closeSessions());
  afterAll(() => fixture.stop());
};

const login = async (): Promise<TestContext> => request((await fixture.login("alice")).context, ["message.new"]);
const send = async (text: string, more: Record<string, unknown> = {}): Promise<unknown> =>
  (await control(fixture, "/people/send", { account: "alice", text, ...more }))["messageId"];
const fault = (fields: Record<string, unknown>): Promise<unknown> => control(fixture, "/faults", { account: "alice", ...fields });
const receipts = async (id: unknown): Promise<number> =>
  (await deliveryOf(fixture, "alice", id))?.confirmations.filter(({ by, type }) => by === "receipt" && type !== "retry").length ?? 0;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Holds or refuses writes with events while `until` is pending. */
function holdEvents(context: TestContext, until: Promise<void>): void {
  const { apply } = context.secrets;
  Object.assign(context.secrets, {
    apply: async (...[changes, events]: Parameters<typeof apply>) => {
      if (events !== undefined && events.length > 0) await until;
      await apply(changes, events);
    },
  });
}

describe("a message that is delivered twice", () => {
  start(10_000);

  it("gives one event and gets two receipts if it is delivered again later", async () => {
    const context = await login();
    const id = await send("once");
    await arrived(context, 1);
    await eventually("its receipt", async () => (await receipts(id)) === 1);
    await fault({ kind: "redeliver", times: 1 });
    await eventually("another receipt", async () => (await receipts(id)) === 2, 20_000);
    await send("next");
    expect(textsOf(await arrived(context, 2))).toEqual(["once", "next"]);
  });

  it("gives one event if both copies come at once", async () => {
    const context = await login();
    await fault({ kind: "duplicate", seconds: 2 });
    const id = await send("twice");
    await eventually("two receipts", async () => (await receipts(id)) === 2, 20_000);
    await send("next");
    expect(textsOf(await arrived(context, 2))).toEqual(["twice", "next"]);
  });
});

describe("a message that cannot be decrypted", () => {
  start(10_000);

  it("is reported when its sender sends it again", async () => {
    const context = await login();
    await fault({ kind: "unreadable" });
    const id = await send("at last");
    const [event] = await arrived(context, 1);
    expect(messageOf(event)).toMatchObject({ id, type: "text", text: "at last" });
    await send("next");
    expect(textsOf(await arrived(context, 2))).toEqual(["at last", "next"]);
  });

  it("is reported with its content if the account's phone sends it again", async () => {
    const context = await login();
    const id = await send("from the phone", { unavailable: true });
    expect(messageOf((await arrived(context, 1))[0])).toMatchObject({ id, text: "from the phone", fromMe: false });
  });
});

describe("a message that cannot be decrypted and that nobody sends again in time", () => {
  // The phone responds after two seconds.
  start(400);

  it("is reported as other after a while if it does not come", async () => {
    const context = await login();
    await fault({ kind: "unreadable", error: "never" });
    const id = await send("never");
    const [event] = await arrived(context, 1);
    expect(event).toMatchObject({ type: "message.new", data: { id, type: "other", text: "" } });
  });

  it("is reported by the session's next owner", async () => {
    const context = await login();
    await fault({ kind: "unreadable", error: "never" });
    const id = await send("never");
    await eventually("it is stored", () => context.storage.secrets?.has("unreadable-messages"));
    await fixture.closeSessions();
    expect(eventsOf(context)).toHaveLength(0);
    const next = request(fixture.open(context.storage).context, ["message.new"]);
    expect(messageOf((await arrived(next, 1))[0])).toMatchObject({ id, type: "other" });
  });
});

describe("messages of an absence", () => {
  start(10_000);

  it("are reported in their order, before those that come meanwhile", async () => {
    const context = await login();
    await fixture.closeSessions();
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    for (const text of texts.slice(0, 30)) await send(text);
    const next = request(fixture.open(context.storage).context, ["message.new"]);
    for (const text of texts.slice(30)) await send(text);
    const events = await arrived(next, texts.length);
    expect(textsOf(events)).toEqual(texts);
    expect(events.every(({ created }) => Math.abs(Date.parse(created) - Date.now()) < 60_000)).toBe(true);
  });
});

describe("the receipt of a message", () => {
  start(10_000);

  it("does not leave before the message's event is stored", async () => {
    const context = await login();
    let release = (): void => undefined;
    holdEvents(context, new Promise((resolve) => (release = resolve)));
    const id = await send("held");
    const second = await send("held too");
    await pause(1_000);
    expect(await receipts(id)).toBe(0);
    expect(eventsOf(context)).toEqual([]);
    release();
    expect(textsOf(await arrived(context, 2))).toEqual(["held", "held too"]);
    for (const each of [id, second]) await eventually("its receipt", async () => (await receipts(each)) === 1);
  });

  it.each([
    ["a private chat", {}],
    ["a group", { chat: sharedGroups.family, from: "bob" }],
  ])("does not leave if the event cannot be stored, and the message comes again on another connection, in order: %s", async (_, chat) => {
    const context = request(await login(), ["message.new", "group.message.new"]);
    const { apply } = context.secrets;
    holdEvents(
      context,
      pause(1_500).then(() => Promise.reject(new Error("storage is gone"))),
    );
    const id = await send("first", chat);
    await pause(2_000);
    expect(await receipts(id)).toBe(0);
    await send("second", chat);
    Object.assign(context.secrets, { apply });
    expect(textsOf(await arrived(context, 2))).toEqual(["first", "second"]);
    await eventually("its receipt", async () => (await receipts(id)) === 1);
    expect((await deliveryOf(fixture, "alice", id))?.confirmations.filter(({ type }) => type === "retry")).toEqual([]);
  });
});
