import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/whatsapp/message.js";
import { silentLog, type Log } from "../../../shared/log/logger.js";
import { eventually } from "../../harness/eventually.js";
import { type Client, linked } from "../../sandbox/clients/baileys-client.js";
import { sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
/** The warnings that operators read. */
const warnings: string[] = [];
const log: Log = { ...silentLog, child: () => log, warn: (...line: unknown[]) => void warnings.push(String(line[1])) };
/** For each group message, the number of devices that were left out. */
const leftOut: number[] = [];
beforeAll(
  async () => void (fixture = await WhatsAppFixture.start({}, { log, metrics: { onLeftOut: (devices) => void leftOut.push(devices) } })),
);
beforeEach(() => void (warnings.length = 0));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

const bob: Recipient = { kind: "phone", phone: "6281155501002" };
const text = (to: Recipient): MessageInput => ({ to, type: "text", text: "for your eyes only" });
/** Forges until the faults are cleared. */
const forge = (method: string, account?: string): Promise<void> =>
  fixture.control("/faults", { kind: "forge", method, times: 1_000, ...(account !== undefined && { account }) });
const clear = (): void => fixture.sandbox.whatsapp.control.clearFaults();
/** Resolves when the warning was logged twice: the first attempt and its retry were refused. */
const refusedTwice = (context: TestContext, sentence: string): Promise<boolean> =>
  eventually(sentence, () => context.failures.filter((failure) => failure.startsWith(sentence)).length >= 2);

const certificates: [string, string][] = [
  ["certificate-root", "the server's certificate is not the platform's"],
  ["certificate-signature", "the server's certificate is forged"],
  ["certificate-issuer", "the server's certificate is of another issuer"],
  ["certificate-server", "the server's certificate is another server's"],
  ["certificate-date", "the server's certificate is not valid at this time of ours"],
];

describe("a server that is not the platform", () => {
  test.each(certificates)("learns nothing of a login: %s", async (forged, sentence) => {
    const { session, context } = await fixture.login("alice");
    await forge(forged);
    fixture.resetCalls();
    await fixture.control("/faults", { kind: "drop", account: "alice" });
    await refusedTwice(context, sentence);
    expect(fixture.calls("login")).toBe(0);
    expect(context.state()).toMatchObject({ kind: "disconnected", account: { phone: "6281155501001" } });
    await expect(fixture.run(session, "send-message", text(bob))).rejects.toMatchObject({ status: 500, message: "session not connected" });
    clear();
    await context.connected();
    expect(context.history.filter((event) => event === "qr-issued")).toHaveLength(1);
  });

  test("gives no code to a new session", async () => {
    await forge("certificate-signature");
    fixture.resetCalls();
    const { context } = fixture.open();
    await refusedTwice(context, "the server's certificate is forged");
    expect(fixture.calls("registration")).toBe(0);
    expect(context.history).not.toContain("qr-issued");
    clear();
    expect(await context.qr()).toMatch(/^https:/);
  });
});

describe("a link that is not the account's", () => {
  test.each([
    ["link-seal", "the link is not of the phone that took the code"],
    ["account-signature", "the link is not signed by the account"],
  ])("is not made, and another code is shown: %s", async (forged, sentence) => {
    const { context } = fixture.open();
    const before = fixture.sandbox.whatsapp.server.devices("6281155501003").length;
    await forge(forged, "carol");
    const code = await context.qr();
    await expect(fixture.scan("carol", code)).rejects.toThrow("client closed the connection");
    await eventually(sentence, () => context.failures.some((failure) => failure.startsWith(sentence)));
    expect(fixture.sandbox.whatsapp.server.devices("6281155501003")).toHaveLength(before);
    expect(context.history).not.toContain("logged-in");
    clear();
    await fixture.scan("carol", await context.qr(code));
    await context.connected();
  });
});

describe("keys that are not a contact's", () => {
  test("receive nothing: a message with no other recipient is rejected, and is sent once the keys are the contact's", async () => {
    const { session } = await fixture.login("alice");
    await forge("signed-prekey", "bob");
    fixture.resetCalls();
    await expect(fixture.run(session, "send-message", text(bob))).rejects.toMatchObject({
      status: 500,
      message: "none of the devices that the message is for has usable keys",
    });
    expect(fixture.calls("message")).toBe(0);
    expect(warnings).toContain("device with forged prekey omitted from message");
    clear();
    const { messageId } = await fixture.run(session, "send-message", text(bob));
    expect(fixture.sent("alice", messageId)).toMatchObject({ text: "for your eyes only", audience: [expect.stringContaining(bob.phone)] });
  });

  test("get nothing of a group's message, which the others read", async () => {
    const { session } = await fixture.login("dave");
    await forge("signed-prekey", "bob");
    const { messageId } = await fixture.run(session, "send-message", text({ kind: "group", id: sharedGroups.family }));
    const { audience } = fixture.sent("dave", messageId);
    expect(audience.length).toBeGreaterThan(1);
    expect(audience).not.toContain(bob.phone);
    expect(warnings).toContain("device with forged prekey omitted from message");
  });
});

describe("a new member of a group whose keys are forged", () => {
  const phoneOf = (name: string): string => fixture.sandbox.whatsapp.world.account(name).phone;
  const jid = (name: string): string => `${phoneOf(name)}@s.whatsapp.net`;
  let erin: Client;
  beforeAll(async () => {
    clear();
    erin = await linked(fixture.sandbox.whatsapp.server, phoneOf("erin"));
  });
  afterAll(() => erin.end());

  test("does not keep others from reading messages there", async () => {
    const { session } = await fixture.login("alice");
    const { id } = await erin.socket.groupCreate("Forged", [jid("alice"), jid("carol")]);
    const write = async (text: string): Promise<string[]> => {
      const { messageId } = await fixture.run(session, "send-message", { to: { kind: "group", id }, type: "text", text });
      const { audience, failures = [] } = fixture.sent("alice", messageId);
      expect(failures).toEqual([]);
      return [...audience].sort();
    };
    const others = ["alice", "carol", "erin"].map(phoneOf).sort();
    expect(await write("to all of you")).toEqual(others);
    await forge("signed-prekey", "ivan");
    await erin.socket.groupParticipantsUpdate(id, [jid("ivan")], "add");
    await eventually("the group is another one", () => session.connector.account.groups.get(id) === undefined);
    for (const text of ["one", "two"]) expect(await write(text)).toEqual(others);
    expect(warnings).toContain("devices without usable keys omitted from group message");
    expect(leftOut).toEqual([1]);
    await eventually("the others read it", () => erin.received.some(({ message }) => message?.extendedTextMessage?.text === "two"));
  });
});

test("a group's message that its author did not sign is not read", async () => {
  const { session } = await fixture.login("alice");
  const read: string[] = [];
  session.connector.account.client?.sock.ev.on("messages.upsert", ({ messages }) => {
    for (const { message } of messages) if (message?.extendedTextMessage?.text) read.push(message.extendedTextMessage.text);
  });
  const write = (text: string): Promise<void> =>
    fixture.control("/people/send", { account: "alice", chat: sharedGroups.family, from: "bob", text });
  await write("of Bob");
  await eventually("Bob's message", () => read.includes("of Bob"));
  await forge("group-signature", "bob");
  await write("of somebody else");
  // The library requests another copy, which is forged too.
  await eventually("both copies are refused", () => warnings.filter((line) => line === "forged message rejected").length >= 2);
  expect(read).not.toContain("of somebody else");
  // From here on, another copy would be the genuine message.
  clear();
  await write("of Bob again");
  await eventually("Bob's next message", () => read.includes("of Bob again"));
});
