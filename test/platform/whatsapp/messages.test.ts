import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { defaultTiming } from "../../../shard/whatsapp/timing.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import { eventually } from "../../harness/eventually.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
let alice: Session<WhatsAppConnector>;
let context: TestContext;
beforeAll(async () => {
  fixture = await WhatsAppFixture.start();
  ({ session: alice, context } = await fixture.login("alice"));
});
afterAll(() => fixture.stop());

const bob = "6281155501002";
const recipients: [string, Recipient, string][] = [
  ["a person", { kind: "phone", phone: `+${bob}` }, `${bob}@s.whatsapp.net`],
  ["a group", { kind: "group", id: sharedGroups.family }, sharedGroups.family],
  ["a channel", { kind: "newsletter", id: sharedChannels.alice }, sharedChannels.alice],
];
const send = async (input: MessageInput, id?: string) => {
  const { messageId } = await fixture.run(alice, "send-message", input, id === undefined ? {} : { id });
  expect(messageId).toMatch(/^3EB0[0-9A-F]{18}$/);
  return fixture.sent("alice", messageId);
};
const sha256Of = async (name: string): Promise<string> =>
  createHash("sha256")
    .update(Buffer.from(await (await fetch(fixture.file(name))).arrayBuffer()))
    .digest("hex");

