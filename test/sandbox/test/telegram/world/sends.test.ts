import { createHash, randomBytes } from "node:crypto";
import bigInt from "big-integer";
import { Api, type TelegramClient } from "telegram";
import { UpdateConnectionState } from "telegram/network/index.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { TestSandbox } from "./sandbox-client.js";

let sandbox: TestSandbox;
let alice: TelegramClient;
let bob: TelegramClient;

beforeAll(async () => {
  sandbox = await TestSandbox.start();
  alice = await sandbox.loggedIn("alice");
  bob = await sandbox.loggedIn("bob");
});
afterAll(async () => {
  await sandbox.stop();
});

const received = (account: string, type: string) =>
  sandbox.docs(`/received?platform=telegram&account=${account}`).then((docs) => docs.filter((doc) => doc["type"] === type));

async function peerOf(client: TelegramClient, username: string): Promise<Api.TypeInputPeer> {
  const { peer, users, chats } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [user] = users;
  const [chat] = chats;
  if (peer instanceof Api.PeerUser && user instanceof Api.User)
    return new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash ?? bigInt.zero });
  if (chat instanceof Api.Channel) return new Api.InputPeerChannel({ channelId: chat.id, accessHash: chat.accessHash ?? bigInt.zero });
  throw new Error("no peer");
}

async function upload(client: TelegramClient, bytes: Buffer, name: string): Promise<Api.InputFile> {
  const id = bigInt(randomBytes(6).toString("hex"), 16);
  const partSize = 524_288;
  const parts = Math.ceil(bytes.length / partSize);
  for (let part = 0; part < parts; part++)
    await client.invoke(
      new Api.upload.SaveFilePart({ fileId: id, filePart: part, bytes: bytes.subarray(part * partSize, (part + 1) * partSize) }),
    );
  return new Api.InputFile({ id, parts, name, md5Checksum: "" });
}

function updatesOf(client: TelegramClient): { className: string }[] {
  const seen: { className: string }[] = [];
  client.addEventHandler((update) => {
    // The library also reports the state of its connection.
    if (!(update instanceof UpdateConnectionState)) seen.push(update);
  });
  return seen;
}

it("delivers a private message to both sides and refuses its repetition", async () => {
  const seen = updatesOf(bob);
  const before = await alice.invoke(new Api.updates.GetState());
  const request = {
    peer: await peerOf(alice, "bob_sandbox"),
    message: "hello **bob**",
    randomId: bigInt(77_001),
    entities: [new Api.MessageEntityBold({ offset: 6, length: 7 })],
  };
  const sent = await alice.invoke(new Api.messages.SendMessage(request));
  if (!(sent instanceof Api.UpdateShortSentMessage)) throw new Error(sent.className);
  await expect(alice.invoke(new Api.messages.SendMessage(request))).rejects.toThrow("RANDOM_ID_DUPLICATE");
  const difference = await alice.invoke(new Api.updates.GetDifference({ pts: before.pts, date: before.date, qts: before.qts }));
  expect(difference).toMatchObject({
    newMessages: [{ id: sent.id }],
    otherUpdates: [{ className: "UpdateMessageID", id: sent.id, randomId: bigInt(77_001) }],
  });
  expect(await received("alice", "message")).toMatchObject([
    { id: String(sent.id), chat: "5100000001", text: "hello **bob**", entities: [{ type: "bold", offset: 6, length: 7 }] },
  ]);
  await expect.poll(() => seen.map(({ className }) => className)).toContain("UpdateShortMessage");
});

/** Telethon's and mtcute's `schedule`. The sandbox once sent such messages at once. */
it("refuses what is to be sent later", async () => {
  const peer = await peerOf(alice, "bob_sandbox");
  const scheduleDate = Math.floor(Date.now() / 1_000) + 3_600;
  const sent = await alice.sendMessage("bob_sandbox", { message: "now" });
  const later = { peer, scheduleDate, randomId: bigInt(77_010) };
  for (const request of [
    new Api.messages.SendMessage({ ...later, message: "later" }),
    new Api.messages.SendMedia({
      ...later,
      message: "",
      media: new Api.InputMediaGeoPoint({ geoPoint: new Api.InputGeoPoint({ lat: 1, long: 1 }) }),
    }),
    new Api.messages.SendMultiMedia({ peer, scheduleDate, multiMedia: [] }),
    new Api.messages.ForwardMessages({ fromPeer: peer, toPeer: peer, id: [sent.id], randomId: [bigInt(77_011)], scheduleDate }),
    new Api.messages.EditMessage({ peer, id: sent.id, message: "then", scheduleDate }),
  ])
    await expect(alice.invoke(request)).rejects.toThrow("SCHEDULE_DATE_INVALID");
  const [newest] = await alice.getMessages("bob_sandbox", { limit: 1 });
  expect([newest?.id, newest?.message]).toEqual([sent.id, "now"]);
});

