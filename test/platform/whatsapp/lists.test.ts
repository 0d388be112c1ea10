import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { QueryTimeout } from "../../../shard/whatsapp/network/connection-error.js";
import { readOwnPicture } from "../../../shard/whatsapp/own-picture.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import { eventually } from "../../harness/eventually.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  const opened = await fixture.login("alice");
  alice = opened.session;
  await eventually("the address book is read", () => opened.context.storage.peers.size >= 180);
});
afterAll(() => fixture.stop());

describe("chats", () => {
  test("cannot be listed while the gateway keeps no history", async () => {
    const off = { status: 409, message: "history is off: the gateway keeps no messages" };
    await expect(fixture.run(alice, "list-chats", { limit: 50, after: "" })).rejects.toMatchObject(off);
    const chat = { chat: sharedGroups.family, limit: 50, before: "" };
    await expect(fixture.run(alice, "list-chat-messages", chat)).rejects.toMatchObject(off);
  });
});

describe("groups", () => {
  test("lists those that the account is in, with details", async () => {
    const { docs } = await fixture.run(alice, "list-groups", {});
    const byId = new Map(docs.map((group) => [group.id, group]));
    expect(byId.get(sharedGroups.family)).toMatchObject({
      name: "Family 👨‍👩‍👧",
      description: "Sunday dinners\nat eight",
      picture: expect.stringMatching(/^https:/),
    });
    expect(byId.get(sharedGroups.family)?.created).toMatch(/^\d{4}-.*Z$/);
    expect(byId.get(sharedGroups.hidden)).toMatchObject({ picture: "", description: "" });
    expect(byId.get(sharedGroups.denied)).toMatchObject({ picture: "" });
    expect(byId.get(sharedGroups.undated)).toMatchObject({ name: "", created: null });
    expect(byId.has(sharedGroups.foreign)).toBe(false);
  });
  test("returns one, and 404 for an unknown one", async () => {
    expect(await fixture.run(alice, "get-group", { groupId: sharedGroups.family })).toMatchObject({
      id: sharedGroups.family,
      name: "Family 👨‍👩‍👧",
    });
    for (const groupId of [sharedGroups.foreign, "120363999999999999@g.us"])
      await expect(fixture.run(alice, "get-group", { groupId })).rejects.toMatchObject({ status: 500, message: "group not found" });
  });
  test("lists members with the names of the address book", async () => {
    const { docs } = await fixture.run(alice, "list-group-members", { groupId: sharedGroups.family });
    expect(docs).toHaveLength(8);
    expect(docs.find(({ phone }) => phone === "6281155501002")).toMatchObject({ id: "6281155501002@s.whatsapp.net", name: "Bob Builder" });
  });
  test("omits number and name of hidden members, unless the address book has them", async () => {
    const { docs } = await fixture.run(alice, "list-group-members", { groupId: sharedGroups.hidden });
    expect(docs.every(({ id }) => id.endsWith("@lid"))).toBe(true);
    const hidden = docs.filter(({ phone }) => phone === "");
    expect(hidden.length).toBeGreaterThan(5);
    expect(hidden.every(({ name }) => name === "")).toBe(true);
    expect(docs.filter(({ name }) => name !== "").length).toBeGreaterThan(5);
  });
});

