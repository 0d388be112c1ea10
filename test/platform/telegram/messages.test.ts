import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MessageInput, Recipient } from "../../../shared/contract/telegram/message.js";
import { silentLog } from "../../../shared/log/logger.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
beforeAll(async () => {
  fixture = await TelegramFixture.start({ phoneGapMs: 50, replyMs: 2_000 });
  ({ session: alice } = await fixture.login("alice"));
});
afterAll(() => fixture.stop());

const bobPhone = "15550100002";
const familyGroup = "-4000001";
const bigGroup = "-1001900000001";
const huskGroup = "-4000002";
const upgradedGroup = `-100${sharedChats.upgradedGroup}`;
const bobChannel = "-1001900000012";

const byId = (kind: "group" | "channel" | "user", id: string): Recipient => ({ kind, chat: { kind: "id", id } });
const byName = (kind: "group" | "channel" | "user" | "username", username: string): Recipient => ({
  kind,
  chat: { kind: "username", username },
});
const byPhone = (digits: string): Recipient => ({ kind: "phone", digits });
const bob = byName("username", "bob_sandbox");

const send = (input: MessageInput): Promise<{ messageId: string }> => fixture.run(alice, "send-message", input);
const text = (to: Recipient, words = "Hello 👋"): Promise<{ messageId: string }> => send({ to, type: "text", text: words });
const messages = (): Record<string, unknown>[] =>
  fixture.sandbox.telegram.control.received("alice").filter(({ type }) => type === "message");
const idOf = (account: string): string =>
  String(fixture.sandbox.telegram.control.accounts().find((one) => one["account"] === account)?.["userId"]);

describe("receivers", () => {
  test.each<[string, () => Recipient, () => string]>([
    ["a basic group", () => byId("group", familyGroup), () => familyGroup],
    ["a supergroup", () => byId("group", bigGroup), () => bigGroup],
    ["a public group by name", () => byName("group", "sandbox_square"), () => "-1001900000003"],
    ["a channel", () => byId("channel", bobChannel), () => bobChannel],
    ["a channel by name", () => byName("channel", "alice_news"), () => "-1001900000011"],
    ["a person by id", () => byId("user", idOf("bob")), () => idOf("bob")],
    ["a person by name", () => bob, () => idOf("bob")],
    ["a person by phone", () => byPhone(bobPhone), () => idOf("bob")],
  ])("%s", async (_name, to, chat) => {
    const { messageId } = await text(to());
    expect(messages().at(-1)).toMatchObject({ id: messageId, chat: chat(), kind: "text", text: "Hello 👋" });
  });

  test.each<[string, () => Recipient, string]>([
    ["a name that nobody has", () => byName("username", "nobody_has_this"), "chat not found"],
    ["an id that the account does not know", () => byId("user", "987654321"), "chat not found"],
    ["a group as a person", () => byId("user", bigGroup), "chat not found"],
    ["a basic group that is none", () => byId("group", "-987654"), "chat not found"],
    ["a supergroup of an unknown id", () => byId("group", "-1001987654321"), "chat not found"],
    ["a channel as a group", () => byId("group", bobChannel), "group not found"],
    ["a person as a group", () => byName("group", "bob_sandbox"), "group not found"],
    ["a public group that is not joined", () => byName("group", "sandbox_other_square"), "group not found"],
    ["a group that was left", () => byId("group", "-1001900000008"), "group not found"],
    ["a group that was upgraded", () => byId("group", huskGroup), `group not found, it was upgraded to ${upgradedGroup}`],
    ["a group as a channel", () => byId("channel", bigGroup), "channel not found"],
    ["a public channel that is not joined", () => byName("channel", "sandbox_not_joined"), "channel not found"],
    ["a channel that nobody may see", () => byId("channel", "-1001987654322"), "chat not found"],
    ["a number without account", () => byPhone("15559999999"), "phone is not on telegram or hidden by its privacy settings"],
  ])("%s is refused", async (_name, to, message) => {
    await expect(text(to())).rejects.toMatchObject({ status: 400, message });
  });

  test.each<["markdown" | "html", string]>([
    ["markdown", "||\u200b||"],
    ["html", "<i>\u3164</i>\n"],
  ])("a text of nothing but marks is empty: %s %j", async (parseMode, empty) => {
    await expect(send({ to: bob, type: "text", text: empty, parseMode })).rejects.toMatchObject({
      status: 400,
      message: "text should not be empty",
    });
  });

  test("resolves a username and a phone number once", async () => {
    await text(byPhone("15550100003"));
    await text(byName("username", "carol_sandbox"));
    fixture.resetCalls();
    await text(byPhone("15550100003"));
    await text(byName("username", "carol_sandbox"));
    await expect(text(byPhone("15558888888"))).rejects.toMatchObject({ status: 400 });
    await expect(text(byPhone("15558888888"))).rejects.toMatchObject({ status: 400 });
    expect(fixture.calls("contacts.resolveUsername")).toBe(0);
    expect(fixture.calls("contacts.resolvePhone")).toBe(1);
  });
});

