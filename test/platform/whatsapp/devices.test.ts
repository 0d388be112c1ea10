import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { eventually } from "../../harness/eventually.js";
import { sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  ({ session: alice } = await fixture.login("alice"));
});
afterAll(() => fixture.stop());

const bob = "6281155501002";
const send = async (to: Recipient): Promise<string[]> => {
  const input: MessageInput = { to, type: "text", text: "to all of your devices" };
  const { messageId } = await fixture.run(alice, "send-message", input);
  expect(fixture.sent("alice", messageId).failures ?? []).toEqual([]);
  return [...fixture.sent("alice", messageId).devices];
};
const bobsDevices = (devices: readonly string[]): string[] => {
  const { phone, lid } = fixture.sandbox.whatsapp.world.account("bob");
  return devices
    .flatMap((jid) => [new RegExp(`^(?:${phone}|${lid})(?::(\\d+))?@`).exec(jid)])
    .flatMap((match) => (match === null ? [] : [match[1] ?? "0"]));
};

test.each<[string, Recipient]>([
  ["a person", { kind: "phone", phone: bob }],
  ["a group", { kind: "group", id: sharedGroups.family }],
])("sends the next message to %s to a newly linked device, and none after the device is removed", async (_, to) => {
  // Reads the devices of everybody in the chat, which are then remembered for hours.
  await send(to);
  expect(bobsDevices(await send(to))).not.toContain("1");
  fixture.resetCalls();
  const { session } = await fixture.login("bob");
  const [linked] = fixture.sandbox.whatsapp.server.devices(bob);
  if (linked === undefined) throw new Error("bob has no device");
  await eventually("alice has taken it in", () => fixture.calls("ack") > 0);
  await eventually("the new device is among the recipients", async () => bobsDevices(await send(to)).includes(String(linked.number)));
  await session.connector.logOut(AbortSignal.timeout(10_000));
  await session.close();
  await eventually("the device is gone again", async () => !bobsDevices(await send(to)).includes(String(linked.number)));
});

describe("a device whose announcement was lost", () => {
  const carol = "6281155501003";
  const reached = (id: string, phone: string): string[] => {
    const { lid } = fixture.sandbox.whatsapp.world.accounts.ofPhone(phone) ?? { lid: "" };
    return fixture.sent("alice", id).devices.flatMap((jid) => new RegExp(`^(?:${phone}|${lid})(?::(\\d+))?@`).exec(jid)?.[1] ?? []);
  };
  const link = async (account: string, phone: string) => {
    await fixture.control("/faults", { kind: "gap", account: "alice", seconds: 60 });
    const { session } = await fixture.login(account);
    fixture.sandbox.whatsapp.control.clearFaults();
    const linked = fixture.sandbox.whatsapp.server.devices(phone).at(-1);
    if (linked === undefined) throw new Error(`${account} has no device`);
    return { session, number: String(linked.number) };
  };

  test.each<[string, string, string, Recipient]>([
    ["a person", "carol", carol, { kind: "phone", phone: carol }],
    ["the account itself", "alice", "6281155501001", { kind: "phone", phone: carol }],
    ["a member of a group", "bob", bob, { kind: "group", id: sharedGroups.family }],
  ])("gets the text that it missed, and all later ones: %s", async (_, account, phone, to) => {
    await send(to);
    await send(to);
    const { session, number } = await link(account, phone);
    const { messageId } = await fixture.run(alice, "send-message", { to, type: "text", text: "who is there?" });
    await eventually("the missing device has it", () => reached(messageId, phone).includes(number));
    const next = await fixture.run(alice, "send-message", { to, type: "text", text: "and now?" });
    expect(reached(next.messageId, phone)).toContain(number);
    await session.connector.logOut(AbortSignal.timeout(10_000));
    await session.close();
  });

  test.each<[string, Recipient]>([
    ["a person", { kind: "phone", phone: carol }],
    ["a group", { kind: "group", id: sharedGroups.family }],
  ])("gets the text to %s that the platform refused with 479 without it", async (_, to) => {
    const [account, phone] = to.kind === "phone" ? ["carol", carol] : ["bob", bob];
    await send(to);
    await send(to);
    const { session, number } = await link(account, phone);
    await fixture.control("/faults", { kind: "error", account: "alice", method: "message", error: "479", times: 1 });
    const { messageId } = await fixture.run(alice, "send-message", { to, type: "text", text: "once more" });
    expect(reached(messageId, phone)).toContain(number);
    await session.connector.logOut(AbortSignal.timeout(10_000));
    await session.close();
  });

  test("gets the status that the platform refused with 479 without it", async () => {
    await fixture.run(alice, "post-status", { type: "text", text: "who sees this?" });
    const { session, number } = await link("carol", carol);
    await fixture.control("/faults", { kind: "error", account: "alice", method: "message", error: "479", times: 1 });
    const { statusId } = await fixture.run(alice, "post-status", { type: "text", text: "and this?" });
    await fixture.allRead();
    expect(reached(statusId, carol)).toContain(number);
    expect(fixture.sent("alice", statusId).failures ?? []).toEqual([]);
    await session.connector.logOut(AbortSignal.timeout(10_000));
    await session.close();
  });

  test("a text that the platform refuses with 479 although no device has changed is refused, without a second try", async () => {
    await send({ kind: "phone", phone: carol });
    await fixture.control("/faults", { kind: "error", account: "alice", method: "message", error: "479", times: 1 });
    fixture.resetCalls();
    const refused = fixture.run(alice, "send-message", { to: { kind: "phone", phone: carol }, type: "text", text: "no" });
    await expect(refused).rejects.toMatchObject({ status: 500, message: expect.stringMatching(/^479: /) as string });
    expect(fixture.calls("message")).toBe(1);
  });
});

describe("the account's own number", () => {
  const own = "6281155501001";
  test("receives one copy per device, also after a message to it or to another person", async () => {
    const fresh = await fixture.login("judy");
    const judy = fixture.sandbox.whatsapp.world.account("judy").phone;
    const devicesOf = async (phone: string): Promise<string[]> => {
      const input: MessageInput = { to: { kind: "phone", phone }, type: "text", text: "each device once" };
      const { messageId } = await fixture.run(fresh.session, "send-message", input);
      return [...fixture.sent("judy", messageId).devices];
    };
    fixture.resetCalls();
    expect(await devicesOf(judy)).toHaveLength(1);
    expect(await devicesOf(own)).toHaveLength(new Set(await devicesOf(own)).size);
    expect(await devicesOf(judy)).toHaveLength(1);
  });
});