describe.each(recipients)("to %s", (_, to, chat) => {
  test("text arrives as it was written", async () => {
    expect(await send({ to, type: "text", text: "Grüße 👋 http://127.0.0.1:1/" })).toMatchObject({
      chat,
      kind: "text",
      text: "Grüße 👋 http://127.0.0.1:1/",
    });
  });
  test("an image arrives whole, with caption, size and thumbnail", async () => {
    const sent = await send({ to, type: "image", text: "look", image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" } });
    expect(sent).toMatchObject({
      chat,
      kind: "image",
      text: "look",
      file: { sha256: await sha256Of("photo.jpg"), mimetype: "image/jpeg" },
    });
    expect(sent.file?.stated).toEqual({ width: sent.file?.width, height: sent.file?.height });
    expect(sent.file?.stated?.width).toBeGreaterThan(0);
    expect(sent.file?.thumbnail).toMatchObject({ mimetype: "image/jpeg", width: 160 });
    expect(sent.file?.problems ?? []).toEqual([]);
  });
  test("a video arrives with its duration and a frame of its own", async () => {
    const sent = await send({ to, type: "video", text: "", video: { url: fixture.file("video.mp4"), mimetype: "video/mp4", duration: 3 } });
    expect(sent).toMatchObject({
      kind: "video",
      file: { sha256: await sha256Of("video.mp4"), mimetype: "video/mp4", duration: 3, stated: { width: 720, height: 1280 } },
    });
    expect(sent.file?.thumbnail).toMatchObject({ height: 160 });
  });
  test("audio is a file, never a voice note", async () => {
    expect(await send({ to, type: "audio", audio: { url: fixture.file("audio.mp3"), mimetype: "audio/mpeg", duration: 3 } })).toMatchObject(
      {
        kind: "audio",
        file: { sha256: await sha256Of("audio.mp3"), mimetype: "audio/mpeg", duration: 3, voice: false },
      },
    );
  });
  test("a document keeps its name and the size that it has", async () => {
    const sent = await send({
      to,
      type: "document",
      text: "read",
      document: { url: fixture.file("document.pdf"), name: "Übersicht.pdf", size: 1, mimetype: "application/pdf" },
    });
    expect(sent).toMatchObject({
      kind: "document",
      text: "read",
      file: { sha256: await sha256Of("document.pdf"), fileName: "Übersicht.pdf", mimetype: "application/pdf" },
    });
    expect(sent.file?.problems ?? []).toEqual([]);
  });
  test("a location and a contact arrive", async () => {
    expect(
      await send({ to, type: "location", location: { latitude: -6.1, longitude: 106.8, name: "Monas", address: "Jakarta" } }),
    ).toMatchObject({ kind: "location", location: { latitude: -6.1, longitude: 106.8, name: "Monas", address: "Jakarta" } });
    expect(await send({ to, type: "contact", contact: { name: "Doe, Jane", phone: "+49 151-234567" } })).toMatchObject({
      kind: "contact",
      contact: { name: "Doe, Jane", phone: "49151234567" },
    });
  });
});

describe("sending", () => {
  const text = (words: string, to: Recipient = { kind: "phone", phone: bob }): MessageInput => ({ to, type: "text", text: words });

  test("a thumbnail of the caller's own is used; one that cannot be read is replaced by one of the picture", async () => {
    const own = await send({
      to: { kind: "phone", phone: bob },
      type: "image",
      text: "",
      image: { url: fixture.file("photo.png"), mimetype: "image/png", thumbnail: fixture.file("photo.webp") },
    });
    expect(own.file?.thumbnail).toMatchObject({ mimetype: "image/jpeg" });
    expect(own.file?.stated).toEqual({ width: own.file?.width, height: own.file?.height });
    const none = await send({
      to: { kind: "phone", phone: bob },
      type: "image",
      text: "",
      image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg", thumbnail: fixture.file("broken.jpg") },
    });
    expect(none.file?.thumbnail).toMatchObject({ width: 160 });
  });

  test("a repeat of a command is the same message", async () => {
    const first = await send(text("once"), "same");
    const again = await send(text("once"), "same");
    expect(again.id).toBe(first.id);
    expect(fixture.received("alice", "message").filter(({ id }) => id === first.id)).toHaveLength(1);
  });

  test("checks for a result of an earlier try only if there was one", async () => {
    const { sent } = context;
    const read = sent.read.bind(sent);
    const requested: string[] = [];
    sent.read = async (id) => {
      requested.push(id);
      return await read(id);
    };
    try {
      const { messageId } = await fixture.run(alice, "send-message", text("first"), { isFirstTry: true });
      expect(fixture.sent("alice", messageId)).toMatchObject({ text: "first" });
      expect(requested).toEqual([]);
      const again = await fixture.run(alice, "send-message", text("second"), { isFirstTry: false });
      expect(requested).toEqual([again.messageId]);
    } finally {
      sent.read = read;
    }
  });
  test("the code of the platform is passed on when it refuses, with what it means", async () => {
    await fixture.control("/faults", { kind: "error", account: "alice", method: "message", error: "463" });
    await expect(send(text("no"))).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/^463: the account is restricted/) as string,
    });
    await expect(send(text("no", { kind: "newsletter", id: sharedChannels.daily }))).rejects.toMatchObject({
      status: 500,
      message: "403: the account may not do this here",
    });
  });

  test("returns the platform's error for an unregistered number", async () => {
    const outcome = await send(text("anybody there?", { kind: "phone", phone: "99912345678" })).then(
      () => "accepted",
      (error: unknown) => (error as Error).message,
    );
    expect(outcome).not.toBe("internal server error");
  });

  test("returns the HTTP status of a missing file", async () => {
    await expect(
      send({
        to: { kind: "phone", phone: bob },
        type: "image",
        text: "",
        image: { url: fixture.file("none.jpg"), mimetype: "image/jpeg" },
      }),
    ).rejects.toMatchObject({
      status: 500,
      message: "error parser file from url 404 Not Found",
    });
  });

  test.each<[string, Recipient]>([
    ["a person", { kind: "phone", phone: bob }],
    ["a channel", { kind: "newsletter", id: sharedChannels.alice }],
  ])("a refused question for the media hosts costs its own message to %s only", async (_, to) => {
    // Forces a new connection, on which no file was sent yet.
    await fixture.control("/faults", { kind: "drop", account: "alice", method: "message", times: 1 });
    await send(text("on the next connection"));
    const image: MessageInput = { to, type: "image", text: "", image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" } };
    await fixture.control("/faults", { kind: "error", account: "alice", method: "iq w:m", error: "400 bad-request", times: 1 });
    await expect(send(image)).rejects.toMatchObject({ status: 500, message: expect.stringMatching(/^400: bad-request/) });
    expect(await send(image)).toMatchObject({ kind: "image" });
  });

  describe("a file whose upload permission has expired", () => {
    const files: readonly [string, Pick<MessageInput, "type"> & Record<string, unknown>][] = [
      ["picture", { type: "image", text: "", image: { url: "photo.jpg", mimetype: "image/jpeg" } }],
      ["video", { type: "video", text: "", video: { url: "video.mp4", mimetype: "video/mp4", duration: 3 } }],
      ["audio", { type: "audio", audio: { url: "audio.mp3", mimetype: "audio/mpeg", duration: 3 } }],
      ["document", { type: "document", text: "", document: { url: "document.pdf", mimetype: "application/pdf", name: "a.pdf", size: 1 } }],
    ];
    const chats: readonly [string, Recipient][] = [
      ["a person", { kind: "phone", phone: bob }],
      ["a group", { kind: "group", id: sharedGroups.family }],
      ["a channel", { kind: "newsletter", id: sharedChannels.alice }],
    ];
    const cases = chats.flatMap(([chat, to]) => files.map(([what, file]) => [what, chat, to, file] as const));

    test.each(cases)("%s to %s: is uploaded with a new one", async (_what, _chat, to, { type, ...fields }) => {
      const file = fields[type] as { readonly url: string };
      const content: object = { ...fields, to, type, [type]: { ...file, url: fixture.file(file.url) } };
      const input = content as MessageInput;
      await send(input);
      await fixture.control("/faults", { kind: "expired-reference", account: "alice" });
      expect(await send(input)).toMatchObject({ kind: type });
      await fixture.control("/faults", { kind: "error", account: "alice", method: "upload", error: "403", times: 1 });
      expect(await send(input)).toMatchObject({ kind: type });
    });
    test("a picture of a status: is uploaded with a new one", async () => {
      const input = { type: "image", text: "", image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" } } as const;
      await fixture.control("/faults", { kind: "expired-reference", account: "alice" });
      const { statusId } = await fixture.run(alice, "post-status", input);
      await fixture.allRead();
      expect(fixture.sent("alice", statusId)).toMatchObject({ kind: "image" });
    });
    test("is given up when the platform goes on refusing it", async () => {
      const image: MessageInput = {
        to: { kind: "phone", phone: bob },
        type: "image",
        text: "",
        image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" },
      };
      await fixture.control("/faults", { kind: "error", account: "alice", method: "upload", error: "403", times: 20 });
      await expect(send(image)).rejects.toMatchObject({ status: 500, message: "Media upload failed on all hosts" });
      fixture.sandbox.whatsapp.control.clearFaults();
    });
  });

  describe("what the platform refuses for a moment", () => {
    const image = (to: Recipient): MessageInput => ({
      to,
      type: "image",
      text: "",
      image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" },
    });
    const chats: readonly [string, Recipient][] = [
      ["a person", { kind: "phone", phone: bob }],
      ["a group", { kind: "group", id: sharedGroups.family }],
      ["a channel", { kind: "newsletter", id: sharedChannels.alice }],
    ];
    test.each(chats)("is tried again for a message to %s, which arrives once", async (_chat, to) => {
      for (const error of ["500 internal-server-error", "503 service-unavailable"]) {
        await fixture.control("/faults", { kind: "error", account: "alice", method: "upload", error: error.slice(0, 3), times: 2 });
        await fixture.control("/faults", { kind: "error", account: "alice", method: "message", error, times: 2 });
        const sent = await send(image(to));
        expect(sent).toMatchObject({ kind: "image" });
        expect(fixture.received("alice", "message").filter(({ id }) => id === sent.id)).toHaveLength(1);
      }
    });
    test.each(["iq usync", "iq encrypt", "iq w:m"])("is retried: %s", async (method) => {
      await fixture.control("/faults", { kind: "drop", account: "alice", method: "message", times: 1 });
      await send(text("on the next connection"));
      await fixture.control("/faults", { kind: "error", account: "alice", method, error: "503 service-unavailable", times: 2 });
      expect(await send(image({ kind: "phone", phone: `62811555${method.length}0321` }))).toMatchObject({ kind: "image" });
      fixture.sandbox.whatsapp.control.clearFaults();
    });
    test("is retried for a list", async () => {
      await fixture.control("/faults", {
        kind: "error",
        account: "alice",
        method: "iq w:g2",
        error: "500 internal-server-error",
        times: 2,
      });
      expect((await fixture.run(alice, "list-groups", {})).docs.length).toBeGreaterThan(0);
    });
    test.each(["list-channels", "get-channel"] as const)("is retried when the response to %s requests it", async (command) => {
      await fixture.control("/faults", { kind: "error", account: "alice", method: "mex", error: "500 internal error", times: 2 });
      const channelId = sharedChannels.alice;
      const response = await fixture.run(alice, command, { channelId });
      expect("docs" in response ? response.docs.map(({ id }) => id) : [response.id]).toContain(channelId);
    });
    test("is returned to the caller when it lasts", async () => {
      await fixture.control("/faults", { kind: "error", account: "alice", method: "message", error: "503 service-unavailable", times: 20 });
      await expect(send(text("no"))).rejects.toMatchObject({ status: 500, message: expect.stringMatching(/^503: /) });
      fixture.sandbox.whatsapp.control.clearFaults();
    });
  });

  test("returns the refusal of a slow media host", async () => {
    // Longer than any platform query may take.
    await fixture.control("/faults", {
      kind: "delay",
      account: "alice",
      method: "upload",
      seconds: defaultTiming.queryMs / 1_000 + 1,
      times: 1,
    });
    await fixture.control("/faults", { kind: "error", account: "alice", method: "upload", error: "500", times: 20 });
    const image: MessageInput = {
      to: { kind: "phone", phone: bob },
      type: "image",
      text: "",
      image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" },
    };
    await expect(send(image)).rejects.toMatchObject({ status: 500, message: "Media upload failed on all hosts" });
    fixture.sandbox.whatsapp.control.clearFaults();
  });

  test("a lost ack is made up for on the next connection, once", async () => {
    await fixture.control("/faults", { kind: "lost-ack", account: "alice" });
    const sent = await send(text("lost and found"));
    expect(fixture.received("alice", "message").filter(({ id }) => id === sent.id)).toHaveLength(1);
  });

  test("resends a message to a device that requests it again", async () => {
    const { messageId } = await fixture.run(alice, "send-message", text("say again"));
    const [device] = fixture.sandbox.whatsapp.server.devices("6281155501001").filter(({ connection }) => connection !== undefined);
    const friend = fixture.sandbox.whatsapp.world.account("bob");
    if (device === undefined) throw new Error("alice has no device");
    const before = fixture.calls("message");
    await fixture.sandbox.whatsapp.server.askRetry(device, friend, messageId, { keys: true });
    await eventually("the message comes again", () => fixture.calls("message") > before);
  });

  test("nothing leaves before the keys that it was encrypted with are stored", async () => {
    const { secrets } = context;
    const apply = secrets.apply.bind(secrets);
    let stored = 0;
    let receivedAtStore = -1;
    const count = (): number => fixture.received("alice", "message").length;
    const before = count();
    secrets.apply = async (changes) => {
      if ([...changes.keys()].some((field) => field.startsWith("session:"))) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        receivedAtStore = count();
        stored += 1;
      }
      await apply(changes);
    };
    try {
      await send(text("keys first"));
    } finally {
      secrets.apply = apply;
    }
    expect(stored).toBeGreaterThan(0);
    expect(receivedAtStore).toBe(before);
  });

  test("a person is given the account's token once, and not with each message", async () => {
    const to: Recipient = { kind: "phone", phone: "+6281155501777" };
    const given = (): number => fixture.calls("iq privacy tokens");
    const onRecord = (): string[] => [...(context.storage.secrets?.keys() ?? [])].filter((field) => field.startsWith("tctoken:"));
    const before = { given: given(), onRecord: onRecord().length };
    await send({ to, type: "text", text: "hello" });
    await eventually("that it was given is on record", () => onRecord().length > before.onRecord);
    for (const text of ["are you there?", "hello?"]) await send({ to, type: "text", text });
    expect(given()).toBe(before.given + 1);
    expect(onRecord()).not.toContain("tctoken:__index");
  });

  test("the typing indicator shows for 5 seconds", async () => {
    const startedAt = performance.now();
    await fixture.run(alice, "send-typing", { to: { kind: "phone", phone: bob }, type: "audio" });
    await fixture.run(alice, "send-typing", { to: { kind: "group", id: sharedGroups.family }, type: "text" });
    const actions = () => fixture.received("alice", "typing").map(({ chat, action }) => `${action} ${chat}`);
    await eventually("both are shown", () => actions().length >= 2);
    expect(actions().slice(0, 2)).toEqual([`audio ${bob}@s.whatsapp.net`, `text ${sharedGroups.family}`]);
    await eventually("both are gone", () => actions().filter((action) => action.startsWith("cancel")).length === 2);
    expect(performance.now() - startedAt).toBeGreaterThan(4_950);
  });
});

