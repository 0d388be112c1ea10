import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Channel, ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import type { Group, GroupMember } from "../../../shared/contract/telegram/group.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { TelegramSide } from "../../harness/telegram-side.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";

/** GET /group, /group/{groupId}, /group/member, /channel, /channel/{channelId}, /channel/message. */
let gateway: TestCluster;
let platform: TelegramSide;
let alice: Caller;
let bob: Caller;
let carol: Caller;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new TelegramSide(gateway);
  [alice, bob, carol] = await Promise.all([loggedIn(gateway, "alice"), loggedIn(gateway, "bob"), loggedIn(gateway, "carol")]);
  // A new login downloads its own picture by the same method as pictures of chats. It must not be counted below.
  await eventually("everybody's own picture", async () => (await platform.calls("upload.getFile")) >= 3);
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const marked = (id: number): string => `-100${id}`;
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const day = 86_400_000;

async function get<T>(path: string, caller = alice): Promise<T> {
  const answer = await caller.get(path);
  expect([answer.status, path]).toEqual([200, path]);
  return answer.body as T;
}
const list = async <T extends { id: string }>(
  path: "/group" | "/channel",
  caller = alice,
): Promise<{ docs: T[]; of: (id: string) => T | undefined }> => {
  const { docs } = await get<{ docs: T[] }>(path, caller);
  return { docs, of: (id) => docs.find((doc) => doc.id === id) };
};
const groups = (caller = alice) => list<Group>("/group", caller);
const channels = (caller = alice) => list<Channel>("/channel", caller);
const members = async (groupId: string, caller = alice): Promise<GroupMember[]> =>
  (await get<{ docs: GroupMember[] }>(`/group/member?groupId=${encodeURIComponent(groupId)}`, caller)).docs;
const detailCalls = async (): Promise<number> =>
  (await platform.calls("channels.getFullChannel")) + (await platform.calls("messages.getFullChat"));

async function expectPicture(uri: string | undefined): Promise<void> {
  const bytes = Buffer.from(/^data:image\/jpeg;base64,(.+)$/.exec(uri ?? "")?.[1] ?? "", "base64");
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 160, height: 160 });
}

describe("GET /group", () => {
  it("basic groups and supergroups with every field", async () => {
    const { docs, of } = await groups();
    const fields = (id: string): object => ({
      id,
      picture: expect.stringMatching(/^data:image\/jpeg;base64,/) as string,
      created: isoTime,
    });
    expect(of(marked(sharedChats.publicGroup))).toEqual({
      ...fields(marked(sharedChats.publicGroup)),
      name: "Public Square",
      username: "sandbox_square",
      description: "Открыто для всех",
    });
    expect(of(`-${sharedChats.familyGroup}`)).toEqual({
      ...fields(`-${sharedChats.familyGroup}`),
      name: "Family 👨‍👩‍👧",
      username: "",
      description: "Sunday dinners",
    });
    // The id begins with -100 but is not a supergroup's. The group has neither photo nor description.
    expect(of(`-${sharedChats.trapGroup}`)).toEqual({
      id: `-${sharedChats.trapGroup}`,
      name: "Hundred and One",
      username: "",
      description: "",
      picture: "",
      created: isoTime,
    });
    expect(of(marked(sharedChats.gigagroup))).toMatchObject({ name: "Stadium" });
    await expectPicture(of(marked(sharedChats.publicGroup))?.picture);
    expect(new Set(docs.map(({ id }) => id)).size).toBe(docs.length);
    expect(docs.length).toBeGreaterThan(24);
  });

  it("no channels, and no groups that were left, closed or upgraded", async () => {
    const { of } = await groups();
    for (const id of [sharedChats.aliceChannel, sharedChats.dailyChannel, sharedChats.leftGroup, sharedChats.otherPublicGroup])
      expect(of(marked(id))).toBeUndefined();
    for (const id of [sharedChats.forbiddenGroup, sharedChats.huskGroup]) expect(of(`-${id}`)).toBeUndefined();
    expect(of(marked(sharedChats.upgradedGroup))).toMatchObject({ name: "Chess Club ♟️" });
  });

  it("the day on which the account joined, of both kinds", async () => {
    // In the sandbox each account joined a day after the previous one. A basic group's creator joined when it was created.
    const joined = async (caller: Caller, id: string): Promise<number> => Date.parse((await groups(caller)).of(id)?.created ?? "");
    const basic = `-${sharedChats.trapGroup}`;
    expect((await joined(carol, basic)) - (await joined(bob, basic))).toBe(2 * day);
    const supergroup = marked(sharedChats.publicGroup);
    expect((await joined(carol, supergroup)) - (await joined(bob, supergroup))).toBe(day);
  });

  it("descriptions and photos are remembered", async () => {
    await groups();
    const [details, files] = [await detailCalls(), await platform.calls("upload.getFile")];
    await groups();
    expect([await detailCalls(), await platform.calls("upload.getFile")]).toEqual([details, files]);
  });

  it("a new photo shows at once", async () => {
    const chat = marked(sharedChats.slowGroup);
    const before = (await groups()).of(chat)?.picture;
    expect(await platform.post("/people/photo", { account: "alice", chat })).toMatchObject({ status: 200 });
    const after = (await groups()).of(chat)?.picture;
    expect(after).not.toBe(before);
    await expectPicture(after);
  });

  it("a photo that does not come is no reason for silence, nor is it remembered", async () => {
    await platform.post("/people/photo", { account: "alice", chat: marked(sharedChats.slowGroup) });
    await platform.fault({ account: "alice", method: "upload.getFile", kind: "error", error: "400 LOCATION_INVALID" });
    expect((await groups()).of(marked(sharedChats.slowGroup))?.picture).toBe("");
    await expectPicture((await groups()).of(marked(sharedChats.slowGroup))?.picture);
  });
});

