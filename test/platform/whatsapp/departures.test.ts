import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { statusJid } from "../../../shard/whatsapp/group/departures.js";
import { KeyStore } from "../../../shard/whatsapp/keys/key-store.js";
import { eventually } from "../../harness/eventually.js";
import { type Client, linked } from "../../sandbox/clients/baileys-client.js";
import { contactPerson } from "../../sandbox/whatsapp/world/person.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

/** A key holder that has left must not read later messages, because it still has the key. */
let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
let context: TestContext;
/** Another person, on a client of their own. */
let bob: Client;

beforeAll(async () => {
  fixture = await WhatsAppFixture.start({ syncMs: 10_000 });
  ({ session: alice, context } = await fixture.login("alice"));
  bob = await linked(fixture.sandbox.whatsapp.server, phoneOf("bob"));
});
afterAll(async () => {
  bob.end();
  await fixture.stop();
});

const phoneOf = (name: string): string => fixture.sandbox.whatsapp.world.account(name).phone;
const jid = (name: string): string => `${phoneOf(name)}@s.whatsapp.net`;
const phones = (...names: string[]): string[] => names.map(phoneOf).sort();
const groupOf = async (...names: string[]): Promise<string> => (await bob.socket.groupCreate("Departures", names.map(jid))).id;

/** Sends a message to the group. Returns who can read it, and which strangers could. */
const write = async (group: string, text = "to all of you", of = alice) => {
  const input: MessageInput = { to: { kind: "group", id: group }, type: "text", text };
  const { messageId } = await fixture.run(of, "send-message", input);
  const { audience, strangers = [], senderKey, failures = [] } = fixture.sent("alice", messageId);
  expect(failures).toEqual([]);
  return { audience: [...audience].sort(), strangers: [...strangers], senderKey };
};
/** Resolves when Alice's side has processed a change of the group. */
const takenIn = async (group: string, change: Promise<unknown>): Promise<void> => {
  await change;
  await eventually("what was known of the group is forgotten", () => alice.connector.account.groups.get(group) === undefined);
};
const removed = (group: string, name: string): Promise<void> =>
  takenIn(group, bob.socket.groupParticipantsUpdate(group, [jid(name)], "remove"));
const added = (group: string, name: string): Promise<void> => takenIn(group, bob.socket.groupParticipantsUpdate(group, [jid(name)], "add"));

/** These devices request one of Alice's messages again, one after the other. Checks that only the last one receives it. */
const onlyLastIsResent = async (chat: string, id: string, requesters: readonly Client[]): Promise<void> => {
  const [device] = fixture.sandbox.whatsapp.server.devices(phoneOf("alice")).filter(({ connection }) => connection !== undefined);
  if (device === undefined) throw new Error("alice has no device");
  const got = (): number => requesters.at(-1)?.received.filter(({ key, message }) => key.id === id && message != null).length ?? 0;
  const [before, had] = [fixture.calls("message"), got()];
  for (const { socket, state } of requesters) {
    const registration = Buffer.alloc(4);
    registration.writeUInt32BE(state.creds.registrationId);
    await socket.sendNode({
      tag: "receipt",
      attrs: { id, to: chat, type: "retry", participant: `${device.lid}:${device.number}@lid` },
      content: [
        { tag: "retry", attrs: { count: "1", id, t: "1", v: "1" } },
        { tag: "registration", attrs: {}, content: registration },
      ],
    });
    // The server processes each request before the next device sends one.
    await socket.query({ tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "w:p" }, content: [{ tag: "ping", attrs: {} }] });
  }
  await eventually("the last one reads it", () => got() > had);
  expect(fixture.calls("message")).toBe(before + 1);
};