describe("a group's texts", () => {
  const to: Recipient = { kind: "group", id: sharedGroups.family };
  const author = "6281155501003";
  /** Collects the texts that the library decrypts from now on. */
  const readBy = (session: Session<WhatsAppConnector>): (string | undefined)[] => {
    const texts: (string | undefined)[] = [];
    session.connector.connected().sock.ev.on("messages.upsert", ({ messages }) => {
      for (const { message } of messages) texts.push(message?.conversation ?? message?.extendedTextMessage?.text ?? undefined);
    });
    return texts;
  };

  test("a group's texts are written and read without a sender key being stored for each", async () => {
    const { secrets } = context;
    const apply = secrets.apply.bind(secrets);
    let stored = 0;
    secrets.apply = async (changes) => {
      if ([...changes.keys()].some((field) => field.startsWith("sender-key:"))) stored += 1;
      await apply(changes);
    };
    try {
      for (let n = 0; n < 20; n++) {
        const sent = await send({ to, type: "text", text: `text ${n}` });
        expect(sent).toMatchObject({ chat: sharedGroups.family, text: `text ${n}` });
        expect(sent.failures ?? []).toEqual([]);
      }
      const texts = readBy(alice);
      const written = Array.from({ length: 20 }, (_, n) => `answer ${n}`);
      for (const text of written)
        await fixture.control("/people/send", { account: "alice", chat: sharedGroups.family, from: author, text });
      await eventually("all are read", () => texts.length >= 20);
      expect(texts).toEqual(written);
    } finally {
      secrets.apply = apply;
    }
    expect(stored).toBeLessThanOrEqual(3);
  });

  test("are sent without a walk through the members once all have the key, until one requests a resend", async () => {
    const walked = (): number | undefined => alice.connector.account.keyedGroups.groupFor(sharedGroups.family)?.participants.length;
    const { id } = await send({ to, type: "text", text: "to all" });
    expect(walked()).toBe(0);
    const [device] = fixture.sandbox.whatsapp.server.devices("6281155501001").filter(({ connection }) => connection !== undefined);
    if (device === undefined) throw new Error("alice has no device");
    const { server, world } = fixture.sandbox.whatsapp;
    await server.askRetry(device, world.account("bob"), id, { chat: sharedGroups.family, keys: true });
    await eventually("all members are looked at again", () => (walked() ?? 0) > 0);
    const sent = await send({ to, type: "text", text: "to all again" });
    expect(sent.failures ?? []).toEqual([]);
    expect(walked()).toBe(0);
  });

  test("are readable when the process that wrote the last ones was killed, and so are those that come in", async () => {
    const { session, context: first } = await fixture.login("carol");
    const texts = async (of: Session<WhatsAppConnector>): Promise<void> => {
      for (let n = 0; n < 3; n++) {
        const { messageId } = await fixture.run(of, "send-message", { to, type: "text", text: `text ${n}` });
        expect(fixture.sent("carol", messageId)).toMatchObject({ text: `text ${n}` });
        expect(fixture.sent("carol", messageId).failures ?? []).toEqual([]);
      }
    };
    const reply = async (of: Session<WhatsAppConnector>): Promise<void> => {
      const found = readBy(of);
      const written = ["answer 0", "answer 1", "answer 2"];
      for (const text of written) await fixture.control("/people/send", { account: "carol", chat: sharedGroups.family, from: bob, text });
      await eventually("all are read", () => found.length >= 3);
      expect(found).toEqual(written);
    };
    await texts(session);
    await reply(session);
    // Imitates a kill: nothing more is written to the platform or to the store.
    const { storage } = first;
    const left = { ...storage, secrets: new Map(storage.secrets), sent: new Map(storage.sent) };
    first.owned = false;
    await fixture.control("/faults", { kind: "drop", account: "carol" });
    await first.until(({ kind }) => kind === "disconnected");
    const second = fixture.open(left);
    await second.context.until(() => second.context.history.includes("logged-in"));
    await texts(second.session);
    await reply(second.session);
  });
});

