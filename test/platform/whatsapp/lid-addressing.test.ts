import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { eventually } from "../../harness/eventually.js";
import { memberPerson } from "../../sandbox/whatsapp/world/person.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
let noor: Session<WhatsAppConnector>;
let storage: Awaited<ReturnType<WhatsAppFixture["login"]>>["context"]["storage"];
beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  await fixture.control("/accounts", { account: "noor", lidMigrated: true, contacts: 150, groups: 6 });
  const { session, context } = await fixture.login("noor");
  noor = session;
  ({ storage } = context);
  await eventually("the address book is read", () => context.storage.peers.size > 0);
});
afterEach(() => fixture.sandbox.whatsapp.control.clearFaults());
afterAll(() => fixture.stop());

const world = () => fixture.sandbox.whatsapp.world;
const account = (name: string) => world().account(name);
const groupsBy = (name: string, addressing: string) =>
  [...world().opened(account(name)).groups].flatMap((id) => {
    const group = world().group(id);
    return group !== undefined && group.options.addressing === addressing && !group.announce ? group : [];
  });
const send = async (from: Session<WhatsAppConnector>, name: string, to: Recipient) => {
  const input: MessageInput = { to, type: "text", text: "by anonymous id" };
  const { messageId } = await fixture.run(from, "send-message", input);
  const sent = fixture.sent(name, messageId);
  expect(sent.failures ?? []).toEqual([]);
  return sent;
};
interface Receipts {
  receipt(stanza: { readonly attrs: Record<string, string> }, device: unknown): void;
}
const byNumber = (jids: readonly string[]): string[] => jids.filter((jid) => !jid.endsWith("@lid"));