describe("the key of a group", () => {
  test("keeps the key while nobody leaves, also when a member joins", async () => {
    const group = await groupOf("alice", "carol");
    const { senderKey } = await write(group);
    expect(senderKey).toEqual(expect.any(Number));
    expect(await write(group)).toEqual({ audience: phones("alice", "bob", "carol"), strangers: [], senderKey });
    await added(group, "dave");
    expect(await write(group)).toEqual({ audience: phones("alice", "bob", "carol", "dave"), strangers: [], senderKey });
  });

  test("rotates the key after a member was removed, and the remaining members get it", async () => {
    const group = await groupOf("alice", "carol", "dave");
    const { senderKey } = await write(group);
    await write(group);
    await removed(group, "carol");
    const after = await write(group, "without Carol");
    expect(after).toMatchObject({ audience: phones("alice", "bob", "dave"), strangers: [] });
    expect(after.senderKey).not.toBe(senderKey);
    expect(await write(group)).toEqual(after);
    await eventually("Bob's client reads it", () =>
      bob.received.some(({ message }) => message?.extendedTextMessage?.text === "without Carol"),
    );
  });

  test("rotates the key after a member has left, and gives it to a member who rejoins", async () => {
    const group = await groupOf("alice", "carol");
    const carol = await linked(fixture.sandbox.whatsapp.server, phoneOf("carol"));
    await write(group);
    await takenIn(group, carol.socket.groupLeave(group));
    expect(await write(group)).toMatchObject({ audience: phones("alice", "bob"), strangers: [] });
    await added(group, "carol");
    expect(await write(group, "welcome back")).toMatchObject({ audience: phones("alice", "bob", "carol"), strangers: [] });
    await eventually("Carol's client reads it", () =>
      carol.received.some(({ message }) => message?.extendedTextMessage?.text === "welcome back"),
    );
    carol.end();
  });

  test("rotates the key also when a member requested a resend before the other one left", async () => {
    const group = await groupOf("alice", "carol");
    const input: MessageInput = { to: { kind: "group", id: group }, type: "text", text: "say again" };
    const { messageId } = await fixture.run(alice, "send-message", input);
    const [device] = fixture.sandbox.whatsapp.server.devices(phoneOf("alice")).filter(({ connection }) => connection !== undefined);
    if (device === undefined) throw new Error("alice has no device");
    const before = fixture.calls("message");
    const { server, world } = fixture.sandbox.whatsapp;
    await server.askRetry(device, world.account("bob"), messageId, { chat: group, keys: true });
    await eventually("the text comes again", () => fixture.calls("message") > before);
    await removed(group, "carol");
    expect(await write(group)).toMatchObject({ audience: phones("alice", "bob"), strangers: [] });
  });

  test("is another one once a member's device is linked no longer", async () => {
    const group = await groupOf("alice", "erin");
    const erin = await linked(fixture.sandbox.whatsapp.server, phoneOf("erin"));
    const { senderKey } = await write(group, "to both of your devices");
    await eventually("her device reads it", () =>
      erin.received.some(({ message }) => message?.extendedTextMessage?.text === "to both of your devices"),
    );
    await erin.socket.logout();
    await eventually("a key that the device does not have", async () => (await write(group)).senderKey !== senderKey);
    expect(await write(group)).toMatchObject({ audience: phones("alice", "bob", "erin"), strangers: [] });
  });

  test("is another one also when the member was removed while a text waited for its turn", async () => {
    const group = await groupOf("alice", "carol", "dave");
    await write(group);
    const client = alice.connector.connected();
    const { relay } = client;
    let go: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    client.relay = (...given) => {
      begin();
      return relay.apply(client, given);
    };
    const turn = client.sock.authState.keys.transaction(() => new Promise<void>((resolve) => (go = resolve)), client.me.id);
    const written = write(group);
    await begun;
    client.relay = relay;
    await removed(group, "carol");
    go();
    await turn;
    expect(await written).toMatchObject({ audience: phones("alice", "bob", "dave"), strangers: [] });
  });

  test("does not give the key to a former member who requests a resend", async () => {
    const group = await groupOf("alice", "carol");
    const carol = await linked(fixture.sandbox.whatsapp.server, phoneOf("carol"));
    const input: MessageInput = { to: { kind: "group", id: group }, type: "text", text: "to you both" };
    const { messageId } = await fixture.run(alice, "send-message", input);
    await removed(group, "carol");
    await write(group);
    await onlyLastIsResent(group, messageId, [carol, bob]);
    carol.end();
  });

  test("records a device as holding the key when it requests a resend, before anything is sent to it", async () => {
    const group = await groupOf("alice", "erin");
    const input: MessageInput = { to: { kind: "group", id: group }, type: "text", text: "before you came" };
    const { messageId } = await fixture.run(alice, "send-message", input);
    const erin = await linked(fixture.sandbox.whatsapp.server, phoneOf("erin"));
    await onlyLastIsResent(group, messageId, [erin]);
    const stored = await new KeyStore(context.secrets).readHolders(group);
    expect(Object.keys(stored)).toContain(erin.state.creds.me?.lid);
    erin.end();
  });

  test("keeps the key for an unannounced device, which gets it with the next message after it requested a resend", async () => {
    const group = await groupOf("alice", "frank");
    const input: MessageInput = { to: { kind: "group", id: group }, type: "text", text: "before you came" };
    const { messageId } = await fixture.run(alice, "send-message", input);
    const { senderKey } = await write(group);
    await fixture.control("/faults", { kind: "gap", account: "alice", seconds: 600 });
    const frank = await linked(fixture.sandbox.whatsapp.server, phoneOf("frank"));
    fixture.sandbox.whatsapp.control.clearFaults();
    await onlyLastIsResent(group, messageId, [frank]);
    const next = await fixture.run(alice, "send-message", input);
    expect(fixture.sent("alice", next.messageId)).toMatchObject({ senderKey });
    expect(fixture.sent("alice", next.messageId).devices).toContain(frank.state.creds.me?.lid);
    frank.end();
  });

  test("is changed for texts that are written at the same time, and all read all of them", async () => {
    const group = await groupOf("alice", "carol", "dave");
    await write(group);
    await removed(group, "carol");
    const written = await Promise.all(["one", "two", "three"].map((text) => write(group, text)));
    for (const sent of written) expect(sent).toEqual({ ...written[0], audience: phones("alice", "bob", "dave"), strangers: [] });
    await eventually("Bob's client reads all", () =>
      ["one", "two", "three"].every((text) => bob.received.some(({ message }) => message?.extendedTextMessage?.text === text)),
    );
  });
});