describe("media", () => {
  const url = (name: string): string => `${fixture.sandbox.controlUrl}/files/${name}`;
  const bytesOf = async (name: string): Promise<Buffer> => Buffer.from(await (await fetch(url(name))).arrayBuffer());
  const digest = async (name: string): Promise<{ sha256: string; size: number }> => {
    const bytes = await bytesOf(name);
    return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  };
  const row = async (content: Extract<MessageInput, { to: Recipient }>): Promise<Record<string, unknown>> => {
    const { messageId } = await send(content);
    const last = messages().at(-1);
    expect(last).toMatchObject({ id: messageId });
    return last ?? {};
  };

  test.each(["photo.jpg", "photo.png"])("%s goes as a photo, byte for byte", async (name) => {
    expect(await row({ to: bob, type: "image", text: "cap 👀", image: { url: url(name), mimetype: "image/jpeg" } })).toMatchObject({
      kind: "image",
      text: "cap 👀",
      file: { ...(await digest(name)), width: expect.any(Number), height: expect.any(Number) },
    });
  });

  test("a photo over 2560 pixels becomes a JPEG of that size", async () => {
    expect(await row({ to: bob, type: "image", text: "", image: { url: url("large.jpg"), mimetype: "image/jpeg" } })).toMatchObject({
      kind: "image",
      file: { mimetype: "image/jpeg", width: 2560, height: 1920 },
    });
  });

  test("a photo that the platform would refuse for its shape", async () => {
    await expect(send({ to: bob, type: "image", text: "", image: { url: url("strip.png"), mimetype: "image/png" } })).rejects.toMatchObject(
      {
        status: 500,
        message: "error compress image: one side is more than 20 times the other",
      },
    );
  });

  test("a WebP becomes a JPEG", async () => {
    expect(await row({ to: bob, type: "image", text: "", image: { url: url("photo.webp"), mimetype: "image/webp" } })).toMatchObject({
      kind: "image",
      text: "",
      file: { mimetype: "image/jpeg", width: expect.any(Number) },
    });
  });

  test.each(["document.pdf", "broken.jpg"])("%s is no picture", async (name) => {
    await expect(send({ to: bob, type: "image", text: "", image: { url: url(name), mimetype: "image/jpeg" } })).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/^error compress image: /),
    });
  });

  test("a video with its size and first frame", async () => {
    expect(
      await row({ to: bob, type: "video", text: "film", video: { url: url("video.mp4"), mimetype: "video/mp4", duration: 2.5 } }),
    ).toMatchObject({
      kind: "video",
      text: "film",
      file: {
        ...(await digest("video.mp4")),
        mimetype: "video/mp4",
        duration: 2.5,
        width: expect.any(Number),
        height: expect.any(Number),
        thumbnail: { mimetype: "image/jpeg", width: expect.any(Number) },
      },
    });
  });

  test("a video without sound stays a video", async () => {
    const { chat } = await row({ to: bob, type: "video", text: "", video: { url: url("silent.mp4"), mimetype: "video/mp4", duration: 2 } });
    expect(messages().at(-1)).toMatchObject({ kind: "video", chat, file: { ...(await digest("silent.mp4")), mimetype: "video/mp4" } });
  });

  test("a video with a thumbnail of its own; one without a picture in it goes without", async () => {
    const own = await row({
      to: bob,
      type: "video",
      text: "",
      video: { url: url("video.mp4"), mimetype: "video/mp4", duration: 3, thumbnail: url("photo.jpg") },
    });
    const first = await row({ to: bob, type: "video", text: "", video: { url: url("video.mp4"), mimetype: "video/mp4", duration: 3 } });
    const sha = (sent: Record<string, unknown>): unknown => (sent as { file: { thumbnail: { sha256: string } } }).file.thumbnail.sha256;
    expect(sha(own)).not.toEqual(sha(first));
    const none = await row({ to: bob, type: "video", text: "", video: { url: url("endless.mp4"), mimetype: "video/mp4", duration: 3 } });
    expect(none).toMatchObject({ kind: "video", file: await digest("endless.mp4") });
    expect(none["file"]).not.toHaveProperty("thumbnail");
  });

  test("a file goes with its plain type, however it is written", async () => {
    const video = { url: url("video.mp4"), mimetype: 'VIDEO/MP4; codecs="avc1"', duration: 3 };
    expect(await row({ to: bob, type: "video", text: "", video })).toMatchObject({ kind: "video", file: { mimetype: "video/mp4" } });
    const audio = { url: url("audio.mp3"), mimetype: "Audio/MPEG; rate=44100", duration: 3 };
    expect(await row({ to: bob, type: "audio", audio })).toMatchObject({ kind: "audio", file: { mimetype: "audio/mpeg" } });
    const document = { url: url("document.pdf"), name: "a.pdf", size: 1, mimetype: "Application/PDF" };
    expect(await row({ to: bob, type: "document", text: "", document })).toMatchObject({ file: { mimetype: "application/pdf" } });
  });

  test("no video is what does not begin like one", async () => {
    const video = { url: url("document.pdf"), mimetype: "video/mp4", duration: 3 };
    await expect(send({ to: bob, type: "video", text: "", video })).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/^error compress image: unsupported video format, found /) as string,
    });
  });

  test("audio as a file, never a voice note", async () => {
    const sent = await row({ to: bob, type: "audio", audio: { url: url("audio.mp3"), mimetype: "audio/mpeg", duration: 2.2 } });
    expect(sent).toMatchObject({
      kind: "audio",
      file: { ...(await digest("audio.mp3")), mimetype: "audio/mpeg", duration: 3, fileName: "audio.mp3" },
    });
    expect(sent["file"]).not.toHaveProperty("voice");
  });

  test("a document under its name", async () => {
    expect(
      await row({
        to: bob,
        type: "document",
        text: "read",
        document: { url: url("document.pdf"), name: "Bericht 📄.pdf", size: 1, mimetype: "application/pdf" },
      }),
    ).toMatchObject({
      kind: "document",
      text: "read",
      file: { ...(await digest("document.pdf")), mimetype: "application/pdf", fileName: "Bericht 📄.pdf" },
    });
  });

  test("a picture as a document stays one", async () => {
    expect(
      await row({
        to: bob,
        type: "document",
        text: "",
        document: { url: url("photo.jpg"), name: "p.jpg", size: 1, mimetype: "image/jpeg" },
      }),
    ).toMatchObject({ kind: "document", file: await digest("photo.jpg") });
  });

  test("a place, with and without a name, and a contact", async () => {
    expect(await row({ to: bob, type: "location", location: { latitude: 52.5, longitude: -13.4 } })).toMatchObject({
      kind: "location",
      location: { latitude: 52.5, longitude: -13.4 },
    });
    expect(await row({ to: bob, type: "location", location: { latitude: 52.5, longitude: -13.4, name: "N", address: "A" } })).toMatchObject(
      { location: { name: "N", address: "A" } },
    );
    expect(await row({ to: bob, type: "contact", contact: { name: "Zoë 👩", phone: "+49 151-2345678" } })).toMatchObject({
      kind: "contact",
      contact: { phone: "+491512345678", firstName: "Zoë 👩" },
    });
  });

  test.each<[string, (to: Recipient) => MessageInput]>([
    [
      "a document",
      (to) => ({
        to,
        type: "document",
        text: "d",
        document: { url: url("document.pdf"), name: "once.pdf", size: 1, mimetype: "application/pdf" },
      }),
    ],
    ["a photo", (to) => ({ to, type: "image", text: "p", image: { url: url("photo.jpg"), mimetype: "image/jpeg" } })],
    ["a place", (to) => ({ to, type: "location", location: { latitude: 1, longitude: 2 } })],
  ])("sends %s once when the response is lost", async (_name, input) => {
    const before = messages().length;
    await fixture.fault({ kind: "lost-ack", account: "alice", method: "messages.sendMedia" });
    const { messageId } = await send(input(bob));
    expect(messages().slice(before)).toMatchObject([{ id: messageId }]);
  });

  test("a caption that is too long, and a file that is not there", async () => {
    await expect(
      send({
        to: bob,
        type: "document",
        text: "x".repeat(1_025),
        document: { url: url("document.pdf"), name: "a.pdf", size: 1, mimetype: "application/pdf" },
      }),
    ).rejects.toMatchObject({
      status: 500,
      message: "400: MEDIA_CAPTION_TOO_LONG (caused by messages.SendMedia)",
    });
    await expect(
      send({ to: bob, type: "audio", audio: { url: url("nothing.mp3"), mimetype: "audio/mpeg", duration: 1 } }),
    ).rejects.toMatchObject({ status: 500, message: "error parser file from url 404 Not Found" });
  });
});