it("posts to an own channel and not to another's", async () => {
  const own = await alice.invoke(new Api.messages.SendMessage({ peer: await peerOf(alice, "alice_news"), message: "news" }));
  if (!(own instanceof Api.Updates)) throw new Error(own.className);
  expect(own.updates.map(({ className }) => className)).toEqual(["UpdateMessageID", "UpdateNewChannelMessage"]);
  await expect(alice.invoke(new Api.messages.SendMessage({ peer: await peerOf(alice, "sandbox_daily"), message: "no" }))).rejects.toThrow(
    "400: CHAT_ADMIN_REQUIRED",
  );
  await expect(
    alice.invoke(new Api.messages.SendMessage({ peer: await peerOf(alice, "alice_news"), message: "x".repeat(4_097) })),
  ).rejects.toThrow("MESSAGE_TOO_LONG");
});

it.each([
  ["a text of blanks", { message: " \n" }, "400: MESSAGE_EMPTY"],
  [
    "an entity past the end",
    { message: "hi 👋", entities: [new Api.MessageEntityBold({ offset: 3, length: 3 })] },
    "400: ENTITY_BOUNDS_INVALID",
  ],
  [
    "an entity that splits an emoji",
    { message: "hi 👋", entities: [new Api.MessageEntityBold({ offset: 0, length: 4 })] },
    "400: ENTITY_BOUNDS_INVALID",
  ],
  ["an empty entity", { message: "hi", entities: [new Api.MessageEntityBold({ offset: 0, length: 0 })] }, "400: ENTITY_BOUNDS_INVALID"],
])("refuses %s", async (_name, body, error) => {
  await expect(alice.invoke(new Api.messages.SendMessage({ peer: new Api.InputPeerSelf(), ...body }))).rejects.toThrow(error);
});

it("counts characters, not UTF-16 units", async () => {
  const send = (message: string) => alice.invoke(new Api.messages.SendMessage({ peer: new Api.InputPeerSelf(), message }));
  await expect(send("👋".repeat(4_096))).resolves.toMatchObject({ out: true });
  await expect(send("👋".repeat(4_097))).rejects.toThrow("400: MESSAGE_TOO_LONG");
  const place = new Api.InputMediaGeoPoint({ geoPoint: new Api.InputGeoPoint({ lat: 1, long: 2 }) });
  await expect(
    alice.invoke(new Api.messages.SendMedia({ peer: new Api.InputPeerSelf(), media: place, message: "x".repeat(1_025) })),
  ).rejects.toThrow("400: MEDIA_CAPTION_TOO_LONG");
});

it("refuses a wrong access hash", async () => {
  const peer = new Api.InputPeerUser({ userId: bigInt(5_100_000_001), accessHash: bigInt(12_345) });
  await expect(alice.invoke(new Api.messages.SendMessage({ peer, message: "hi" }))).rejects.toThrow("400: PEER_ID_INVALID");
});

it("says why somebody may not be written to, as the settings on the phones have it", async () => {
  const settings = (account: string, body: Record<string, unknown>) =>
    sandbox.control("POST", "/phone/settings", { platform: "telegram", account, ...body });
  await sandbox.control("POST", "/accounts", { platform: "telegram", account: "opal", username: "opal_sandbox", phone: "447900000001" });
  const write = async () => await alice.invoke(new Api.messages.SendMessage({ peer: await peerOf(alice, "opal_sandbox"), message: "hi" }));
  await settings("opal", { premiumOnly: true });
  await expect(write()).rejects.toThrow("406: PRIVACY_PREMIUM_REQUIRED");
  await settings("opal", { premiumOnly: false, phoneHidden: true, block: "alice" });
  await expect(write()).rejects.toThrow("400: USER_IS_BLOCKED");
  await expect(alice.invoke(new Api.contacts.ResolvePhone({ phone: "447900000001" }))).rejects.toThrow("400: PHONE_NOT_OCCUPIED");
  await settings("opal", { unblock: "alice", phoneHidden: false });
  await expect(alice.invoke(new Api.contacts.ResolvePhone({ phone: "447900000001" }))).resolves.toMatchObject({
    users: [{ username: "opal_sandbox" }],
  });
  await settings("alice", { limited: true });
  await expect(write()).rejects.toThrow("400: PEER_FLOOD");
  await settings("alice", { limited: false, block: "opal" });
  await expect(write()).rejects.toThrow("400: YOU_BLOCKED_USER");
  expect(await settings("alice", { unblock: "opal" })).toMatchObject({ status: 200, body: { limited: false } });
  await expect(write()).resolves.toMatchObject({ out: true });
});

