import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { eventually } from "../../harness/eventually.js";
import { type Client, linked } from "../../sandbox/clients/baileys-client.js";
import { WhatsAppFixture } from "./fixture.js";

/** Groups that other people make and change while the account is a member. A remembered group must not outlive a change. */
let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
/** Another person, on a client of their own. */
let bob: Client;

beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  ({ session: alice } = await fixture.login("alice"));
  bob = await linked(fixture.sandbox.whatsapp.server, phoneOf("bob"));
});
afterAll(async () => {
  bob.end();
  await fixture.stop();
});

const phoneOf = (name: string): string => fixture.sandbox.whatsapp.world.account(name).phone;
const jid = (name: string): string => `${phoneOf(name)}@s.whatsapp.net`;
const phones = (...names: string[]): string[] => names.map(phoneOf).sort();

/** Sends a message to the group. Returns who can read it. */
const audience = async (group: string): Promise<string[]> => {
  const input: MessageInput = { to: { kind: "group", id: group }, type: "text", text: "to all of you" };
  const { messageId } = await fixture.run(alice, "send-message", input);
  const sent = fixture.sent("alice", messageId);
  expect(sent.failures ?? []).toEqual([]);
  return [...sent.audience].sort();
};
const groups = async (): Promise<Map<string, string>> => {
  const { docs } = await fixture.run(alice, "list-groups", {});
  return new Map(docs.map(({ id, name }) => [id, name]));
};
const members = async (groupId: string): Promise<string[]> => {
  const { docs } = await fixture.run(alice, "list-group-members", { groupId });
  return docs.map(({ phone }) => phone.replace(/\D/g, "")).sort();
};
/** Resolves when Alice's side has processed a change of the group. */
const takenIn = async (group: string, change: Promise<unknown>): Promise<void> => {
  await change;
  await eventually("what was known of the group is forgotten", () => alice.connector.account.groups.get(group) === undefined);
};

describe("a group that another person creates with the account in it", () => {
  test("is listed at once, and both write there", async () => {
    const { id } = await bob.socket.groupCreate("From outside", [jid("alice"), jid("carol")]);
    await eventually("it is listed", async () => (await groups()).get(id) === "From outside");
    expect(await members(id)).toEqual(phones("alice", "bob", "carol"));
    expect(await audience(id)).toEqual(phones("alice", "bob", "carol"));
    await bob.send(id, { text: "hello Alice" });
    await eventually("it arrived at Bob's", () =>
      bob.received.some(({ key, message }) => key.remoteJid === id && message?.extendedTextMessage?.text === "to all of you"),
    );
  });
});

describe("members that come and go", () => {
  test("get what the account writes while they are there", async () => {
    const { id } = await bob.socket.groupCreate("Come and go", [jid("alice"), jid("carol")]);
    // After the second message, all members of the group are known to have the key.
    for (let n = 0; n < 2; n++) expect(await audience(id)).toEqual(phones("alice", "bob", "carol"));
    await takenIn(id, bob.socket.groupParticipantsUpdate(id, [jid("dave")], "add"));
    expect(await audience(id)).toEqual(phones("alice", "bob", "carol", "dave"));
    await takenIn(id, bob.socket.groupParticipantsUpdate(id, [jid("carol")], "remove"));
    expect(await audience(id)).toEqual(phones("alice", "bob", "dave"));
    expect(await members(id)).toEqual(phones("alice", "bob", "dave"));
    await takenIn(id, bob.socket.groupParticipantsUpdate(id, [jid("carol")], "add"));
    expect(await audience(id)).toEqual(phones("alice", "bob", "carol", "dave"));
  });

  test("may be the account itself: it is refused while it is out, and writes again once it is back", async () => {
    const { id } = await bob.socket.groupCreate("In and out", [jid("alice")]);
    expect(await audience(id)).toEqual(phones("alice", "bob"));
    await takenIn(id, bob.socket.groupParticipantsUpdate(id, [jid("alice")], "remove"));
    await expect(audience(id)).rejects.toMatchObject({ status: 500 });
    expect((await groups()).has(id)).toBe(false);
    await expect(members(id)).rejects.toMatchObject({ status: 500, message: "group not found" });
    await takenIn(id, bob.socket.groupParticipantsUpdate(id, [jid("alice"), jid("erin")], "add"));
    expect(await audience(id)).toEqual(phones("alice", "bob", "erin"));
  });
});

test("returns a group's new name and who may send messages in it", async () => {
  const { id } = await bob.socket.groupCreate("Old name", [jid("alice")]);
  expect(await audience(id)).toEqual(phones("alice", "bob"));
  await takenIn(id, bob.socket.groupUpdateSubject(id, "New name"));
  await bob.socket.groupUpdateDescription(id, "What it is about");
  expect(await fixture.run(alice, "get-group", { groupId: id })).toMatchObject({ name: "New name", description: "What it is about" });
  await takenIn(id, bob.socket.groupSettingUpdate(id, "announcement"));
  await expect(audience(id)).rejects.toMatchObject({ status: 500 });
  await takenIn(id, bob.socket.groupParticipantsUpdate(id, [jid("alice")], "promote"));
  expect(await audience(id)).toEqual(phones("alice", "bob"));
});