describe("formatting", () => {
  test.each<[string, "markdown" | "html", string, Record<string, unknown>[]]>([
    [
      "👋 **Hi 👨‍👩‍👧** [x](https://e.com/+y)",
      "markdown",
      "👋 Hi 👨‍👩‍👧 x",
      [
        { type: "bold", offset: 3, length: 11 },
        { type: "textUrl", offset: 15, length: 1, url: "https://e.com/+y" },
      ],
    ],
    [
      "👋 <b>Hi</b> <pre><code class='language-ts'>a</code></pre>",
      "html",
      "👋 Hi a",
      [
        { type: "bold", offset: 3, length: 2 },
        { type: "pre", offset: 6, length: 1, language: "ts" },
      ],
    ],
    ["2 ** 3 and <b>", "markdown", "2 ** 3 and <b>", []],
  ])("%j in %s", async (source, parseMode, words, entities) => {
    const { messageId } = await send({ to: bob, parseMode, type: "text", text: source });
    expect(messages().at(-1)).toMatchObject({ id: messageId, text: words, entities });
  });

  test("without a mode a text is what it is", async () => {
    await send({ to: bob, type: "text", text: "**a** <b>b</b>" });
    expect(messages().at(-1)).toMatchObject({ text: "**a** <b>b</b>", entities: [] });
  });

  test("of a caption, and of people who are mentioned", async () => {
    const { controlUrl } = fixture.sandbox;
    await send({
      to: bob,
      parseMode: "html",
      type: "image",
      text: "<i>cap</i>",
      image: { url: `${controlUrl}/files/photo.jpg`, mimetype: "image/jpeg" },
    });
    expect(messages().at(-1)).toMatchObject({ kind: "image", text: "cap", entities: [{ type: "italic", offset: 0, length: 3 }] });
    await send({
      to: bob,
      parseMode: "markdown",
      type: "text",
      text: `[Bob](tg://user?id=${idOf("bob")}) and [nobody](tg://user?id=987654321)`,
    });
    expect(messages().at(-1)).toMatchObject({ text: "Bob and nobody", entities: [{ type: "mentionName", offset: 0, length: 3 }] });
  });
});

