/** A person on another client sees the channels, the profile and the blocks of a gateway account. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WAMessage } from "@whiskeysockets/baileys";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { eventually } from "../../harness/eventually.js";
import { type Client, linked } from "../../sandbox/clients/baileys-client.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
/** Another device of the account's owner, and another person, each on a client of its own. */
let ownDevice: Client;
let bob: Client;
const atBob: WAMessage[] = [];
const atAlice: WAMessage[] = [];

beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  ({ session: alice } = await fixture.login("alice"));
  const { server, world } = fixture.sandbox.whatsapp;
  ownDevice = await linked(server, world.account("alice").phone);
  bob = await linked(server, world.account("bob").phone);
  bob.socket.ev.on("messages.upsert", ({ messages }) => void atBob.push(...messages));
  ownDevice.socket.ev.on("messages.upsert", ({ messages }) => void atAlice.push(...messages));
});
afterAll(async () => {
  bob.end();
  ownDevice.end();
  await fixture.stop();
});

const jid = (account: string): string => `${fixture.sandbox.whatsapp.world.account(account).phone}@s.whatsapp.net`;

test("a channel is followed and left by its link", async () => {
  const { id, invite } = await bob.socket.newsletterCreate("By link", "of Bob");
  const channel = { kind: "invite", code: String(invite) } as const;
  expect(await fixture.run(alice, "follow-channel", { channel })).toMatchObject({ id, name: "By link", isOwner: false });
  expect(await fixture.run(alice, "leave-channel", { channel })).toEqual({ id });
  const unknown = { kind: "invite", code: "0029VaUnknown" } as const;
  await expect(fixture.run(alice, "follow-channel", { channel: unknown })).rejects.toMatchObject({ message: "channel not found" });
});

test("another person follows a new channel and reads its changes", async () => {
  const { id } = await fixture.run(alice, "create-channel", { name: "From the gateway", description: "" });
  await bob.socket.newsletterFollow(id);
  const picture = `${fixture.sandbox.controlUrl}/files/photo.jpg`;
  await fixture.run(alice, "update-channel", { channelId: id, name: "Renamed", description: "new", picture });
  const seen = (await bob.socket.newsletterMetadata("jid", id)) as unknown as {
    thread_metadata: { name: { text: string }; description: { text: string }; picture: { url: string } };
  };
  expect(seen.thread_metadata).toMatchObject({ name: { text: "Renamed" }, description: { text: "new" } });
  expect(seen.thread_metadata.picture.url).toMatch(/^https:/);
});

test("another person sees the new text and picture, and messages carry the new name", async () => {
  const picture = `${fixture.sandbox.controlUrl}/files/photo.png`;
  await fixture.run(alice, "update-profile", { name: "Ada 👩‍💻", about: "Countess", picture });
  expect(await bob.socket.fetchStatus(jid("alice"))).toMatchObject([{ status: { status: "Countess" } }]);
  const url = await bob.socket.profilePictureUrl(jid("alice"));
  expect(url).toMatch(/^https:/);
  await eventually("the name at the server", () => fixture.sandbox.whatsapp.world.account("alice").pushName === "Ada 👩‍💻");
  await eventually("the name at the other device", () => ownDevice.socket.authState.creds.me?.name === "Ada 👩‍💻");
  const to = { kind: "user", id: jid("bob") } as const;
  await fixture.run(alice, "send-message", { to, type: "text", text: "who am I?" });
  const message = await eventually("the message", () => atBob.find(({ message }) => JSON.stringify(message).includes("who am I?")));
  expect(message.pushName).toBe("Ada 👩‍💻");
  await fixture.run(alice, "update-profile", { picture: "" });
  await expect(bob.socket.profilePictureUrl(jid("alice"))).rejects.toMatchObject({ data: 404 });
});

test("a blocked person's message is delivered to no device, and not later either", async () => {
  const to = { kind: "phone", phone: fixture.sandbox.whatsapp.world.account("bob").phone } as const;
  await fixture.run(alice, "block-person", { to });
  expect(await ownDevice.socket.fetchBlocklist()).toContain(jid("bob"));
  await bob.socket.sendMessage(jid("alice"), { text: "into the void" });
  await fixture.run(alice, "unblock-person", { to });
  expect(await ownDevice.socket.fetchBlocklist()).not.toContain(jid("bob"));
  await bob.socket.sendMessage(jid("alice"), { text: "heard" });
  const text = ({ message }: WAMessage): string => JSON.stringify(message ?? {});
  await eventually("the second message", () => atAlice.some((each) => text(each).includes("heard")));
  expect(atAlice.some((each) => text(each).includes("into the void"))).toBe(false);
});

test("a person whose number is hidden is blocked by the anonymous id", async () => {
  const { world } = fixture.sandbox.whatsapp;
  const { lid, phone } = world.account("carol");
  await fixture.run(alice, "block-person", { to: { kind: "user", id: `${lid}@lid` } });
  expect(world.account("alice").blocked.has(`${phone}@s.whatsapp.net`)).toBe(true);
  await fixture.run(alice, "unblock-person", { to: { kind: "user", id: `${lid}@lid` } });
  expect(world.account("alice").blocked.has(`${phone}@s.whatsapp.net`)).toBe(false);
});

test("a name that is set right after the login stays", async () => {
  const { session, context } = await fixture.login("carol");
  const { world } = fixture.sandbox.whatsapp;
  await eventually("the name", async () => {
    // Until the phone has shared its settings, the call says so.
    await fixture.run(session, "update-profile", { name: "Carol the First" });
    return true;
  });
  await eventually("the name at the server", () => world.account("carol").pushName === "Carol the First");
  await eventually("the name in the record", () => Object(Object(context.state())["account"])["name"] === "Carol the First");
});