describe("an account that is migrated to anonymous ids", () => {
  test("writes to a contact by anonymous id, on all devices", async () => {
    const [contact] = [...account("noor").contacts.values()];
    if (contact === undefined) throw new Error("no contact");
    const sent = await send(noor, "noor", { kind: "phone", phone: contact.phone });
    expect(sent.chat).toBe(`${contact.lid}@lid`);
    expect(sent.audience).toEqual([contact.phone]);
    expect(sent.devices).toHaveLength(2);
    expect(byNumber(sent.devices)).toEqual([]);
  });

  test("writes to a given anonymous id, and looks up no number", async () => {
    const outsider = memberPerson(777_011);
    const sent = await send(noor, "noor", { kind: "user", id: `${outsider.lid}@lid` });
    expect(sent.chat).toBe(`${outsider.lid}@lid`);
    expect(sent.audience).toEqual([outsider.phone]);
    expect(byNumber(sent.devices)).toEqual([]);
  });

  test("writes to the anonymous id of a given JID with a number", async () => {
    const outsider = memberPerson(777_012);
    const sent = await send(noor, "noor", { kind: "user", id: `${outsider.phone}@s.whatsapp.net` });
    expect(sent.chat).toBe(`${outsider.lid}@lid`);
  });

  test("resolves an unknown person's anonymous id once", async () => {
    const outsider = memberPerson(777_001);
    const to: Recipient = { kind: "phone", phone: outsider.phone };
    expect((await send(noor, "noor", to)).chat).toBe(`${outsider.lid}@lid`);
    fixture.resetCalls();
    expect((await send(noor, "noor", to)).chat).toBe(`${outsider.lid}@lid`);
    expect(fixture.calls("iq usync usync")).toBe(0);
  });

  test("writes to its own number by anonymous id, once to each device", async () => {
    const { phone, lid } = account("noor");
    const sent = await send(noor, "noor", { kind: "phone", phone });
    expect(sent.chat).toBe(`${lid}@lid`);
    expect(sent.devices).toEqual([`${lid}@lid`]);
  });

  test("writes to its own device that was linked unheard of, and names the chat to it", async () => {
    const { lid, phone } = account("alice");
    const to: Recipient = { kind: "phone", phone };
    await send(noor, "noor", to);
    await fixture.control("/faults", { kind: "gap", account: "noor", seconds: 60 });
    const { session } = await fixture.login("noor");
    fixture.sandbox.whatsapp.control.clearFaults();
    const devices = fixture.sandbox.whatsapp.server.devices(account("noor").phone);
    const linked = `${account("noor").lid}:${devices.at(-1)?.number}@lid`;
    const seen: unknown[] = [];
    const { client } = session.connector.account;
    client?.sock.ws.on("CB:message", ({ attrs }: { attrs: Record<string, string> }) => seen.push([attrs["id"], attrs["recipient"]]));
    const { id } = await send(noor, "noor", to);
    await eventually("the device has it", () => seen.length > 0);
    expect(seen).toEqual([[id, `${lid}@lid`]]);
    expect(fixture.sent("noor", id).devices).toContain(linked);
    await session.connector.logOut(AbortSignal.timeout(10_000));
    await session.close();
  });

  test.each(["lid", "pn"])("writes to the members of a group listed by %s by anonymous id", async (addressing) => {
    const [group] = groupsBy("noor", addressing);
    if (group === undefined) throw new Error(`no group by ${addressing}`);
    const sent = await send(noor, "noor", { kind: "group", id: group.id });
    expect(sent.devices.length).toBeGreaterThan(1);
    expect(byNumber(sent.devices)).toEqual([]);
  });

  test("posts a status to anonymous ids only, each person once, and requests the missing ids", async () => {
    const { statusId } = await fixture.run(noor, "post-status", { type: "text", text: "to all" });
    await fixture.allRead();
    const sent = fixture.sent("noor", statusId);
    expect(sent.audience).toHaveLength(account("noor").contacts.size + 1);
    expect(byNumber(sent.devices)).toEqual([]);
    fixture.resetCalls();
    await fixture.run(noor, "post-status", { type: "text", text: "again" });
    expect(fixture.calls("iq usync usync")).toBe(0);
  });

  test("does not post a status to contacts blocked or removed on the phone, under any of their ids", async () => {
    await fixture.control("/accounts", { account: "nora", lidMigrated: true, contacts: 20 });
    const [removed, ...blocked] = [...account("nora").contacts.values()].slice(0, 3);
    for (const { lid } of blocked) await fixture.control("/phone/settings", { account: "nora", block: `${lid}@lid` });
    const { session, context } = await fixture.login("nora");
    await eventually("the address book is read", () => context.storage.peers.has(`${removed?.phone}@s.whatsapp.net`));
    await fixture.control("/phone/settings", { account: "nora", contact: removed?.phone, remove: true });
    await eventually("the removal is told", () => !context.storage.peers.has(`${removed?.phone}@s.whatsapp.net`));
    const { statusId } = await fixture.run(session, "post-status", { type: "text", text: "not to all" });
    await fixture.allRead();
    const { audience, devices } = fixture.sent("nora", statusId);
    expect(audience).toHaveLength(20 - 3 + 1);
    for (const person of [removed, ...blocked]) expect(audience).not.toContain(person?.phone);
    expect(byNumber(devices)).toEqual([]);
  });

  test("sends to people outside the address book with a token, under their anonymous id", async () => {
    await fixture.control("/phone/settings", { account: "noor", limited: true });
    await eventually("the salt is told", () => storage.peers.has("nct-salt"));
    const { phone, lid } = memberPerson(777_002);
    const { chat, nodes } = await send(noor, "noor", { kind: "phone", phone });
    expect(chat).toBe(`${lid}@lid`);
    expect(nodes).toContain("cstoken");
    expect((await send(noor, "noor", { kind: "phone", phone: account("noor").phone })).nodes).not.toContain("cstoken");
    await fixture.control("/phone/settings", { account: "noor", limited: false });
  });

  test("marks messages as disappearing in a chat with a timer", async () => {
    const { phone } = account("alice");
    for (const chat of [phone, groupsBy("noor", "lid")[0]?.id ?? ""]) {
      const to: Recipient = chat === phone ? { kind: "phone", phone } : { kind: "group", id: chat };
      await fixture.control("/phone/settings", { account: "noor", chat, disappearing: 604_800 });
      await eventually("the timer is told", async () => (await send(noor, "noor", to)).expiration === 604_800);
    }
  });

  test("starts a chat with the account's default timer", async () => {
    await fixture.control("/phone/settings", { account: "noor", disappearing: 86_400 });
    const { phone } = memberPerson(777_003);
    expect(await send(noor, "noor", { kind: "phone", phone })).toMatchObject({
      expiration: 86_400,
      timerFrom: "ACCOUNT_SETTING INITIATED_BY_ME",
    });
    await fixture.control("/phone/settings", { account: "noor", disappearing: 0 });
  });

  test("types to a person by anonymous id", async () => {
    const { lid, phone } = account("alice");
    await fixture.run(noor, "send-typing", { to: { kind: "phone", phone }, type: "text" });
    await eventually("shown", () =>
      fixture.received("noor", "typing").some(({ chat, action }) => chat === `${lid}@lid` && action === "text"),
    );
    await eventually("hidden", () =>
      fixture.received("noor", "typing").some(({ chat, action }) => chat === `${lid}@lid` && action === "cancel"),
    );
  });

  test("reads what it is sent by anonymous id, and says so to the same address", async () => {
    const { phone, lid } = account("alice");
    const receipts: unknown[] = [];
    const { backend } = Reflect.get(fixture.sandbox.whatsapp.server, "options") as { backend: Receipts };
    const receipt = backend.receipt.bind(backend);
    backend.receipt = (stanza, device) => {
      receipts.push(stanza.attrs["to"]);
      receipt(stanza, device);
    };
    await fixture.control("/people/send", { account: "noor", chat: phone, text: "hello" });
    await eventually("a receipt", () => receipts.length > 0);
    expect(receipts).toEqual([`${lid}@lid`]);
  });
});

describe("an account that is migrated later", () => {
  test("writes by anonymous id from the moment that its phone says so", async () => {
    const { session } = await fixture.login("bob");
    const { phone, lid } = account("alice");
    const to: Recipient = { kind: "phone", phone };
    expect((await send(session, "bob", to)).chat).toBe(`${phone}@s.whatsapp.net`);
    await fixture.control("/phone/settings", { account: "bob", lidMigrated: true });
    await eventually("it has taken that in", async () => (await send(session, "bob", to).catch(() => undefined))?.chat === `${lid}@lid`);
  });

  test.each(["a message", "a status"])("writes by anonymous id when the first sign of it is that %s by number is refused", async (what) => {
    const name = what === "a status" ? "dave" : "erin";
    const { session } = await fixture.login(name);
    const { phone, lid } = account("alice");
    account(name).lidMigrated = true;
    account(name).statusPrivacy = { list: "whitelist", users: [`${phone}@s.whatsapp.net`] };
    if (what === "a message") expect((await send(session, name, { kind: "phone", phone })).chat).toBe(`${lid}@lid`);
    else {
      const { statusId } = await fixture.run(session, "post-status", { type: "text", text: "to her" });
      expect(byNumber(fixture.sent(name, statusId).devices)).toEqual([]);
    }
  });
});