describe("the platform's refusals", () => {
  test("of a channel that others post in", async () => {
    await expect(text(byId("channel", "-1001900000013"))).rejects.toMatchObject({
      status: 500,
      message: "400: CHAT_ADMIN_REQUIRED (caused by messages.SendMessage)",
    });
  });

  test("of a group that is for reading", async () => {
    await expect(text(byId("group", "-1001900000005"))).rejects.toMatchObject({
      status: 500,
      message: "403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)",
    });
  });

  test("of a second message in a slow group", async () => {
    await text(byId("group", "-1001900000004"));
    await expect(text(byId("group", "-1001900000004"))).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(/^420: SLOWMODE_WAIT_\d+ \(caused by messages\.SendMessage\)$/),
    });
  });

  test("of people who blocked the account or are blocked by it", async () => {
    await expect(text(byName("username", "mallory_sandbox"))).rejects.toMatchObject({
      status: 500,
      message: "400: USER_IS_BLOCKED (caused by messages.SendMessage)",
    });
    await expect(text(byName("username", "lina_sandbox"))).rejects.toMatchObject({
      status: 500,
      message: "400: YOU_BLOCKED_USER (caused by messages.SendMessage)",
    });
  });

  test("of a text that is too long", async () => {
    await expect(text(bob, "x".repeat(4_097))).rejects.toMatchObject({
      status: 500,
      message: "400: MESSAGE_TOO_LONG (caused by messages.SendMessage)",
    });
  });

  test.each([
    ["PEER_FLOOD", "400: PEER_FLOOD (caused by messages.SendMessage)"],
    ["PRIVACY_PREMIUM_REQUIRED", "406: PRIVACY_PREMIUM_REQUIRED (caused by messages.SendMessage)"],
  ])("%s", async (error, message) => {
    await fixture.fault({ kind: "error", account: "alice", method: "messages.sendMessage", error });
    await expect(text(bob)).rejects.toMatchObject({ status: 500, message });
  });

  test("waits out a short flood wait and reports a long one", async () => {
    await fixture.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 5 });
    const { messageId } = await text(bob, "patience");
    expect(messages().at(-1)).toMatchObject({ id: messageId, text: "patience" });
    await fixture.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 90 });
    await expect(text(bob)).rejects.toMatchObject({
      status: 500,
      message: "A wait of 90 seconds is required (caused by messages.SendMessage)",
    });
  });
});