test("the successor of a killed process hides the typing that it finds", async () => {
  const { session, context: first } = await fixture.login("carol");
  const chat = "6281155501002@s.whatsapp.net";
  await fixture.run(session, "send-typing", { to: { kind: "phone", phone: bob }, type: "text" });
  await eventually("it is shown", () => fixture.received("carol", "typing").length === 1);
  // Imitates a kill: nothing more is written to the platform or to the store.
  const { storage } = first;
  const left = {
    credentials: storage.credentials,
    state: storage.state,
    peers: new Map(storage.peers),
    secrets: new Map(storage.secrets),
    sent: new Map(storage.sent),
  };
  first.owned = false;
  await fixture.control("/faults", { kind: "drop", account: "carol" });
  await first.until(({ kind }) => kind === "disconnected");
  const second = fixture.open(left);
  await second.context.until(() => second.context.history.includes("logged-in"));
  await eventually("it is hidden", () => fixture.received("carol", "typing").length === 2);
  expect(fixture.received("carol", "typing").map((row) => `${row.action} ${row.chat}`)).toEqual([`text ${chat}`, `cancel ${chat}`]);
  await eventually("it is forgotten", () => !left.secrets.has("typing"));
});

test("after a restart the next message is readable, and a session that closes takes its typing along", async () => {
  const { session, context: first } = await fixture.login("bob");
  const to: Recipient = { kind: "phone", phone: "6281155501003" };
  await fixture.run(session, "send-message", { to, type: "text", text: "before" });
  await fixture.run(session, "send-typing", { to: { kind: "phone", phone: "6281155501003" }, type: "text" });
  await session.close();
  await eventually("the typing ends", () => fixture.received("bob", "typing").length >= 2);
  expect(fixture.received("bob", "typing").map(({ action }) => action)).toEqual(["text", "cancel"]);
  const second = fixture.open(first.storage);
  await second.context.until(() => second.context.history.includes("logged-in"));
  const { messageId } = await fixture.run(second.session, "send-message", { to, type: "text", text: "after" });
  expect(fixture.sent("bob", messageId)).toMatchObject({ text: "after" });
  expect(fixture.sent("bob", messageId).failures ?? []).toEqual([]);
  expect(fixture.sandbox.whatsapp.control.overlaps()).toEqual([]);
});

