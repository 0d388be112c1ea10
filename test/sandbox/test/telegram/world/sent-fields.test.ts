/**
 * Options that clients send with texts and files, as receivers see them (core.telegram.org/method/messages.sendMessage, messages.sendMedia
 * and messages.editMessage).
 */
import bigInt from "big-integer";
import { Api, type TelegramClient } from "telegram";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawPicture } from "../../../files/pictures.js";
import { TestSandbox } from "./sandbox-client.js";

let sandbox: TestSandbox;
let alice: TelegramClient;
let bob: TelegramClient;
let toBob: Api.InputPeerUser;
let toAlice: Api.InputPeerUser;

beforeAll(async () => {
  sandbox = await TestSandbox.start();
  alice = await sandbox.loggedIn("alice");
  bob = await sandbox.loggedIn("bob");
  toBob = await peerOf(alice, "bob_sandbox");
  toAlice = await peerOf(bob, "alice_sandbox");
});
afterAll(async () => {
  await sandbox.stop();
});

async function peerOf(client: TelegramClient, username: string): Promise<Api.InputPeerUser> {
  const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [user] = users;
  if (!(user instanceof Api.User) || !user.accessHash) throw new Error("no person");
  return new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash });
}

let lastId = 5_000;
const randomId = (): bigInt.BigInteger => bigInt(lastId++);

async function upload(bytes: Buffer, name: string): Promise<Api.InputFile> {
  const id = randomId();
  await alice.invoke(new Api.upload.SaveFilePart({ fileId: id, filePart: 0, bytes }));
  return new Api.InputFile({ id, parts: 1, name, md5Checksum: "" });
}

/** Returns the newest message of the chat as Bob sees it. */
async function newest(): Promise<Api.Message> {
  const [message] = await history(bob, toAlice);
  if (!(message instanceof Api.Message)) throw new Error("no message");
  return message;
}

async function history(client: TelegramClient, peer: Api.TypeInputPeer): Promise<Api.TypeMessage[]> {
  const found = await client.invoke(
    new Api.messages.GetHistory({ peer, limit: 3, offsetId: 0, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: bigInt.zero }),
  );
  return "messages" in found ? found.messages : [];
}

const say = (message: string, more: object = {}) =>
  alice.invoke(new Api.messages.SendMessage({ peer: toBob, message, randomId: randomId(), ...more }));
const show = (media: Api.TypeInputMedia, more: object = {}) =>
  alice.invoke(new Api.messages.SendMedia({ peer: toBob, media, message: "", randomId: randomId(), ...more }));
const picture = async (hue: number): Promise<Api.InputFile> => upload(await drawPicture(hue, { width: 320, height: 240 }, "x"), "x.png");

describe("a text", () => {
  it("names people to its receivers by id, also when the sender wrote an inputPeerUser as Telethon does", async () => {
    const who = new Api.InputUser({ userId: toBob.userId, accessHash: toBob.accessHash });
    for (const userId of [who, toBob as unknown as Api.InputUser]) {
      await say("hi you", { entities: [new Api.InputMessageEntityMentionName({ offset: 3, length: 3, userId })] });
      const { entities } = await newest();
      expect(entities?.map(({ className, offset }) => [className, offset])).toEqual([["MessageEntityMentionName", 3]]);
      expect(entities).toMatchObject([{ userId: toBob.userId }]);
    }
  });

  it("has the links, names, tags, addresses and numbers that the platform finds by itself", async () => {
    const text = "https://a.example/x?y=1. b.example.org @bob_sandbox #news1 #12 me@c.example +49 151 2345678";
    await say(text);
    const found = (await newest()).entities?.map(({ className, offset, length }) => [className, text.slice(offset, offset + length)]);
    expect(found).toEqual([
      ["MessageEntityUrl", "https://a.example/x?y=1"],
      ["MessageEntityUrl", "b.example.org"],
      ["MessageEntityMention", "@bob_sandbox"],
      ["MessageEntityHashtag", "#news1"],
      ["MessageEntityEmail", "me@c.example"],
      ["MessageEntityPhone", "+49 151 2345678"],
    ]);
    const answer = await say("@bob_sandbox", { entities: [new Api.MessageEntityCode({ offset: 0, length: 12 })] });
    expect(answer).toMatchObject({ entities: [{ className: "MessageEntityCode" }] });
  });

  it("may be silent, not to be forwarded, and an answer that quotes", async () => {
    await say("one two three");
    const { id } = await newest();
    const ownId = (await history(alice, toBob))[0]?.id ?? 0;
    const replyTo = new Api.InputReplyToMessage({ replyToMsgId: ownId, quoteText: "two", quoteOffset: 4 });
    await say("yes", { silent: true, noforwards: true, replyTo });
    expect(await newest()).toMatchObject({
      silent: true,
      noforwards: true,
      replyTo: { replyToMsgId: id, quote: true, quoteText: "two", quoteOffset: 4 },
    });
    const [own] = await history(alice, toBob);
    const forward = { fromPeer: toBob, toPeer: toBob, id: [own?.id ?? 0], randomId: [randomId()] };
    await expect(alice.invoke(new Api.messages.ForwardMessages(forward))).rejects.toThrow("CHAT_FORWARDS_RESTRICTED");
  });

  it.each([
    ["an effect", { effect: bigInt(5) }, "INPUT_FIELD_INVALID_EFFECT"],
    ["another sender", { sendAs: new Api.InputPeerSelf() }, "INPUT_FIELD_INVALID_SEND_AS"],
    ["buttons", { replyMarkup: new Api.ReplyKeyboardHide({}) }, "INPUT_FIELD_INVALID_REPLY_MARKUP"],
    ["an answer to no message", { replyTo: new Api.InputReplyToMessage({ replyToMsgId: 999_999 }) }, "REPLY_MESSAGE_ID_INVALID"],
    ["an answer to a story", { replyTo: new Api.InputReplyToStory({ peer: new Api.InputPeerSelf(), storyId: 1 }) }, "REPLY_TO_INVALID"],
  ])("with %s is refused", async (_, more, error) => {
    await expect(say("no", more)).rejects.toThrow(error);
  });
});

