/** Actions of one side reach the other across clients: GramJS in the sandbox's layer, mtcute in a later one. */
import bigInt from "big-integer";
import sharp from "sharp";
import { Api, type TelegramClient } from "telegram";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import { mtcuteLogin, type MtcuteClient } from "./mtcute-client.js";
import { TwoClients } from "./two-clients.js";

let clients: TwoClients;
let alice: TelegramClient;
let bob: MtcuteClient;
let userIds: { readonly alice: number; readonly bob: number };

beforeAll(async () => {
  clients = await TwoClients.start();
  ({ alice, bob } = clients);
  userIds = { alice: clients.userId("alice"), bob: clients.userId("bob") };
});
afterAll(async () => await clients.stop());

describe("typing", () => {
  const typing = { _: "sendMessageTypingAction" } as const;

  it("reaches the other side of a private chat", async () => {
    await bob.client.call({
      _: "messages.setTyping",
      peer: { _: "inputPeerUser", userId: userIds.alice, accessHash: clients.bobsHash("user", userIds.alice) },
      action: typing,
    });
    await expect
      .poll(() => clients.seen)
      .toContainEqual(
        expect.objectContaining({
          className: "UpdateUserTyping",
          userId: bigInt(userIds.bob),
          action: expect.objectContaining({ className: "SendMessageTypingAction" }) as object,
        }),
      );
    await alice.invoke(
      new Api.messages.SetTyping({ peer: await alice.getInputEntity("bob_sandbox"), action: new Api.SendMessageRecordAudioAction() }),
    );
    await expect
      .poll(() => bob.pushed)
      .toContainEqual(
        expect.objectContaining({ _: "updateUserTyping", userId: userIds.alice, action: { _: "sendMessageRecordAudioAction" } }),
      );
  });

  it("reaches the members of a group and of a supergroup, and nobody from a channel", async () => {
    const peers = [
      new Api.InputPeerChat({ chatId: bigInt(sharedChats.familyGroup) }),
      await alice.getInputEntity("sandbox_square"),
      await alice.getInputEntity("alice_news"),
    ];
    const before = bob.pushed.length;
    for (const peer of peers) await alice.invoke(new Api.messages.SetTyping({ peer, action: new Api.SendMessageTypingAction() }));
    await alice.invoke(
      new Api.messages.SetTyping({ peer: await alice.getInputEntity("bob_sandbox"), action: new Api.SendMessageCancelAction() }),
    );
    await expect.poll(() => bob.pushed.slice(before)).toContainEqual(expect.objectContaining({ action: { _: "sendMessageCancelAction" } }));
    const fromId = { _: "peerUser", userId: userIds.alice };
    expect(bob.pushed.slice(before, -1)).toMatchObject([
      { _: "updateChatUserTyping", chatId: sharedChats.familyGroup, fromId, action: typing },
      { _: "updateChannelUserTyping", channelId: sharedChats.publicGroup, fromId, action: typing },
    ]);
  });

  it("is not shown to its own author's other devices", async () => {
    const second = await mtcuteLogin(clients.sandbox.telegram, "alice");
    await alice.invoke(
      new Api.messages.SetTyping({ peer: await alice.getInputEntity("bob_sandbox"), action: new Api.SendMessageTypingAction() }),
    );
    await alice.invoke(
      new Api.messages.SendMessage({
        peer: await alice.getInputEntity("alice_news"),
        message: "a push that comes after it",
        randomId: bigInt(77),
      }),
    );
    await expect.poll(() => second.pushed.map((update) => update._)).toEqual(["updateNewChannelMessage"]);
    await second.client.destroy();
  });
});