describe("in a chat with disappearing messages", () => {
  const week = 604_800;
  const contents: readonly [string, (to: Recipient) => MessageInput][] = [
    ["a text", (to) => ({ to, type: "text", text: "gone soon" })],
    ["a picture", (to) => ({ to, type: "image", text: "", image: { url: fixture.file("photo.jpg"), mimetype: "image/jpeg" } })],
    [
      "a document with a caption",
      (to) => ({
        to,
        type: "document",
        text: "read",
        document: { url: fixture.file("document.pdf"), mimetype: "application/pdf", name: "a.pdf", size: 1 },
      }),
    ],
    ["a place", (to) => ({ to, type: "location", location: { latitude: 1, longitude: 2 } })],
    ["a contact", (to) => ({ to, type: "contact", contact: { name: "Ann", phone: "+6281155501002" } })],
  ];
  const setTimer = (chat: string, disappearing: number): Promise<void> =>
    fixture.control("/phone/settings", { account: "alice", chat, disappearing });

  test.each(recipients.slice(0, 2))("to %s, every message says so, until the timer is off", async (_, to, chat) => {
    await setTimer(chat, week);
    await eventually("the timer is told", async () => (await send({ to, type: "text", text: "x" })).expiration === week);
    for (const [, content] of contents) {
      const sent = await send(content(to));
      expect(sent).toMatchObject({ expiration: week });
      expect(sent).not.toHaveProperty("staysForever");
    }
    await setTimer(chat, 0);
    await eventually("the timer is told", async () => !("expiration" in (await send({ to, type: "text", text: "x" }))));
  });
  test("reads the timer from an incoming message, and after a restart", async () => {
    const other = "6281155501006";
    const to: Recipient = { kind: "phone", phone: other };
    await fixture.control("/faults", { kind: "gap", account: "alice", times: 1 });
    await setTimer(other, week);
    expect(await send({ to, type: "text", text: "x" })).toMatchObject({ staysForever: true });
    await fixture.control("/people/send", { account: "alice", chat: other, text: "hello" });
    await eventually("the timer is told", async () => (await send({ to, type: "text", text: "x" })).expiration === week);
    await alice.close();
    const again = fixture.open(context.storage);
    ({ session: alice, context } = again);
    await context.until(() => context.history.includes("logged-in"));
    expect(await send({ to, type: "text", text: "x" })).toMatchObject({ expiration: week });
  });
});