describe("media", () => {
  it("may be covered, under its caption, and for one look", async () => {
    await show(new Api.InputMediaUploadedPhoto({ file: await picture(10), spoiler: true, ttlSeconds: 10 }), {
      invertMedia: true,
      message: "look",
    });
    expect(await newest()).toMatchObject({ mediaUnread: true, media: { spoiler: true, ttlSeconds: 10 } });
    expect(Reflect.get(await newest(), "invertMedia")).toBe(true);
    const media = new Api.InputMediaUploadedPhoto({ file: await picture(20), ttlSeconds: 61 });
    await expect(show(media)).rejects.toThrow("TTL_MEDIA_INVALID");
  });

  it("may be a voice message with its waveform, unread until its receiver has listened to it, and music with title and performer", async () => {
    const waveform = Buffer.from([1, 2, 3]);
    const voice = new Api.DocumentAttributeAudio({ voice: true, duration: 2, waveform });
    const file = await upload(Buffer.from("OggS"), "voice.ogg");
    await show(new Api.InputMediaUploadedDocument({ file, mimeType: "audio/ogg", attributes: [voice] }));
    const told = await newest();
    expect(told).toMatchObject({ mediaUnread: true, media: { voice: true, document: { attributes: [{ voice: true, waveform }] } } });
    const [before] = await history(alice, toBob);
    expect(before).toMatchObject({ mediaUnread: true });
    expect(await bob.invoke(new Api.messages.ReadMessageContents({ id: [told.id] }))).toMatchObject({ ptsCount: 1 });
    expect((await newest()).mediaUnread).not.toBe(true);
    const [after] = await history(alice, toBob);
    expect(Reflect.get(after ?? {}, "mediaUnread")).not.toBe(true);
    const music = new Api.DocumentAttributeAudio({ duration: 2, title: "Song", performer: "Band" });
    await show(
      new Api.InputMediaUploadedDocument({ file: await upload(Buffer.from("ID3"), "a.mp3"), mimeType: "audio/mpeg", attributes: [music] }),
    );
    expect(await newest()).toMatchObject({ media: { document: { attributes: [{ title: "Song", performer: "Band" }] } } });
    expect((await newest()).mediaUnread).not.toBe(true);
  });

  it("may be exchanged by an edit, or added to a text, and nothing else may become a file", async () => {
    await show(new Api.InputMediaUploadedPhoto({ file: await picture(30) }), { message: "old" });
    const photoOf = ({ media }: Api.Message) => (media instanceof Api.MessageMediaPhoto ? media.photo?.id.toString() : undefined);
    const former = photoOf(await newest());
    const edit = async (media: Api.TypeInputMedia, more: object = {}) => {
      const [own] = await history(alice, toBob);
      return alice.invoke(new Api.messages.EditMessage({ peer: toBob, id: own?.id ?? 0, media, ...more }));
    };
    await edit(new Api.InputMediaUploadedPhoto({ file: await picture(40) }));
    expect(await newest()).toMatchObject({ message: "old" });
    expect(photoOf(await newest())).not.toBe(former);
    await say("words");
    await edit(new Api.InputMediaUploadedPhoto({ file: await picture(50) }), { message: "with a picture" });
    expect(await newest()).toMatchObject({ message: "with a picture", media: { className: "MessageMediaPhoto" } });
    const place = new Api.InputMediaGeoPoint({ geoPoint: new Api.InputGeoPoint({ lat: 1, long: 1 }) });
    await expect(edit(place)).rejects.toThrow("MEDIA_NEW_INVALID");
    await show(place);
    await expect(edit(new Api.InputMediaUploadedPhoto({ file: await picture(60) }))).rejects.toThrow("MEDIA_PREV_INVALID");
  });

  it("may be a place that moves on and stops, and a dice", async () => {
    const at = (lat: number, more: object) => new Api.InputMediaGeoLive({ geoPoint: new Api.InputGeoPoint({ lat, long: 2 }), ...more });
    await show(at(1, { period: 900, heading: 90 }));
    expect(await newest()).toMatchObject({ media: { className: "MessageMediaGeoLive", period: 900, heading: 90, geo: { lat: 1 } } });
    const [own] = await history(alice, toBob);
    const edit = (media: Api.TypeInputMedia) => alice.invoke(new Api.messages.EditMessage({ peer: toBob, id: own?.id ?? 0, media }));
    await edit(at(3, {}));
    expect(await newest()).toMatchObject({ media: { period: 900, geo: { lat: 3 } } });
    await edit(at(0, { stopped: true }));
    expect(await newest()).toMatchObject({ media: { period: 0, geo: { lat: 3 } } });
    await expect(show(at(1, { period: 5 }))).rejects.toThrow("MEDIA_GEOPERIOD_INVALID");
    await show(new Api.InputMediaDice({ emoticon: "🎲" }));
    const { media } = await newest();
    expect(media instanceof Api.MessageMediaDice && media.value >= 1 && media.value <= 6).toBe(true);
    await expect(show(new Api.InputMediaDice({ emoticon: "🪙" }))).rejects.toThrow("EMOTICON_INVALID");
  });
});