describe("GET /group/{groupId}", () => {
  it.each(["sandbox_square", "@sandbox_square", "Sandbox_Square", "https://t.me/sandbox_square", "t.me/sandbox_square"])(
    "by the name %s",
    async (name) => {
      expect(await get(`/group/${encodeURIComponent(name)}`)).toMatchObject({ id: marked(sharedChats.publicGroup) });
    },
  );
});

describe("GET /group/member", () => {
  it("10,000 of more, each once", async () => {
    await platform.post("/accounts", { account: "mayor", groups: 2, channels: 0, contacts: 0, members: 10_400 });
    const mayor = await loggedIn(gateway, "mayor");
    const group = (await groups(mayor)).docs.find(({ name }) => name.startsWith("Supergroup"));
    const docs = await members(group?.id ?? "", mayor);
    expect(docs).toHaveLength(10_000);
    expect(new Set(docs.map(({ id }) => id)).size).toBe(10_000);
  });

  it("names, phones of those who share them, and ids that are users'", async () => {
    const docs = await members(`-${sharedChats.familyGroup}`);
    expect(docs).toHaveLength(8);
    const [{ userId, username, phone } = {}] = (await platform.docs("/accounts?platform=telegram")).filter(
      ({ account }) => account === "bob",
    );
    expect(docs).toContainEqual({ id: userId, name: "Bob Builder", username, phone });
    const strangers = (await members(marked(sharedChats.publicGroup))).filter(({ phone: shown }) => shown === "");
    expect(strangers.length).toBeGreaterThan(400);
    for (const { id, name } of strangers) expect([/^\d+$/.test(id), name !== ""]).toEqual([true, true]);
    // Mallory has no name, so the username is shown.
    expect(await members(marked(sharedChats.publicGroup))).toContainEqual(
      expect.objectContaining({ name: "mallory_sandbox", username: "mallory_sandbox" }),
    );
  });

  it("of a basic group whose id looks like a supergroup's", async () => {
    expect(await members(`-${sharedChats.trapGroup}`)).toHaveLength(6);
  });

  it.each(["sandbox_square", "@sandbox_square", "https://t.me/sandbox_square"])("by the name %s", async (name) => {
    expect((await members(name)).length).toBeGreaterThan(400);
  });

  it("hidden ones for administrators, 500 for everybody else", async () => {
    expect((await members(marked(sharedChats.hiddenGroup), bob)).length).toBeGreaterThan(300);
    const answer = await alice.get(`/group/member?groupId=${marked(sharedChats.hiddenGroup)}`);
    expect([answer.status, answer.body]).toEqual([
      500,
      { statusCode: 500, message: "400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)" },
    ]);
  });

  it("waits out a short wait that the platform requests, and passes a long one on", async () => {
    await platform.fault({ account: "alice", method: "channels.getParticipants", kind: "flood-wait", seconds: 1 });
    expect((await members(marked(sharedChats.upgradedGroup))).length).toBeGreaterThan(10);
    await platform.fault({ account: "alice", method: "channels.getParticipants", kind: "flood-wait", seconds: 75 });
    expect(await alice.get(`/group/member?groupId=${marked(sharedChats.upgradedGroup)}`)).toMatchObject({
      status: 500,
      body: { message: "A wait of 75 seconds is required (caused by channels.GetParticipants)" },
    });
  });
});