it("sends to a basic group whose id looks like a channel's", async () => {
  const sent = await alice.invoke(
    new Api.messages.SendMessage({ peer: new Api.InputPeerChat({ chatId: bigInt(sharedChats.trapGroup) }), message: "to the group" }),
  );
  if (!(sent instanceof Api.Updates)) throw new Error(sent.className);
  expect((await received("alice", "message")).at(-1)).toMatchObject({
    recipient: "group",
    chat: `-${sharedChats.trapGroup}`,
    text: "to the group",
  });
});

it("takes a photo, a document, a place and a contact", async () => {
  const peer = await peerOf(alice, "bob_sandbox");
  const photo = Buffer.from(await (await sandbox.file("photo.png")).arrayBuffer());
  await alice.invoke(
    new Api.messages.SendMedia({
      peer,
      message: "look",
      media: new Api.InputMediaUploadedPhoto({ file: await upload(alice, photo, "a.png") }),
    }),
  );
  const pdf = Buffer.from(await (await sandbox.file("document.pdf")).arrayBuffer());
  await alice.invoke(
    new Api.messages.SendMedia({
      peer,
      message: "",
      media: new Api.InputMediaUploadedDocument({
        file: await upload(alice, pdf, "a.pdf"),
        mimeType: "application/pdf",
        forceFile: true,
        attributes: [new Api.DocumentAttributeFilename({ fileName: "a.pdf" })],
      }),
    }),
  );
  await alice.invoke(
    new Api.messages.SendMedia({
      peer,
      message: "",
      media: new Api.InputMediaGeoPoint({ geoPoint: new Api.InputGeoPoint({ lat: 1.5, long: 2.5 }) }),
    }),
  );
  await alice.invoke(
    new Api.messages.SendMedia({
      peer,
      message: "",
      media: new Api.InputMediaContact({ phoneNumber: "123", firstName: "A", lastName: "B", vcard: "" }),
    }),
  );
  const docs = (await received("alice", "message")).slice(-4);
  const sha256 = createHash("sha256").update(photo).digest("hex");
  expect(docs).toMatchObject([
    { kind: "image", text: "look", file: { sha256, mimetype: "image/png", width: 1600, height: 1200, size: photo.length } },
    { kind: "document", file: { mimetype: "application/pdf", fileName: "a.pdf", size: pdf.length } },
    { kind: "location", location: { latitude: 1.5, longitude: 2.5 } },
    { kind: "contact", contact: { phone: "123", firstName: "A" } },
  ]);
});

it.each([
  ["an MP4 without sound becomes an animation", "silent.mp4", {}, "animation"],
  ["an MP4 without sound stays a video when its sender says so", "silent.mp4", { nosoundVideo: true }, "video"],
  ["an MP4 with sound is a video", "video.mp4", {}, "video"],
])("%s", async (_what, name, flags, kind) => {
  const bytes = Buffer.from(await (await sandbox.file(name)).arrayBuffer());
  await alice.invoke(
    new Api.messages.SendMedia({
      peer: await peerOf(alice, "bob_sandbox"),
      message: "",
      media: new Api.InputMediaUploadedDocument({
        file: await upload(alice, bytes, name),
        mimeType: "video/mp4",
        attributes: [new Api.DocumentAttributeVideo({ duration: 2, w: 320, h: 240 })],
        ...flags,
      }),
    }),
  );
  expect((await received("alice", "message")).at(-1)).toMatchObject({ kind });
});