describe("a message that may have gone out", () => {
  const once = async (words: string, input: MessageInput): Promise<void> => {
    const before = messages().length;
    const { messageId } = await send(input);
    const after = messages().slice(before);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: messageId, text: words });
  };

  test.each<[string, () => Recipient]>([
    ["to a person", () => bob],
    ["to a channel", () => byId("channel", bobChannel)],
    ["to a group", () => byId("group", familyGroup)],
    ["to the account itself", () => byId("user", idOf("alice"))],
  ])("is sent once when the response is lost, %s", async (_name, to) => {
    await fixture.fault({ kind: "lost-ack", account: "alice", method: "messages.sendMessage" });
    await once("once", { to: to(), type: "text", text: "once" });
  });

  test("is retried on the open connection when no response arrives", async () => {
    await fixture.fault({ kind: "stall", account: "alice", method: "messages.sendMessage", times: 1 });
    await once("unheard", { to: bob, type: "text", text: "unheard" });
  });

  test("is the same message when its command runs again", async () => {
    const { signal } = new AbortController();
    const call = { id: "the-same-command", signal, ending: signal, yieldLane: () => undefined, log: silentLog };
    const command = fixture.adapter.commands["send-message"];
    const first = await command.run(alice, { to: bob, type: "text", text: "again" }, call);
    const before = messages().length;
    expect(await command.run(alice, { to: bob, type: "text", text: "again" }, call)).toEqual(first);
    expect(messages()).toHaveLength(before);
  });

  test.each<[string, () => Recipient]>([
    ["a person", () => bob],
    ["a channel", () => byId("channel", bobChannel)],
  ])("is not confused with a later identical message to %s", async (name, to) => {
    const signal = new AbortController().signal;
    const command = fixture.adapter.commands["send-message"];
    const run = (id: string): Promise<{ messageId: string }> =>
      command.run(
        alice,
        { to: to(), type: "text", text: "twin" },
        { id: `${name} ${id}`, signal, ending: signal, yieldLane: () => undefined, log: silentLog },
      );
    const first = await run("first");
    const second = await run("second");
    expect(second).not.toEqual(first);
    expect(await run("first")).toEqual(first);
    expect(await run("second")).toEqual(second);
  });
});

describe("typing", () => {
  test.each<[string, () => Recipient, () => string, "text" | "audio"]>([
    ["a group", () => byId("group", familyGroup), () => familyGroup, "text"],
    ["a person", () => byId("user", idOf("bob")), () => idOf("bob"), "audio"],
    ["a name", () => bob, () => idOf("bob"), "text"],
    ["a number", () => byPhone(bobPhone), () => idOf("bob"), "audio"],
  ])("to %s", async (_name, to, chat, type) => {
    const receiver = to();
    if (receiver.kind === "channel") throw new Error("channels have no indicator");
    expect(await fixture.run(alice, "send-typing", { to: receiver, type })).toEqual({ id: alice.id });
    expect(fixture.sandbox.telegram.control.received("alice").at(-1)).toMatchObject({ type: "typing", chat: chat(), action: type });
  });

  test("as a channel, and without a recipient", async () => {
    await expect(
      fixture.run(alice, "send-typing", { to: { kind: "group", chat: { kind: "id", id: bobChannel } }, type: "text" }),
    ).rejects.toMatchObject({ status: 400, message: "group not found" });
    await expect(
      fixture.run(alice, "send-typing", {
        to: { kind: "username", chat: { kind: "username", username: "nobody_has_this" } },
        type: "text",
      }),
    ).rejects.toMatchObject({ status: 400, message: "chat not found" });
  });
});
