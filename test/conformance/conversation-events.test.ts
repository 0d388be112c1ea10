import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import type { WebhookReceiver } from "../harness/webhook-receiver.js";
import { eachPlatform } from "./platforms-under-test.js";
import { bodyOf, nextSecond, receiverToken, typesOf, WebhookStage } from "./webhook-stage.js";

/** Tests the events of reactions, votes and groups, which a receiver gets if it lists them, on both platforms. */
let gateway: HeldCluster;
beforeAll(async () => {
  gateway = await startHeldCluster({ overrides: { webhookTiming: { delaysMs: [20], delayMaxMs: 20 } } });
});
afterAll(() => gateway.stop());

const groupEvents = ["group.message.new", "group.message.edited", "group.message.deleted", "message.reaction"];

describe.each(eachPlatform)("$platform: events of conversations", ({ platform }) => {
  let stage: WebhookStage;
  let caller: Caller;
  let family: string;
  beforeAll(async () => {
    stage = await WebhookStage.open(gateway, { platform });
    ({ caller } = stage);
    const { docs } = (await caller.get("/group")).body as { docs: { id: string; name: string }[] };
    family = docs.find(({ name }) => name.startsWith("Family"))?.id ?? "";
  });
  afterEach(() => stage.turnOff());

  it("report each change of a reaction in a private chat", async () => {
    const receiver = await stage.turnOn({ events: ["message.reaction"] });
    const messageId = await stage.people("send", { text: "Shall we?" });
    for (const reaction of ["👍", "🔥", ""]) await stage.people("edit", { messageId, reaction });
    await eventually("three reactions", () => receiver.taken.length >= 3);
    expect(dataOf(receiver)).toMatchObject([
      { messageId, fromMe: false, emoji: "👍" },
      { messageId, fromMe: false, emoji: "🔥" },
      { messageId, fromMe: false, emoji: "" },
    ]);
    expect(dataOf(receiver)[0]).not.toHaveProperty("author");
  });

  it("report messages and reactions of a group in their order, with the author", async () => {
    const receiver = await stage.turnOn({ events: groupEvents });
    const bob = { chat: family, from: "bob" };
    const messageId = await stage.people("send", { ...bob, text: "Dinner at six" });
    await stage.people("edit", { ...bob, messageId, text: "Dinner at seven" });
    await stage.people("edit", { chat: family, from: "carol", messageId, reaction: "👍" });
    await stage.people("delete", { ...bob, messageId });
    await eventually("four events", () => receiver.taken.length >= 4);
    expect(typesOf(receiver)).toEqual(["group.message.new", "group.message.edited", "message.reaction", "group.message.deleted"]);
    const [sent, edited, reaction, deleted] = dataOf(receiver);
    const chat = { id: family };
    expect(sent).toMatchObject({ id: messageId, chat, text: "Dinner at six", fromMe: false });
    expect(edited).toMatchObject({ id: messageId, chat, text: "Dinner at seven" });
    expect(reaction).toMatchObject({ messageId, chat, emoji: "👍", fromMe: false });
    expect(deleted).toMatchObject({ chat, ids: [messageId] });
    const [bobSeen, carolSeen] = [authorOf(sent), authorOf(reaction)];
    expect(authorOf(edited)).toEqual(bobSeen);
    expect(bobSeen.name).not.toBe("");
    expect(carolSeen.id).not.toBe(bobSeen.id);
  });

  it("report votes in a poll of a group, changed and withdrawn ones too", async () => {
    const receiver = await stage.turnOn({ events: ["poll.vote"] });
    const options = ["At seven", "At eight"];
    const messageId = await stage.people("send", { chat: family, from: "bob", media: "poll", options });
    // Telegram gives votes to people who have voted.
    await stage.people("vote", { chat: family, messageId, out: true, options: ["At seven"] });
    await eventually("the own vote", () => receiver.taken.length >= 1);
    for (const [index, chosen] of [["At seven"], ["At eight"], []].entries()) {
      await stage.people("vote", { chat: family, from: "carol", messageId, options: chosen });
      await eventually("the vote", () => receiver.taken.length >= index + 2);
    }
    const [own, ...others] = dataOf(receiver);
    expect(own).toMatchObject({ chat: { id: family }, messageId, fromMe: true, options: ["At seven"] });
    expect(others.map(({ options: chosen }) => chosen)).toEqual([["At seven"], ["At eight"], []]);
    expect(new Set(others.map((one) => authorOf(one).id)).size).toBe(1);
  });

  it("of groups during an absence come after the reconnection, in their order", async () => {
    const receiver = await stage.turnOn({ events: ["group.message.new"] });
    await stage.people("send", { chat: family, from: "bob", text: "before" });
    await eventually("the first", () => receiver.taken.length >= 1);
    await stage.side.fault({ account: "alice", kind: "drop", seconds: 600 });
    const texts = ["while away 1", "while away 2", "while away 3"];
    for (const text of texts) await stage.people("send", { chat: family, from: "bob", text });
    await stage.side.clearFaults();
    await eventually("all events", () => receiver.taken.length >= 4);
    expect(dataOf(receiver).map(({ text }) => text)).toEqual(["before", ...texts]);
  });

  it("do not come from before the receiver listed them", async () => {
    const first = await stage.turnOn();
    await stage.people("send", { chat: family, from: "bob", text: "not listed" });
    await stage.people("send", { text: "private" });
    await eventually("the private one", () => first.taken.length >= 1);
    await nextSecond();
    await stage.put({ url: first.url, token: receiverToken, events: ["group.message.new"] });
    await stage.people("send", { chat: family, from: "bob", text: "listed" });
    await eventually("the listed one", () => first.taken.length >= 2);
    expect(dataOf(first).map(({ text }) => text)).toEqual(["private", "listed"]);
  });
});

interface Data {
  readonly text?: string;
  readonly fromMe?: boolean;
  readonly options?: readonly string[];
  readonly author?: { readonly id: string; readonly name: string };
}

const dataOf = ({ taken }: WebhookReceiver): Data[] => taken.map((one) => bodyOf(one).data as Data);

function authorOf(data: Data | undefined): { readonly id: string; readonly name: string } {
  if (data?.author === undefined) throw new Error("the event has no author");
  return data.author;
}