describe("channels", () => {
  test("lists those that the account follows or manages", async () => {
    const { docs } = await fixture.run(alice, "list-channels", {});
    const byId = new Map(docs.map((channel) => [channel.id, channel]));
    expect(byId.get(sharedChannels.alice)).toMatchObject({ name: "Alice's News 📰", isOwner: true });
    expect(byId.get(sharedChannels.bob)).toMatchObject({
      isOwner: true,
      picture: expect.stringMatching(/^https:\/\/mmg\.whatsapp\.net\//),
    });
    expect(byId.get(sharedChannels.daily)).toMatchObject({ isOwner: false });
    expect(byId.get(sharedChannels.plain)).toMatchObject({ picture: "" });
    expect(byId.has(sharedChannels.foreign)).toBe(false);
    for (const { created } of docs) expect(created).toBe(new Date(created).toISOString());
  });
  test("returns one, and 404 for an unknown one", async () => {
    expect(await fixture.run(alice, "get-channel", { channelId: sharedChannels.daily })).toMatchObject({
      id: sharedChannels.daily,
      name: "أخبار اليوم",
    });
    await expect(fixture.run(alice, "get-channel", { channelId: "120363999999999999@newsletter" })).rejects.toMatchObject({
      status: 500,
      message: "channel not found",
    });
  });
  test("pages through messages, newest first", async () => {
    const first = await fixture.run(alice, "list-channel-messages", { channelId: sharedChannels.daily, limit: 5, before: 0 });
    expect(first.docs).toHaveLength(5);
    const ids = first.docs.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const next = await fixture.run(alice, "list-channel-messages", { channelId: sharedChannels.daily, limit: 5, before: ids.at(-1) ?? 0 });
    expect(next.docs.map(({ id }) => Number(id))).toEqual(ids.map((id) => id - 5));
    expect(await fixture.run(alice, "list-channel-messages", { channelId: sharedChannels.plain, limit: 5, before: 0 })).toEqual({
      docs: [],
    });
  });
});

test("pictures that the platform says nothing of cost a list of groups one wait, and the account's own is not taken for gone", async () => {
  await fixture.control("/accounts", { account: "gregarious", groups: 25 });
  const { session } = await fixture.login("gregarious");
  await fixture.control("/faults", { kind: "stall", account: "gregarious", method: "iq w:profile:picture" });
  fixture.resetCalls();
  const { docs } = await fixture.run(session, "list-groups", {});
  expect(docs.length).toBeGreaterThanOrEqual(25);
  expect(docs.filter(({ picture }) => picture !== "")).toEqual([]);
  // Ten pictures are requested at once. The account's own picture may still be requested after the login.
  expect(fixture.calls("iq w:profile:picture picture")).toBeGreaterThanOrEqual(10);
  expect(fixture.calls("iq w:profile:picture picture")).toBeLessThanOrEqual(11);
  await expect(readOwnPicture(session.connector.connected(), AbortSignal.timeout(60_000))).rejects.toThrow(QueryTimeout);
  fixture.sandbox.whatsapp.control.clearFaults();
});

test("retries the account's own picture after its host refused it for a moment", async () => {
  const { session } = await fixture.login("carol");
  await fixture.control("/faults", { kind: "error", method: "download", error: "503", times: 2 });
  const picture = await readOwnPicture(session.connector.connected(), AbortSignal.timeout(60_000));
  expect(picture).toMatch(/^data:image\/jpeg;base64,./);
  fixture.sandbox.whatsapp.control.clearFaults();
});

test("does not treat a contact without a device list as one without devices", async () => {
  const impatient = await WhatsAppFixture.start({ queryMs: 2_000 });
  try {
    const { session } = await impatient.login("bob");
    const text = { to: { kind: "phone", phone: "6281155501003" }, type: "text", text: "to all of your devices" } as const;
    await impatient.control("/faults", { kind: "stall", account: "bob", method: "iq usync" });
    impatient.resetCalls();
    await expect(impatient.run(session, "send-message", text)).rejects.toMatchObject({ status: 500, message: "session not connected" });
    expect(impatient.calls("message")).toBe(0);
    impatient.sandbox.whatsapp.control.clearFaults();
    const { messageId } = await impatient.run(session, "send-message", text);
    expect(impatient.sent("bob", messageId)).toMatchObject({
      text: "to all of your devices",
      audience: [expect.stringContaining("6281155501003")],
    });
  } finally {
    await impatient.stop();
  }
});

test("does not treat silence of the platform as a response", async () => {
  const impatient = await WhatsAppFixture.start({ queryMs: 5_000 });
  try {
    const { session } = await impatient.login("bob");
    await impatient.control("/faults", { kind: "delay", account: "bob", method: "iq w:g2", seconds: 600 });
    await expect(impatient.run(session, "list-groups", {})).rejects.toMatchObject({ status: 500, message: "session not connected" });
  } finally {
    await impatient.stop();
  }
});

test("an app state without an end keeps no message from leaving", async () => {
  const { session, context } = fixture.open();
  await fixture.control("/faults", { kind: "empty", account: "judy", method: "iq w:sync:app:state" });
  try {
    fixture.resetCalls();
    await fixture.scan("judy", await context.qr());
    await context.connected();
    await eventually("the app state is asked for", () => fixture.calls("iq w:sync:app:state sync") > 0);
    await fixture.run(session, "send-message", { to: { kind: "phone", phone: "6281155501002" }, type: "text", text: "hello" });
    expect(fixture.calls("iq w:sync:app:state sync")).toBeLessThan(40);
  } finally {
    fixture.sandbox.whatsapp.control.clearFaults();
  }
});