describe.each(["/group/", "/group/member?groupId="])("GET %s", (path) => {
  it.each([
    ["a channel", marked(sharedChats.aliceChannel), "group not found"],
    ["a channel's name", "alice_news", "group not found"],
    ["a public group that is not joined", "sandbox_other_square", "group not found"],
    ["a group that was left", marked(sharedChats.leftGroup), "group not found"],
    ["a group that threw the account out", `-${sharedChats.forbiddenGroup}`, "group not found"],
    ["what was upgraded", `-${sharedChats.huskGroup}`, `group not found, it was upgraded to ${marked(sharedChats.upgradedGroup)}`],
    ["a person", "@bob_sandbox", "group not found"],
    ["a name that nobody has", "nobody_has_this_name", "chat not found"],
    ["an id that is not known", "-1009999999999", "chat not found"],
    ["the id of a person who is not known", "9999999999", "chat not found"],
    ["a basic group that does not exist", "-77777777", "chat not found"],
    ["a name with a space", "no such name", "invalid chat"],
    ["a name that begins with a digit", "1abcdef", "invalid chat"],
    ["a link to nothing", "https://t.me/", "invalid chat"],
  ])("%s: 400", async (_, name, message) => {
    const answer = await alice.get(`${path}${encodeURIComponent(name)}`);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });
});

describe("GET /channel", () => {
  it("channels followed or managed, with every field", async () => {
    const { docs, of } = await channels();
    const fields = { picture: expect.stringMatching(/^data:image\/jpeg;base64,/) as string, created: isoTime };
    expect(of(marked(sharedChats.aliceChannel))).toEqual({
      id: marked(sharedChats.aliceChannel),
      name: "Alice's News 📣",
      username: "alice_news",
      isOwner: true,
      ...fields,
    });
    expect(of(marked(sharedChats.bobChannel))).toMatchObject({ name: "Bob Builds", isOwner: true });
    expect(of(marked(sharedChats.dailyChannel))).toEqual({
      id: marked(sharedChats.dailyChannel),
      name: "أخبار اليوم",
      username: "sandbox_daily",
      isOwner: false,
      ...fields,
    });
    expect(of(marked(sharedChats.privateChannel))).toEqual({
      id: marked(sharedChats.privateChannel),
      name: "Inner Circle",
      username: "",
      picture: "",
      isOwner: false,
      created: isoTime,
    });
    await expectPicture(of(marked(sharedChats.aliceChannel))?.picture);
    expect(docs.length).toBeGreaterThan(20);
    expect(docs.every(({ id }) => /^-100\d{10}$/.test(id))).toBe(true);
  });

  it("no groups of any kind, and none that is not joined", async () => {
    const { of } = await channels();
    for (const id of [
      sharedChats.publicGroup,
      sharedChats.gigagroup,
      sharedChats.otherPublicChannel,
      sharedChats.otherPrivateChannel,
      sharedChats.forbiddenChannel,
    ])
      expect(of(marked(id))).toBeUndefined();
  });

  it("an administrator who may not post is an owner too; a follower is none", async () => {
    expect((await channels(carol)).of(marked(sharedChats.dailyChannel))).toMatchObject({ isOwner: true });
    expect((await channels(carol)).of(marked(sharedChats.bobChannel))).toMatchObject({ isOwner: false });
  });

  it("the day on which the account joined", async () => {
    const joined = async (caller: Caller): Promise<number> =>
      Date.parse((await channels(caller)).of(marked(sharedChats.dailyChannel))?.created ?? "");
    expect((await joined(carol)) - (await joined(bob))).toBe(day);
  });
});

describe("GET /channel/{channelId}", () => {
  it.each(["alice_news", "@alice_news", "Alice_News", "https://t.me/alice_news", "t.me/alice_news", "tg://resolve?domain=alice_news"])(
    "by the name %s",
    async (name) => {
      expect(await get(`/channel/${encodeURIComponent(name)}`)).toMatchObject({ id: marked(sharedChats.aliceChannel) });
    },
  );
});

