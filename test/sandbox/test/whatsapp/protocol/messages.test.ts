import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { getBinaryNodeChildren, type GroupMetadata, type proto, WAMessageAddressingMode } from "@whiskeysockets/baileys";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DeviceBook, DeviceRecord } from "../../../whatsapp/protocol/device-book.js";
import { EncryptIq } from "../../../whatsapp/protocol/encrypt-iq.js";
import { SignalUsers } from "../../../whatsapp/protocol/signal/signal-users.js";
import type { Device } from "../../../whatsapp/whatsapp-backend.js";
import { Client, clientState, linked, until } from "../../../clients/baileys-client.js";
import { startServer, type StartedServer, userOf } from "./test-backend.js";

const ann = userOf("6281200000001");
const bob = userOf("6281200000002");
const group = "120363000000000001@g.us";
const annJid = `${ann.phone}@s.whatsapp.net`;
const bobJid = `${bob.phone}@s.whatsapp.net`;

let started: StartedServer;
let phone: string;
let client: Client;
let device: Device;
let accounts = 0;

beforeAll(async () => {
  started = await startServer({ reportedPreKeys: 50 });
});
afterEach(() => {
  expect(started.backend.errors).toEqual([]);
  client.end();
});
afterAll(async () => await started.stop());

/** Members of the group in the form of the library's group cache. */
const groupMembers = async (): Promise<GroupMetadata> => ({
  id: group,
  owner: undefined,
  subject: "G",
  participants: [ann, bob].map(({ lid }) => ({ id: `${lid}@lid` })),
  addressingMode: WAMessageAddressingMode.LID,
});

async function connect(options: ConstructorParameters<typeof Client>[2] = {}): Promise<void> {
  phone = String(628_130_000_000 + ++accounts);
  for (const user of [ann, bob]) started.backend.strangers.set(user.lid, user);
  started.backend.add(phone, {
    contacts: [
      { ...ann, name: "Ann" },
      { ...bob, name: "Bob" },
    ],
  });
  client = await linked(started.server, phone, { cachedGroupMetadata: groupMembers, ...options });
  const [linkedDevice] = started.server.devices(phone);
  if (!linkedDevice) throw new Error("no device");
  device = linkedDevice;
}

async function lastSent() {
  const { sent } = started.backend;
  return (await until(() => sent.filter(({ node }) => node.attrs.category !== "peer").at(-1))).decrypted;
}

function textOf(message: proto.IMessage | undefined): string | null | undefined {
  return message?.extendedTextMessage?.text ?? message?.conversation;
}