describe("the key of statuses", () => {
  const privacy = (...users: string[]): Promise<void> =>
    fixture.control("/phone/settings", { account: "alice", statusPrivacy: "whitelist", users });
  const contact = (n: number): string => contactPerson(fixture.sandbox.whatsapp.world.account("alice").index, n).phone;
  const post = async () => {
    const { statusId } = await fixture.run(alice, "post-status", { type: "text", text: "to some of you" });
    await fixture.allRead();
    const { audience, strangers = [], senderKey, failures = [] } = fixture.sent("alice", statusId);
    expect(failures).toEqual([]);
    return { audience: [...audience].sort(), strangers: [...strangers], senderKey };
  };

  test("keeps the key while the audience grows, and rotates it when a contact leaves the audience", async () => {
    const [one, two] = [contact(0), contact(1)];
    await privacy(one);
    const { senderKey } = await post();
    await privacy(one, two);
    expect(await post()).toEqual({ audience: [phoneOf("alice"), one, two].sort(), strangers: [], senderKey });
    await privacy(two);
    const after = await post();
    expect(after).toMatchObject({ audience: [phoneOf("alice"), two].sort(), strangers: [] });
    expect(after.senderKey).not.toBe(senderKey);
  });

  test("does not give the key to a contact outside the audience who requests a resend", async () => {
    const carol = await linked(fixture.sandbox.whatsapp.server, phoneOf("carol"));
    await privacy(phoneOf("carol"), phoneOf("bob"));
    const { statusId } = await fixture.run(alice, "post-status", { type: "text", text: "to you both" });
    await privacy(phoneOf("bob"));
    await post();
    await onlyLastIsResent(statusJid, statusId, [carol, bob]);
    carol.end();
  });
});

test("a member who was removed while the account was offline cannot read later messages", async () => {
  const group = await groupOf("alice", "carol");
  const { senderKey } = await write(group);
  await alice.close();
  await bob.socket.groupParticipantsUpdate(group, [jid("carol")], "remove");
  const again = fixture.open(context.storage);
  await again.context.until(() => again.context.history.includes("logged-in"));
  ({ session: alice, context } = again);
  const after = await write(group);
  expect(after).toMatchObject({ audience: phones("alice", "bob"), strangers: [] });
  expect(after.senderKey).not.toBe(senderKey);
});