it("refuses parts of wrong sizes and incomplete files", async () => {
  const save = (filePart: number, bytes: Buffer, fileTotalParts = 3) =>
    alice.invoke(new Api.upload.SaveBigFilePart({ fileId: bigInt(9), filePart, fileTotalParts, bytes }));
  await expect(save(0, Buffer.alloc(1_000))).rejects.toThrow("FILE_PART_SIZE_INVALID");
  await expect(save(3, Buffer.alloc(1_024))).rejects.toThrow("FILE_PART_INVALID");
  await expect(save(0, Buffer.alloc(1_024), 4_001)).rejects.toThrow("FILE_PARTS_INVALID");
  await save(0, Buffer.alloc(524_288));
  await save(2, Buffer.alloc(10));
  const media = new Api.InputMediaUploadedDocument({
    file: new Api.InputFileBig({ id: bigInt(9), parts: 3, name: "x" }),
    mimeType: "video/mp4",
    attributes: [],
  });
  await expect(alice.invoke(new Api.messages.SendMedia({ peer: await peerOf(alice, "bob_sandbox"), message: "", media }))).rejects.toThrow(
    "FILE_PART_1_MISSING",
  );
});

it("posts a story and reports its audience and picture", async () => {
  const photo = Buffer.from(await (await sandbox.file("photo.jpg")).arrayBuffer());
  const randomId = bigInt(4_711);
  const result = await alice.invoke(
    new Api.stories.SendStory({
      peer: new Api.InputPeerSelf(),
      media: new Api.InputMediaUploadedPhoto({ file: await upload(alice, photo, "s.jpg") }),
      caption: "hi",
      privacyRules: [new Api.InputPrivacyValueAllowCloseFriends()],
      randomId,
      period: 86_400,
    }),
  );
  if (!(result instanceof Api.Updates)) throw new Error(result.className);
  const named = result.updates.find((update) => update instanceof Api.UpdateStoryID);
  expect(named?.randomId?.toString()).toBe("4711");
  expect(await received("alice", "story")).toMatchObject([
    {
      id: String(named?.id),
      privacy: "close_friends",
      caption: "hi",
      kind: "image",
      file: { width: 1600, height: 1200, mimetype: "image/jpeg" },
    },
  ]);
  const broken = Buffer.from(await (await sandbox.file("broken.jpg")).arrayBuffer());
  await expect(
    alice.invoke(
      new Api.stories.SendStory({
        peer: new Api.InputPeerSelf(),
        media: new Api.InputMediaUploadedPhoto({ file: await upload(alice, broken, "s.jpg") }),
        privacyRules: [new Api.InputPrivacyValueAllowAll()],
      }),
    ),
  ).rejects.toThrow("IMAGE_PROCESS_FAILED");
  await sandbox.control("POST", "/phone/settings", { platform: "telegram", account: "alice", maxStories: 1 });
  await expect(
    alice.invoke(
      new Api.stories.SendStory({
        peer: new Api.InputPeerSelf(),
        media: new Api.InputMediaUploadedPhoto({ file: await upload(alice, photo, "s.jpg") }),
        privacyRules: [new Api.InputPrivacyValueAllowAll()],
      }),
    ),
  ).rejects.toThrow("400: STORIES_TOO_MUCH");
});