test.each(recipients)("to %s, a picture that cannot be displayed is refused", async (_, to) => {
  const before = fixture.received("alice", "message").length;
  const image = { url: fixture.file("broken.jpg"), mimetype: "image/jpeg", thumbnail: fixture.file("photo.jpg") };
  await expect(fixture.run(alice, "send-message", { to, type: "image", text: "", image })).rejects.toMatchObject({
    message: "error parser file from url image is damaged",
  });
  expect(fixture.received("alice", "message")).toHaveLength(before);
});

describe("in a new private chat", () => {
  const day = 86_400;
  const week = 604_800;
  const setDefault = (disappearing: number, more: Record<string, unknown> = {}): Promise<void> =>
    fixture.control("/phone/settings", { account: "alice", disappearing, ...more });
  const defaultTimerSet = async (disappearing: number): Promise<void> => {
    await setDefault(disappearing);
    await eventually("the default timer is told", () => alice.connector.account.client?.defaultTimer?.seconds === disappearing);
  };
  const textTo = (phone: string) => send({ to: { kind: "phone", phone }, type: "text", text: "hello" });
  afterAll(() => setDefault(0));

  test("the first message and all later ones say the account's default timer", async () => {
    await defaultTimerSet(week);
    const first = await textTo("628115550301");
    expect(first).toMatchObject({ expiration: week, timerFrom: "ACCOUNT_SETTING INITIATED_BY_ME" });
    expect(first.timerSetAt).toBeGreaterThan(Date.now() / 1_000 - 60);
    await defaultTimerSet(0);
    const { timerSetAt } = first;
    expect(await textTo("628115550301")).toMatchObject({ expiration: week, timerSetAt, timerFrom: "ACCOUNT_SETTING INITIATED_BY_ME" });
  });
  test("no default timer, no timer, and one that is set later changes no chat that is there", async () => {
    await defaultTimerSet(0);
    expect(await textTo("628115550302")).not.toHaveProperty("expiration");
    await defaultTimerSet(week);
    const later = await textTo("628115550302");
    expect(later).not.toHaveProperty("expiration");
    expect(later).not.toHaveProperty("staysForever");
  });
  test("a reply to a first message carries the default timer of that time", async () => {
    await defaultTimerSet(0);
    await fixture.control("/people/send", { account: "alice", chat: "628115550303", text: "hi" });
    await defaultTimerSet(week);
    await fixture.control("/people/send", { account: "alice", chat: "628115550304", text: "hi" });
    expect(await textTo("628115550304")).toMatchObject({ expiration: week });
    expect(await textTo("628115550303")).not.toHaveProperty("expiration");
  });
  test("a group member without a private chat gets the default timer", async () => {
    await defaultTimerSet(0);
    await send({ to: { kind: "group", id: sharedGroups.family }, type: "text", text: "all" });
    await defaultTimerSet(week);
    const { phone } = fixture.sandbox.whatsapp.world.account("frank");
    expect(await textTo(phone)).toMatchObject({ expiration: week });
  });
  test("chats of before this device was linked keep their timers", async () => {
    const account = "earlier";
    await fixture.control("/accounts", { account });
    await fixture.control("/people/send", { account, chat: "628115550306", text: "before" });
    await fixture.control("/phone/settings", { account, chat: "628115550307", disappearing: day });
    await fixture.control("/phone/settings", { account, disappearing: week });
    const opened = await fixture.login(account);
    await eventually("the history is told", () => opened.context.storage.peers.has("timers"));
    await eventually("the default timer is told", () => opened.session.connector.account.client?.defaultTimer?.seconds === week);
    const sent = async (phone: string) => {
      const input: MessageInput = { to: { kind: "phone", phone }, type: "text", text: "hello" };
      return fixture.sent(account, (await fixture.run(opened.session, "send-message", input)).messageId);
    };
    expect(await sent("628115550306")).not.toHaveProperty("expiration");
    expect(await sent("628115550307")).toMatchObject({ expiration: day });
    expect(await sent("628115550308")).toMatchObject({ expiration: week });
    await opened.session.close();
  });
});