describe("a message of the client", () => {
  it("to a contact is read by the contact and by the own phone", async () => {
    await connect();
    for (const text of ["first", "second"]) {
      expect(await client.send(annJid, { text })).toMatchObject({ tag: "ack", attrs: { class: "message", from: annJid } });
      const decrypted = await lastSent();
      expect(decrypted.failures).toEqual([]);
      expect(textOf(decrypted.message)).toBe(text);
      expect(decrypted.copies.map(({ own, message }) => [own, textOf(message)]).sort()).toEqual([
        [false, text],
        [true, text],
      ]);
      expect(decrypted.readers).toEqual([ann]);
      expect(decrypted.recipients).toHaveLength(2);
    }
  });

  it("sent in a burst is read in order", async () => {
    await connect();
    started.backend.sent.length = 0;
    const texts = Array.from({ length: 20 }, (_, index) => `burst ${index}`);
    await Promise.all(texts.map((text) => client.send(annJid, { text })));
    expect(started.backend.sent.map(({ decrypted }) => textOf(decrypted.message))).toEqual(texts);
    expect(started.backend.sent.flatMap(({ decrypted }) => decrypted.failures)).toEqual([]);
  });

  it("to a group is read by its members, also without a new sender key", async () => {
    await connect();
    await client.send(group, { text: "one" });
    const first = await lastSent();
    expect(first.failures).toEqual([]);
    expect(textOf(first.message)).toBe("one");
    expect(first.copies.filter(({ own }) => !own)).toHaveLength(2);
    await client.send(group, { text: "two" });
    const second = await lastSent();
    expect(textOf(second.message)).toBe("two");
    expect(second.copies).toEqual([]);
    expect(second.readers).toEqual(expect.arrayContaining([ann, bob]));
  });

  it("to the status list is read by its audience", async () => {
    await connect();
    await client.send("status@broadcast", { text: "my status" }, { statusJidList: [annJid, bobJid, `${phone}@s.whatsapp.net`] });
    const decrypted = await lastSent();
    expect(decrypted.failures).toEqual([]);
    expect(textOf(decrypted.message)).toBe("my status");
    expect(decrypted.readers.map((user) => user.phone).sort()).toEqual([ann.phone, bob.phone, phone].sort());
  });

  it("to a channel is read in clear", async () => {
    await connect();
    await client.send("120363100000000001@newsletter", { text: "post" });
    expect(textOf((await lastSent()).message)).toBe("post");
  });

  it("reaches the other devices of the own account as copies that only they can read", async () => {
    await connect();
    const second = await linked(started.server, phone);
    await client.send(annJid, { text: "for both" });
    expect((await lastSent()).devices).toEqual([`${phone}:2@s.whatsapp.net`]);
    expect((await lastSent()).failures).toEqual([]);
    second.end();
  });

  it("arrives at linked devices, those of the own account included", async () => {
    await connect();
    const own = await linked(started.server, phone);
    const otherPhone = "6281377";
    started.backend.add(otherPhone);
    const other = await linked(started.server, otherPhone);
    const ack = await client.send(`${otherPhone}@s.whatsapp.net`, { text: "to devices" });
    const sent = await until(() => started.backend.sent.at(-1));
    expect(started.server.relay(sent.node, device)).toHaveLength(2);
    const atOther = await until(() => other.received.find(({ key }) => key.id === ack.attrs.id));
    expect(textOf(atOther.message ?? undefined)).toBe("to devices");
    expect(atOther.key.fromMe).toBe(false);
    const atOwn = await until(() => own.received.find(({ key }) => key.id === ack.attrs.id));
    expect(textOf(atOwn.message ?? undefined)).toBe("to devices");
    expect(atOwn.key).toMatchObject({ fromMe: true, remoteJid: `${otherPhone}@s.whatsapp.net` });
    own.end();
    other.end();
  });

  it("is not decrypted in load mode", async () => {
    const own = await startServer({ load: true });
    own.backend.add("62899");
    client = new Client(own.server, clientState(own.server.fabricate("62899")));
    expect(await client.opened).toBe("open");
    await client.send(annJid, { text: "x" });
    await client.send(bobJid, { text: "y" });
    expect(own.backend.sent[0]?.decrypted).toEqual({
      message: undefined,
      copies: [],
      recipients: [{ phone: "62899", lid: expect.any(String) }, ann],
      readers: [],
      devices: [],
      failures: [],
    });
    expect(own.backend.errors).toEqual([]);
    client.end();
    await own.stop();
  });
});

describe("a message to the client", () => {
  it("of a contact arrives, and is answered by a receipt", async () => {
    await connect();
    const id = await started.server.sendToDevice(device, ann, { conversation: "hello" }, { notify: "Ann" });
    const message = await until(() => client.received.find(({ key }) => key.id === id));
    expect(message).toMatchObject({ pushName: "Ann", message: { conversation: "hello" }, key: { fromMe: false } });
    await until(() => started.backend.receipts.find(({ attrs }) => attrs.id === id));
    await client.send(annJid, { text: "back" });
    expect(textOf((await lastSent()).message)).toBe("back");
  });

  it("in a group arrives, with and without the sender key", async () => {
    await connect();
    for (const conversation of ["one", "two"]) {
      const id = await started.server.sendToDevice(device, ann, { conversation }, { group });
      const message = await until(() => client.received.find(({ key, message: content }) => key.id === id && content?.conversation));
      expect(message).toMatchObject({ key: { remoteJid: group, participant: `${ann.lid}@lid` }, message: { conversation } });
    }
  });

  it("that cannot be read is asked for again, and arrives", async () => {
    await connect({ retryRequestDelayMs: 0 });
    const id = await started.server.sendToDevice(device, bob, { conversation: "damaged" }, { damaged: true });
    await until(() => started.backend.receipts.find(({ attrs }) => attrs.id === id && attrs.type === "retry"));
    await until(() => client.received.find(({ key, message }) => key.id === id && message?.conversation === "damaged"));
  });

  it("in a group that cannot be read is asked for again, and arrives", async () => {
    await connect({ retryRequestDelayMs: 0 });
    await started.server.sendToDevice(device, bob, { conversation: "first" }, { group });
    const id = await started.server.sendToDevice(device, bob, { conversation: "second" }, { group, damaged: true });
    await until(() => started.backend.receipts.find(({ attrs }) => attrs.id === id && attrs.type === "retry"));
    await until(() => client.received.find(({ key, message }) => key.id === id && message?.conversation === "second"));
  });

  it("is not sent when the device is not connected", async () => {
    await connect();
    client.end();
    await until(() => !device.connection);
    expect(await started.server.sendToDevice(device, ann, { conversation: "x" })).toBeUndefined();
  });
});