describe.each(["/channel/", "/channel/message?channelId="])("GET %s", (path) => {
  it.each([
    ["a supergroup", marked(sharedChats.publicGroup), "channel not found"],
    ["a gigagroup", marked(sharedChats.gigagroup), "channel not found"],
    ["a basic group", `-${sharedChats.familyGroup}`, "channel not found"],
    ["a public group's name", "sandbox_square", "channel not found"],
    ["a person", "bob_sandbox", "channel not found"],
    ["a public channel that is not joined", "sandbox_not_joined", "channel not found"],
    ["a channel that threw the account out", marked(sharedChats.forbiddenChannel), "channel not found"],
    ["a name that nobody has", "nobody_has_this_name", "chat not found"],
    ["an id that is not known", "-1009999999999", "chat not found"],
    ["a private channel that is not joined", marked(sharedChats.otherPrivateChannel), "chat not found"],
    ["a user id that is not known", "999999999999", "chat not found"],
    ["a basic group that does not exist", "-77777777", "chat not found"],
    ["a name with a space", "no such name", "invalid chat"],
    ["a name that begins with a digit", "1abcdef", "invalid chat"],
  ])("%s: 400", async (_, name, message) => {
    const answer = await alice.get(`${path}${encodeURIComponent(name)}`);
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });
});

describe("GET /channel/message", () => {
  const page = async (channel: number, query = ""): Promise<ChannelMessage[]> =>
    (await get<{ docs: ChannelMessage[] }>(`/channel/message?channelId=${marked(channel)}${query}`)).docs;

  it("a text with every field", async () => {
    const [newest] = await page(sharedChats.dailyChannel, "&limit=1");
    expect(newest).toEqual({
      ...{
        id: "250",
        channelId: marked(sharedChats.dailyChannel),
        type: "text",
        text: expect.stringMatching(/#250$/) as string,
        entities: [],
        albumId: "",
        created: isoTime,
        edited: "",
        views: expect.any(Number) as number,
      },
      ...{ url: "", thumbnail: "", mimetype: "", name: "", size: 0, duration: 0, width: 0, height: 0 },
      ...{ voice: false, round: false, animation: false, title: "", performer: "" },
    });
  });

  it("by name, and empty where nothing was posted", async () => {
    expect((await get<{ docs: ChannelMessage[] }>("/channel/message?channelId=sandbox_daily&limit=2")).docs).toHaveLength(2);
    expect(await page(sharedChats.emptyChannel)).toEqual([]);
  });

  it("parts of a text, albums and kinds of media", async () => {
    const chat = marked(sharedChats.aliceChannel);
    const post = (fields: object) => platform.post("/people/send", { account: "alice", chat, ...fields });
    await post({ text: "see the list", entities: [{ type: "textUrl", offset: 4, length: 8, url: "https://example.org/list" }] });
    for (const media of ["photo", "video"]) await post({ media, album: 5 });
    await post({ media: "voice" });
    await post({ media: "audio" });
    const [audio, voice, video, photo, text] = await page(sharedChats.aliceChannel, "&limit=5");
    expect(text).toMatchObject({ entities: [{ type: "text_link", offset: 4, length: 8, url: "https://example.org/list" }], albumId: "" });
    expect([photo?.albumId, video?.albumId, voice?.albumId]).toEqual(["5", "5", ""]);
    expect(voice).toMatchObject({ type: "audio", voice: true });
    expect(audio).toMatchObject({ type: "audio", voice: false, title: "Tune", performer: "The Sandboxes" });
  });

  it("what was posted, edited and deleted since", async () => {
    const chat = marked(sharedChats.bobChannel);
    const { messageId } = (await platform.post("/people/send", { account: "alice", chat, text: "fresh" })).body as { messageId: string };
    expect((await page(sharedChats.bobChannel, "&limit=1"))[0]).toMatchObject({ id: messageId, text: "fresh", edited: "" });
    await platform.post("/people/edit", { account: "alice", chat, messageId, text: "fresher" });
    expect((await page(sharedChats.bobChannel, "&limit=1"))[0]).toMatchObject({ id: messageId, text: "fresher", edited: isoTime });
    await platform.post("/people/delete", { account: "alice", chat, messageId });
    expect((await page(sharedChats.bobChannel, "&limit=1"))[0]?.id).not.toBe(messageId);
  });
});