it("pushes what people do and answers the difference for what was missed", async () => {
  const seen = updatesOf(alice);
  const before = await alice.invoke(new Api.updates.GetState());
  const send = await sandbox.control("POST", "/people/send", { platform: "telegram", account: "alice", chat: "bob", text: "psst" });
  const messageId = Number(send.body["messageId"]);
  await sandbox.control("POST", "/people/edit", { platform: "telegram", account: "alice", messageId, text: "psst!" });
  await sandbox.control("POST", "/people/delete", { platform: "telegram", account: "alice", messageId });
  await sandbox.control("POST", "/people/read", { platform: "telegram", account: "alice", chat: "bob" });
  // The client dispatches its events without keeping their order.
  await expect
    .poll(() => seen.map(({ className }) => className).sort())
    .toEqual(["UpdateDeleteMessages", "UpdateEditMessage", "UpdateReadHistoryOutbox", "UpdateShortMessage"]);
  await sandbox.control("POST", "/faults", { platform: "telegram", kind: "gap", account: "alice" });
  await sandbox.control("POST", "/people/send", { platform: "telegram", account: "alice", chat: "bob", text: "missed", media: "photo" });
  const difference = await alice.invoke(new Api.updates.GetDifference({ pts: before.pts, date: before.date, qts: before.qts }));
  if (!(difference instanceof Api.updates.Difference)) throw new Error(difference.className);
  expect(difference.newMessages).toHaveLength(1);
  expect(difference.otherUpdates.map(({ className }) => className)).toEqual(["UpdateDeleteMessages", "UpdateReadHistoryOutbox"]);
  expect(difference.state.pts).toBe(before.pts + 5);
  const history = (await sandbox.docs("/history?platform=telegram&account=alice")).filter(({ pts }) => Number(pts) > before.pts);
  expect(history.map(({ kind, own }) => [kind, own])).toEqual([
    ["new", false],
    ["edited", false],
    ["deleted", false],
    ["read", false],
    ["new", false],
  ]);
  await sandbox.control("POST", "/faults", { platform: "telegram", kind: "difference-too-long", account: "alice" });
  await expect(alice.invoke(new Api.updates.GetDifference({ pts: 0, date: before.date, qts: before.qts }))).rejects.toThrow(
    "PERSISTENT_TIMESTAMP_EMPTY",
  );
  await expect(
    alice.invoke(
      new Api.updates.GetChannelDifference({ channel: "alice_news", filter: new Api.ChannelMessagesFilterEmpty(), pts: 0, limit: 10 }),
    ),
  ).rejects.toThrow("PERSISTENT_TIMESTAMP_EMPTY");
  await expect(alice.invoke(new Api.updates.GetDifference({ pts: before.pts, date: before.date, qts: before.qts }))).resolves.toMatchObject(
    { className: "updates.DifferenceTooLong", pts: before.pts + 5 },
  );
  await expect(
    alice.invoke(new Api.updates.GetDifference({ pts: before.pts, ptsLimit: 2, date: before.date, qts: before.qts })),
  ).resolves.toMatchObject({ className: "updates.DifferenceSlice", intermediateState: { pts: before.pts + 2 } });
});

it("plays every fault", async () => {
  const fault = (body: Record<string, unknown>) => sandbox.control("POST", "/faults", { platform: "telegram", account: "alice", ...body });
  const state = () => alice.invoke(new Api.updates.GetState());
  await fault({ kind: "flood-wait", seconds: 90, method: "updates.getState" });
  await expect(state()).rejects.toThrow("A wait of 90 seconds is required (caused by updates.GetState)");
  await fault({ kind: "error", error: "CHAT_WRITE_FORBIDDEN", method: "updates.getState", times: 2 });
  await expect(state()).rejects.toThrow("403: CHAT_WRITE_FORBIDDEN");
  await expect(state()).rejects.toThrow("403: CHAT_WRITE_FORBIDDEN");
  await fault({ kind: "delay", seconds: 0.3, times: 1 });
  const startedAt = performance.now();
  await state();
  expect(performance.now() - startedAt).toBeGreaterThan(290);
  await fault({ kind: "lost-ack", method: "messages.sendMessage" });
  // The client resends on its new connection, and learns that the first send succeeded.
  await expect(
    alice.invoke(new Api.messages.SendMessage({ peer: await peerOf(alice, "bob_sandbox"), message: "once", randomId: bigInt(31_337) })),
  ).rejects.toThrow("RANDOM_ID_DUPLICATE");
  await fault({ kind: "drop" });
  await state();
  await sandbox.control("POST", "/faults", { platform: "telegram", kind: "refuse", seconds: 1.5 });
  await fault({ kind: "drop" });
  await state();
  await fault({ kind: "stall", seconds: 60, method: "updates.getState" });
  // The fault stalls for a minute; half a second without a response is enough proof.
  const outcome = await Promise.race([state().then(() => "answered"), new Promise((resolve) => setTimeout(resolve, 500, "silent"))]);
  expect(outcome).toBe("silent");
  await sandbox.control("DELETE", "/faults");
  await fault({ kind: "replaced" });
  await expect(alice.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }))).rejects.toThrow("AUTH_KEY_DUPLICATED");
  expect(await sandbox.docs("/overlaps")).toEqual([]);
  const calls = await sandbox.control("GET", "/calls");
  expect(calls.body).toMatchObject({ telegram: { "stories.sendStory": 3 } });
});