describe("a recipient that cannot read a message", () => {
  it.each([false, true])("gets it again (keys in the receipt: %s)", async (keys) => {
    const kept = new Map<string, proto.IMessage>();
    await connect({ getMessage: async ({ id }) => kept.get(id ?? "") });
    const ack = await client.send(annJid, { text: "again" });
    kept.set(ack.attrs.id ?? "", { extendedTextMessage: { text: "again" } });
    const before = started.backend.sent.length;
    expect(await started.server.askRetry(device, ann, ack.attrs.id ?? "", { keys })).toBe(true);
    const repeated = await until(() => started.backend.sent[before]);
    expect(repeated.node.attrs.id).toBe(ack.attrs.id);
    expect(repeated.decrypted.failures).toEqual([]);
    expect(textOf(repeated.decrypted.copies.find(({ own }) => !own)?.message)).toBe("again");
  });
});

describe("a group member that cannot read a message", () => {
  it("gets it again with the sender key", async () => {
    await connect({ getMessage: async () => ({ extendedTextMessage: { text: "again" } }) });
    const ack = await client.send(group, { text: "again" });
    const before = started.backend.sent.length;
    await started.server.askRetry(device, ann, ack.attrs.id ?? "", { chat: group, keys: true });
    const repeated = await until(() => started.backend.sent[before]);
    expect(repeated.node.attrs.id).toBe(ack.attrs.id);
    expect(repeated.decrypted.failures).toEqual([]);
    expect(textOf(repeated.decrypted.message)).toBe("again");
  });
});

describe("the own phone", () => {
  it("brings push name, address book and LIDs after the first login, with checksums that hold", async () => {
    await connect({ appStateMacVerification: { patch: true, snapshot: true } });
    await until(() => client.contacts.some(({ name }) => name === "Bob"));
    expect(client.contacts).toEqual(expect.arrayContaining([expect.objectContaining({ id: annJid, name: "Ann", lid: `${ann.lid}@lid` })]));
    await until(() => client.state.creds.me?.name === `Name of ${phone}`);
    expect(await client.socket.signalRepository.lidMapping.getLIDForPN(bobJid)).toBe(`${bob.lid}@lid`);
    expect(client.state.creds.myAppStateKeyId).toBeDefined();
  });

  it("may be silent at first", async () => {
    await connect();
    client.end();
    const silentPhone = String(628_130_000_000 + ++accounts);
    const silent = started.backend.add(silentPhone, { contacts: [{ ...ann, name: "Ann" }], firstSync: "silent" });
    client = await linked(started.server, silentPhone);
    started.backend.accounts.set(silentPhone, { ...silent, firstSync: "initial" });
    const [late] = started.server.devices(silentPhone);
    expect(late && (await started.server.sendFirstSync(late))).toBe(true);
    await until(() => client.contacts.some(({ name }) => name === "Ann"));
  });

  it("tells of changes of the address book", async () => {
    await connect({ appStateMacVerification: { patch: true, snapshot: true } });
    await until(() => client.contacts.some(({ name }) => name === "Bob"));
    const eve = userOf("6281200000003");
    await started.server.syncAddressBook(phone, { contacts: [{ ...eve, name: "Eve" }], removed: [bob] });
    await until(() => client.contacts.some(({ name }) => name === "Eve"));
    await until(() => client.contacts.some(({ id, name }) => id === bobJid && name === undefined));
  });

  it("takes the device's own changes of app state", async () => {
    await connect({ appStateMacVerification: { patch: true, snapshot: true } });
    await until(() => client.contacts.some(({ name }) => name === "Bob"));
    await client.socket.addOrEditContact(annJid, { fullName: "Anna", lidJid: `${ann.lid}@lid`, saveOnPrimaryAddressbook: true });
    const second = await linked(started.server, phone, { appStateMacVerification: { patch: true, snapshot: true } });
    await until(() => second.contacts.some(({ name }) => name === "Anna"));
    second.end();
  });

  it("sends a book of 3,000 contacts in one patch", async () => {
    phone = String(628_130_000_000 + ++accounts);
    const contacts = Array.from({ length: 3_000 }, (_, index) => ({ ...userOf(String(628_150_000_000 + index)), name: `C${index}` }));
    started.backend.add(phone, { contacts });
    client = await linked(started.server, phone);
    await until(() => client.contacts.filter(({ name }) => name?.startsWith("C")).length >= 3_000);
  });
});