describe("a story", () => {
  async function post(rules: Api.TypeInputPrivacyRule[], caption: string): Promise<number> {
    const bytes = await sharp({ create: { width: 1_080, height: 1_920, channels: 3, background: "#224466" } })
      .jpeg()
      .toBuffer();
    const fileId = bigInt(Date.now() * 1_000 + clients.seen.length);
    await alice.invoke(new Api.upload.SaveFilePart({ fileId, filePart: 0, bytes }));
    const media = new Api.InputMediaUploadedPhoto({
      file: new Api.InputFile({ id: fileId, parts: 1, name: "story.jpg", md5Checksum: "" }),
    });
    const updates = await alice.invoke(
      new Api.stories.SendStory({ peer: new Api.InputPeerSelf(), media, caption, privacyRules: rules, randomId: fileId }),
    );
    const [named] = "updates" in updates ? updates.updates : [];
    if (!(named instanceof Api.UpdateStoryID)) throw new Error("the story has no id");
    return named.id;
  }

  const aliceAsSeen = () => ({ _: "inputPeerUser", userId: userIds.alice, accessHash: clients.bobsHash("user", userIds.alice) }) as const;

  it("is pushed to whoever may see it, and can be read by them", async () => {
    const before = bob.pushed.length;
    const hidden = await post([new Api.InputPrivacyValueAllowCloseFriends()], "not for Bob");
    const id = await post([new Api.InputPrivacyValueAllowContacts()], "for contacts");
    await expect
      .poll(() => bob.pushed.slice(before))
      .toMatchObject([
        {
          _: "updateStory",
          peer: { userId: userIds.alice },
          story: { _: "storyItem", id, caption: "for contacts", contacts: true, media: { _: "messageMediaPhoto" } },
        },
      ]);

    const peer = aliceAsSeen();
    const all = await bob.client.call({ _: "stories.getPeerStories", peer });
    expect(all).toMatchObject({
      stories: { _: "peerStories", peer: { userId: userIds.alice }, stories: [{ _: "storyItem", id, out: false }] },
      users: [{ firstName: "Alice" }],
    });
    expect(await bob.client.call({ _: "stories.getStoriesByID", peer, id: [hidden, id, 999] })).toMatchObject({
      count: 1,
      stories: [{ id }],
    });
    const feed = await bob.client.call({ _: "stories.getAllStories" });
    expect(feed).toMatchObject({
      _: "stories.allStories",
      count: 1,
      peerStories: [{ peer: { userId: userIds.alice }, stories: [{ id }] }],
    });

    const item = all.stories.stories[0];
    const photo = item?._ === "storyItem" && item.media._ === "messageMediaPhoto" ? item.media.photo : undefined;
    if (photo?._ !== "photo") throw new Error("no photo");
    const location = {
      _: "inputPhotoFileLocation",
      id: photo.id,
      accessHash: photo.accessHash,
      fileReference: photo.fileReference,
      thumbSize: "m",
    } as const;
    const file = await bob.client.call({ _: "upload.getFile", location, offset: 0, limit: 1_048_576 });
    expect(file._ === "upload.file" && (await sharp(file.bytes).metadata()).height).toBe(320);

    expect(await bob.client.call({ _: "stories.readStories", peer, maxId: id })).toEqual([id]);
    expect(await bob.client.call({ _: "stories.readStories", peer, maxId: id })).toEqual([]);
    expect((await bob.client.call({ _: "stories.getPeerStories", peer })).stories.maxReadId).toBe(id);
    const own = await alice.invoke(new Api.stories.GetPeerStories({ peer: new Api.InputPeerSelf() }));
    expect(own.stories.stories.map((story) => story.id)).toEqual([hidden, id]);

    const gone = await alice.invoke(new Api.stories.DeleteStories({ peer: new Api.InputPeerSelf(), id: [hidden, id] }));
    expect([...gone]).toEqual([hidden, id]);
    await expect.poll(() => bob.pushed.at(-1)).toMatchObject({ _: "updateStory", story: { _: "storyItemDeleted", id } });
    expect((await bob.client.call({ _: "stories.getPeerStories", peer })).stories.stories).toEqual([]);
  });

  /** Clients request a story's count and viewers: mtcute by getStoriesInteractions and getStoryViewers, Telethon by raw requests. */
  it("tells its author, and nobody else, who has seen it", async () => {
    const [first, second] = [
      await post([new Api.InputPrivacyValueAllowContacts()], "one"),
      await post([new Api.InputPrivacyValueAllowContacts()], "two"),
    ];
    const self = new Api.InputPeerSelf();
    const counts = async () => {
      const { views } = await alice.invoke(new Api.stories.GetStoriesViews({ peer: self, id: [first, second] }));
      return views.map(({ viewsCount, hasViewers, recentViewers }) => [viewsCount, hasViewers === true, (recentViewers ?? []).map(Number)]);
    };
    const unseen = [0, false, []];
    const seen = [1, true, [userIds.bob]];
    expect(await counts()).toEqual([unseen, unseen]);
    // TDLib sends either request (StoryManager::open_story). A repeated view of one person does not count.
    const look = { _: "stories.incrementStoryViews" as const, peer: aliceAsSeen(), id: [second] };
    expect([await bob.client.call(look), await bob.client.call(look)]).toEqual([true, true]);
    expect(await counts()).toEqual([unseen, seen]);
    await bob.client.call({ _: "stories.readStories", peer: aliceAsSeen(), maxId: second });
    expect(await counts()).toEqual([seen, seen]);
    // The author's own view does not count.
    await alice.invoke(new Api.stories.IncrementStoryViews({ peer: self, id: [first] }));
    const list = await alice.invoke(new Api.stories.GetStoryViewsList({ peer: self, id: first, offset: "", limit: 10 }));
    expect(list).toMatchObject({ count: 1, viewsCount: 1, views: [{ userId: bigInt(userIds.bob) }], users: [{ username: "bob_sandbox" }] });
    expect(list.nextOffset ?? undefined).toBeUndefined();
    const named = await alice.invoke(new Api.stories.GetStoryViewsList({ peer: self, id: first, q: "carol", offset: "", limit: 10 }));
    expect([named.count, named.viewsCount, named.views]).toEqual([0, 1, []]);
    const own = await alice.invoke(new Api.stories.GetPeerStories({ peer: self }));
    const shown = own.stories.stories.find(({ id }) => id === first);
    expect(shown).toMatchObject({ views: { viewsCount: 1 } });

    const asBob = await bob.client.call({ _: "stories.getPeerStories", peer: aliceAsSeen() });
    expect(asBob.stories.stories.map((story) => story._ === "storyItem" && story.views)).toEqual([undefined, undefined]);
    await expect(bob.client.call({ _: "stories.getStoriesViews", peer: aliceAsSeen(), id: [first] })).rejects.toThrow("PEER_ID_INVALID");
    await expect(
      bob.client.call({ _: "stories.getStoryViewsList", peer: aliceAsSeen(), id: first, offset: "", limit: 10 }),
    ).rejects.toThrow("PEER_ID_INVALID");
    await expect(bob.client.call({ ...look, id: [] })).rejects.toThrow("STORY_ID_EMPTY");
    await expect(alice.invoke(new Api.stories.GetStoryViewsList({ peer: self, id: 999, offset: "", limit: 10 }))).rejects.toThrow(
      "STORY_ID_INVALID",
    );
    await alice.invoke(new Api.stories.DeleteStories({ peer: self, id: [first, second] }));
  });

  it("keeps to the people that it names, and stays up over a restart", async () => {
    const bobsId = await alice.getInputEntity("bob_sandbox");
    const user = new Api.InputUser({ userId: bigInt(userIds.bob), accessHash: "accessHash" in bobsId ? bobsId.accessHash : bigInt(0) });
    const shown = await post([new Api.InputPrivacyValueAllowUsers({ users: [user] })], "for Bob alone");
    await post([new Api.InputPrivacyValueAllowAll(), new Api.InputPrivacyValueDisallowUsers({ users: [user] })], "for all but Bob");
    const ids = async (client: MtcuteClient) =>
      (await client.client.call({ _: "stories.getPeerStories", peer: aliceAsSeen() })).stories.stories.map(({ id }) => id);
    expect(await ids(bob)).toEqual([shown]);
    await clients.restart();
    ({ bob } = clients);
    expect(await ids(bob)).toEqual([shown]);
  });

  it("is told at once what the sandbox does not do with stories", async () => {
    await expect(bob.client.call({ _: "stories.getStoriesArchive", peer: { _: "inputPeerSelf" }, offsetId: 0, limit: 10 })).rejects.toThrow(
      "INPUT_METHOD_INVALID",
    );
    const left = await bob.client.call({ _: "stories.canSendStory", peer: { _: "inputPeerSelf" } });
    expect(left).toEqual({ _: "stories.canSendStoryCount", countRemains: 100 });
  });
});