test.each(recipients)("to %s, a document with a caption comes in the platform's envelope, and one without does not", async (_, to) => {
  const document = { url: fixture.file("document.pdf"), mimetype: "application/pdf", name: "a.pdf", size: 1 };
  expect(await send({ to, type: "document", text: "read this", document })).toMatchObject({
    kind: "document",
    text: "read this",
    envelope: "documentWithCaptionMessage",
    ...(to.kind === "newsletter" ? {} : { mediatype: "document" }),
  });
  expect(await send({ to, type: "document", text: "", document })).not.toHaveProperty("envelope");
});

test("no text carries a reporting token", async () => {
  for (const [, to] of recipients.slice(0, 2))
    for (let n = 0; n < 10; n++) expect((await send({ to, type: "text", text: `text ${n}` })).nodes).not.toContain("reporting");
});

describe("an account that the platform limits", () => {
  test("reaches unknown people, with a computed token until they have sent one", async () => {
    await fixture.control("/phone/settings", { account: "alice", limited: true });
    const to: Recipient = { kind: "phone", phone: "+6281155501888" };
    await eventually("the salt is told", () => context.storage.peers.has("nct-salt"));
    expect((await send({ to, type: "text", text: "hello" })).nodes).toContain("cstoken");
    for (const kind of ["group", "newsletter"] as const) {
      const id = kind === "group" ? sharedGroups.family : sharedChannels.alice;
      expect((await send({ to: { kind, id }, type: "text", text: "hello" })).nodes).not.toContain("cstoken");
    }
    expect((await send({ to: { kind: "phone", phone: "6281155501001" }, type: "text", text: "a note" })).nodes).not.toContain("cstoken");
    await fixture.control("/phone/settings", { account: "alice", limited: false });
  });
  test("reaches unknown people when only the history carries the phone's salt", async () => {
    const account = "salted";
    await fixture.control("/accounts", { account, saltInHistory: true });
    await fixture.control("/phone/settings", { account, limited: true });
    const salted = await fixture.login(account);
    await eventually("the salt is told", () => salted.context.storage.peers.has("nct-salt"));
    const input: MessageInput = { to: { kind: "phone", phone: "+6281155501889" }, type: "text", text: "hello" };
    const { messageId } = await fixture.run(salted.session, "send-message", input);
    expect(fixture.sent(account, messageId).nodes).toContain("cstoken");
    await salted.session.close();
  });
  test("has its salt read by the next login when a version that did not know it has read the app state", async () => {
    await alice.close();
    context.storage.peers.delete("nct-salt");
    const again = fixture.open(context.storage);
    ({ session: alice, context } = again);
    await context.until(() => context.history.includes("logged-in"));
    await eventually("the salt is read", () => context.storage.peers.has("nct-salt"));
  });
});
