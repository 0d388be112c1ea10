import { afterAll, beforeAll, expect, test } from "vitest";
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
])("a device that somebody links gets the next message to %s, and none when it is gone", async (_, to) => {
  // Asks for the devices of everybody there, and remembers them for hours.
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