describe("prekeys", () => {
  it("are uploaded on the first login, used up by new sessions, and asked for again when few are left", async () => {
    const own = await startServer();
    own.backend.add("62877", { firstSync: "silent" });
    client = await linked(own.server, "62877");
    const [paired] = own.server.devices("62877");
    expect(paired?.preKeys.length).toBe(812);
    if (!paired) return;
    paired.preKeys.length = 5;
    await own.server.sendToDevice(paired, ann, { conversation: "x" });
    await until(() => client.received.length === 1);
    await until(() => paired.preKeys.length >= 9);
    client.end();
    await own.stop();
  });
});

describe("key bundles", () => {
  it("of 500 people are made in pieces: others have many turns meanwhile", async () => {
    await connect();
    if (!(device instanceof DeviceRecord)) throw new TypeError("no record of the device");
    const changed = (): void => undefined;
    const encrypt = new EncryptIq({
      backend: started.backend,
      devices: new DeviceBook(),
      users: new SignalUsers(false, changed),
      cacheBundles: false,
      reportedPreKeys: undefined,
    });
    const users = Array.from({ length: 500 }, (_, n) => ({ tag: "user", attrs: { jid: `${628_170_000_000 + n}@s.whatsapp.net` } }));
    let turns = 0;
    let answered = false;
    const answer = encrypt.answer({ tag: "iq", attrs: { type: "get" }, content: [{ tag: "key", attrs: {}, content: users }] }, device);
    const done = Promise.resolve(answer).finally(() => (answered = true));
    while (!answered) {
      await setImmediate();
      turns += 1;
    }
    expect(getBinaryNodeChildren((await done)?.[0], "user")).toHaveLength(500);
    expect(turns).toBeGreaterThan(10);
  });
});

describe("state on disk", () => {
  it("lets sessions, sender keys and app state go on in another process", async () => {
    const first = await startServer({ reportedPreKeys: 50 });
    first.backend.add("62866", { contacts: [{ ...ann, name: "Ann" }] });
    const options = { cachedGroupMetadata: groupMembers };
    const before = await linked(first.server, "62866", options);
    await until(() => before.contacts.some(({ name }) => name === "Ann"));
    await before.send(annJid, { text: "before" });
    await before.send(group, { text: "before" });
    before.end();
    const stored = JSON.stringify([...first.server.exportState()]);
    await first.stop();

    const second = await startServer({ reportedPreKeys: 50 }, first.backend);
    for (const record of JSON.parse(stored)) second.server.importState(record);
    client = new Client(second.server, before.state, options);
    expect(await client.opened).toBe("open");
    for (const to of [annJid, group]) {
      await client.send(to, { text: "after" });
      const last = second.backend.sent.at(-1)?.decrypted;
      expect(last?.failures).toEqual([]);
      expect(textOf(last?.message)).toBe("after");
    }
    await second.server.syncAddressBook("62866", { contacts: [{ ...bob, name: "Bob" }] });
    await until(() => client.contacts.some(({ name }) => name === "Bob"));
    client.end();
    await second.stop();
  });
});

describe("a message that a client could not read before the server's restart", () => {
  it("is sent again by its sender, and listed as undelivered until then", async () => {
    const first = await startServer({ reportedPreKeys: 50 });
    for (const user of [ann, bob]) first.backend.strangers.set(user.lid, user);
    first.backend.add("62867");
    const before = await linked(first.server, "62867");
    before.end();
    const [absent] = first.server.devices("62867");
    if (absent === undefined) throw new Error("no device");
    await until(() => absent.connection === undefined);
    await first.server.sendToDevice(absent, ann, { conversation: "unreadable" }, { id: "M1", damaged: true });
    const stored = JSON.stringify([...first.server.exportState()]);
    await first.stop();

    const second = await startServer({ reportedPreKeys: 50 }, first.backend);
    for (const record of JSON.parse(stored)) second.server.importState(record);
    expect(second.server.deliveries("62867").map(({ messageId }) => messageId)).toEqual(["M1"]);
    client = new Client(second.server, before.state);
    const message = await until(() => client.received.find(({ message: content }) => content?.conversation === "unreadable"));
    expect(message.key.id).toBe("M1");
    client.end();
    await second.stop();
  });
});

describe("a request that the client gets wrong", () => {
  it("is answered by an error, not by silence", async () => {
    await connect();
    const iq = { tag: "iq", attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "encrypt" }, content: [{ tag: "nonsense", attrs: {} }] };
    await expect(client.socket.query(iq)).rejects.toMatchObject({ data: 400 });
    const upload = {
      tag: "iq",
      attrs: { to: "@s.whatsapp.net", type: "set", xmlns: "encrypt" },
      content: [{ tag: "list", attrs: {}, content: [{ tag: "key", attrs: {}, content: randomBytes(3) }] }],
    };
    await expect(client.socket.query(upload)).rejects.toMatchObject({ data: 406 });
  });
});
