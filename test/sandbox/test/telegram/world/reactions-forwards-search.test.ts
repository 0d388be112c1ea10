/** Reactions, forwards, albums and search between Alice on GramJS and Bob on mtcute, which speaks a later layer. */
import { Long, type tl } from "@mtcute/core";
import bigInt from "big-integer";
import { Api, type TelegramClient } from "telegram";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import { sharedChats } from "../../../telegram/world/seed.js";
import type { MtcuteClient } from "./mtcute-client.js";
import { TwoClients } from "./two-clients.js";

let clients: TwoClients;
let alice: TelegramClient;
let bob: MtcuteClient;
let ids: { readonly alice: number; readonly bob: number };
let nextRandom = 1_000;

beforeAll(async () => {
  clients = await TwoClients.start();
  ({ alice, bob } = clients);
  ids = { alice: clients.userId("alice"), bob: clients.userId("bob") };
});
afterAll(async () => await clients.stop());

const toAlice = () => ({ _: "inputPeerUser", userId: ids.alice, accessHash: clients.bobsHash("user", ids.alice) }) as const;
const square = () =>
  ({
    _: "inputPeerChannel",
    channelId: sharedChats.publicGroup,
    accessHash: clients.bobsHash("channel", sharedChats.publicGroup),
  }) as const;
const random = (): Long => Long.fromNumber(nextRandom++);

async function bobSends(message: string, peer: tl.TypeInputPeer = toAlice()): Promise<number> {
  const sent = await bob.client.call({ _: "messages.sendMessage", peer, message, randomId: random() });
  if (sent._ === "updateShortSentMessage") return sent.id;
  const named = sent._ === "updates" ? sent.updates.find((update) => update._ === "updateMessageID") : undefined;
  if (named?._ !== "updateMessageID") throw new Error(sent._);
  return named.id;
}

/** Returns Alice's copy of a chat's newest message. */
async function newest(peer: string): Promise<Api.Message> {
  const [message] = await alice.getMessages(peer, { limit: 1 });
  if (!(message instanceof Api.Message)) throw new Error("no message");
  return message;
}

describe("a reaction", () => {
  const thumb = { _: "reactionEmoji", emoticon: "👍" } as const;

  it("reaches the other side and both see it with the message", async () => {
    const sent = await bobSends("react to me");
    const copy = await newest("bob_sandbox");
    expect(copy.message).toBe("react to me");
    const before = bob.pushed.length;
    const answer = await alice.invoke(
      new Api.messages.SendReaction({ peer: "bob_sandbox", msgId: copy.id, reaction: [new Api.ReactionEmoji({ emoticon: "👍" })] }),
    );
    expect("updates" in answer && answer.updates.map(({ className }) => className)).toEqual([
      "UpdateEditMessage",
      "UpdateMessageReactions",
    ]);
    const counted = {
      _: "messageReactions",
      results: [{ reaction: thumb, count: 1 }],
      recentReactions: [{ peerId: { userId: ids.alice }, reaction: thumb }],
    };
    await expect
      .poll(() => bob.pushed.slice(before))
      .toMatchObject([
        { _: "updateEditMessage", message: { id: sent, editHide: true, reactions: counted } },
        { _: "updateMessageReactions", peer: { userId: ids.alice }, msgId: sent, reactions: counted },
      ]);
    const [own] = await alice.getMessages("bob_sandbox", { ids: [copy.id] });
    expect(own?.reactions?.results).toMatchObject([{ count: 1, chosenOrder: 0 }]);

    await expect(
      alice.invoke(
        new Api.messages.SendReaction({ peer: "bob_sandbox", msgId: copy.id, reaction: [new Api.ReactionEmoji({ emoticon: "👍" })] }),
      ),
    ).rejects.toThrow("MESSAGE_NOT_MODIFIED");
    await expect(
      alice.invoke(
        new Api.messages.SendReaction({ peer: "bob_sandbox", msgId: copy.id, reaction: [new Api.ReactionEmoji({ emoticon: "no" })] }),
      ),
    ).rejects.toThrow("REACTION_INVALID");
    await alice.invoke(new Api.messages.SendReaction({ peer: "bob_sandbox", msgId: copy.id, reaction: [] }));
    await expect.poll(() => bob.pushed.at(-1)).toMatchObject({ _: "updateMessageReactions", reactions: { results: [] } });
  });

  it("is counted with those of others in a group", async () => {
    const message = "vote here";
    const msgId = await bobSends(message, square());
    await alice.invoke(
      new Api.messages.SendReaction({ peer: "sandbox_square", msgId, reaction: [new Api.ReactionEmoji({ emoticon: "🔥" })] }),
    );
    await bob.client.call({ _: "messages.sendReaction", peer: square(), msgId, reaction: [{ _: "reactionEmoji", emoticon: "🔥" }] });
    const update = expect.objectContaining({
      className: "UpdateMessageReactions",
      msgId,
      reactions: expect.objectContaining({ results: [expect.objectContaining({ count: 2, chosenOrder: 0 })] }) as object,
    });
    await expect.poll(() => clients.seen).toContainEqual(update);
    const list = await bob.client.call({ _: "messages.getMessageReactionsList", peer: square(), id: msgId, limit: 10 });
    expect(list).toMatchObject({
      count: 2,
      reactions: [
        { peerId: { userId: ids.bob }, my: true },
        { peerId: { userId: ids.alice }, my: false },
      ],
    });
    expect(list.users.map((user) => user._ === "user" && user.firstName).sort()).toEqual(["Alice", "Bob"]);
  });
});

describe("a forward", () => {
  it("names the first author, the channel and its post, or nobody when that is wanted", async () => {
    await alice.sendMessage("bob_sandbox", { message: "told by Alice" });
    const told = await newest("bob_sandbox");
    const post = (await alice.getMessages("sandbox_daily", { limit: 1 }))[0]?.id ?? 0;
    const before = bob.pushed.length;
    const forward = (fields: Partial<Api.messages.ForwardMessages>, id: number[]) =>
      alice.invoke(
        new Api.messages.ForwardMessages({
          fromPeer: "bob_sandbox",
          toPeer: "sandbox_square",
          randomId: id.map(() => bigInt(nextRandom++)),
          id,
          ...fields,
        }),
      );
    const answer = await forward({}, [told.id]);
    expect("updates" in answer && answer.updates.map(({ className }) => className)).toEqual(["UpdateMessageID", "UpdateNewChannelMessage"]);
    await forward({ fromPeer: "sandbox_daily" }, [post]);
    await forward({ dropAuthor: true }, [told.id]);
    await expect.poll(() => bob.pushed.slice(before)).toHaveLength(3);
    const messages = bob.pushed
      .slice(before)
      .map((update) => (update._ === "updateNewChannelMessage" && update.message._ === "message" ? update.message : undefined));
    expect(messages).toMatchObject([
      {
        message: "told by Alice",
        fromId: { userId: ids.alice },
        fwdFrom: { _: "messageFwdHeader", fromId: { _: "peerUser", userId: ids.alice }, date: told.date },
      },
      { fwdFrom: { fromId: { _: "peerChannel", channelId: sharedChats.dailyChannel }, channelPost: post } },
      { message: "told by Alice" },
    ]);
    expect(messages[2]?.fwdFrom).toBeUndefined();

    // Forwarded again, the message still names its first author.
    const onward = messages[0]?.id ?? 0;
    const sent = await bob.client.call({
      _: "messages.forwardMessages",
      fromPeer: square(),
      id: [onward],
      toPeer: toAlice(),
      randomId: [random()],
    });
    expect(sent).toMatchObject({
      updates: [
        { _: "updateMessageID" },
        { _: "updateNewMessage", message: { message: "told by Alice", fwdFrom: { fromId: { userId: ids.alice } } } },
      ],
    });
    expect((await newest("bob_sandbox")).fwdFrom?.fromId).toMatchObject({ className: "PeerUser", userId: bigInt(ids.alice) });
  });

  it("is refused when there is nothing to forward, or it was asked for before", async () => {
    const forward = (id: number[], randomId: Long[]) =>
      bob.client.call({ _: "messages.forwardMessages", fromPeer: square(), id, toPeer: toAlice(), randomId }, { maxRetryCount: 0 });
    await expect(forward([], [])).rejects.toThrow("MESSAGE_IDS_EMPTY");
    await expect(forward([1, 2], [random()])).rejects.toThrow("RANDOM_ID_INVALID");
    await expect(forward([999_999], [random()])).rejects.toThrow("MESSAGE_ID_INVALID");
    const twice = random();
    await forward([1], [twice]);
    await expect(forward([1], [twice])).rejects.toThrow("RANDOM_ID_DUPLICATE");
  });
});

describe("an album", () => {
  it("arrives as messages of one group, and stays one when it is forwarded", async () => {
    const files = await Promise.all(
      ["#ff0000", "#00ff00", "#0000ff"].map((background) =>
        sharp({ create: { width: 640, height: 480, channels: 3, background } })
          .jpeg()
          .toBuffer(),
      ),
    );
    const before = bob.pushed.length;
    const album = await alice.sendFile("bob_sandbox", {
      file: files.map((bytes, index) => Object.assign(bytes, { name: `${index}.jpg` })),
      caption: ["one", "two", "three"],
    });
    const sent: unknown = album;
    const messages = Array.isArray(sent) ? sent : [sent];
    expect(messages).toHaveLength(3);
    await expect.poll(() => bob.pushed.slice(before)).toHaveLength(3);
    const arrived = bob.pushed
      .slice(before)
      .flatMap((update) => (update._ === "updateNewMessage" && update.message._ === "message" ? [update.message] : []));
    expect(arrived).toMatchObject(
      [{ message: "one" }, { message: "two" }, { message: "three" }].map((one) => ({ ...one, media: { _: "messageMediaPhoto" } })),
    );
    const groups = new Set(arrived.map(({ groupedId }) => String(groupedId)));
    expect([...groups]).toEqual([expect.stringMatching(/^\d{5,}$/)]);

    const sentOn = await bob.client.call({
      _: "messages.forwardMessages",
      fromPeer: toAlice(),
      id: arrived.map(({ id }) => id),
      toPeer: square(),
      randomId: arrived.map(random),
    });
    if (sentOn._ !== "updates") throw new Error(sentOn._);
    const copies = sentOn.updates.flatMap((update) =>
      update._ === "updateNewChannelMessage" && update.message._ === "message" ? [update.message] : [],
    );
    const others = new Set(copies.map(({ groupedId }) => String(groupedId)));
    expect([copies.length, others.size]).toEqual([3, 1]);
    expect([...others][0]).not.toBe([...groups][0]);
  });

  it("is refused when it is too long, empty, or made of what no album holds", async () => {
    const single = (media: tl.TypeInputMedia): tl.RawInputSingleMedia => ({
      _: "inputSingleMedia",
      media,
      randomId: random(),
      message: "",
    });
    const place: tl.RawInputMediaGeoPoint = { _: "inputMediaGeoPoint", geoPoint: { _: "inputGeoPoint", lat: 1, long: 2 } };
    const send = (multiMedia: tl.RawInputSingleMedia[]) => bob.client.call({ _: "messages.sendMultiMedia", peer: toAlice(), multiMedia });
    await expect(send([])).rejects.toThrow("MEDIA_EMPTY");
    await expect(send(Array.from({ length: 11 }, () => single(place)))).rejects.toThrow("MULTI_MEDIA_TOO_LONG");
    await expect(send([single(place), single(place)])).rejects.toThrow("MEDIA_INVALID");
  });
});

describe("search", () => {
  it("finds messages of a chat by words, author and kind", async () => {
    await bobSends("The quick brown fox", square());
    await alice.sendMessage("sandbox_square", { message: "a quicker brown dog, see https://example.org/dog" });
    const find = async (fields: Partial<tl.messages.RawSearchRequest>) => {
      const none = { offsetId: 0, addOffset: 0, maxId: 0, minId: 0, minDate: 0, maxDate: 0, hash: Long.ZERO };
      const found = await bob.client.call({
        _: "messages.search",
        peer: square(),
        q: "",
        filter: { _: "inputMessagesFilterEmpty" },
        limit: 10,
        ...none,
        ...fields,
      });
      return found._ === "messages.messagesNotModified"
        ? []
        : found.messages.map((message) => (message._ === "message" ? message.message : message._));
    };
    expect(await find({ q: "QUICK brown" })).toEqual(["a quicker brown dog, see https://example.org/dog", "The quick brown fox"]);
    expect(await find({ q: "quick", fromId: { _: "inputPeerSelf" } })).toEqual(["The quick brown fox"]);
    expect(await find({ q: "quick", limit: 1 })).toHaveLength(1);
    expect(await find({ q: "uick" })).toEqual([]);
    expect(await find({ q: "dog", filter: { _: "inputMessagesFilterUrl" } })).toHaveLength(1);
    await expect(find({})).rejects.toThrow("SEARCH_QUERY_EMPTY");
    const accessHash = bigInt(clients.sandbox.telegram.world.secrets.accessHash("alice", "channel", sharedChats.mediaChannel));
    const films = await alice.getMessages(new Api.InputPeerChannel({ channelId: bigInt(sharedChats.mediaChannel), accessHash }), {
      filter: new Api.InputMessagesFilterVideo(),
      limit: 10,
    });
    expect(films.length).toBeGreaterThan(0);
    expect(films.every(({ video }) => video !== undefined)).toBe(true);
    const foxes = await alice.getMessages("sandbox_square", { search: "fox", limit: 5 });
    expect(Array.from(foxes, ({ message }) => message)).toEqual(["The quick brown fox"]);
  });

  it("finds people and channels, one's own first", async () => {
    const found = await bob.client.call({ _: "contacts.search", q: "ali", limit: 10 });
    expect(found.myResults).toContainEqual({ _: "peerUser", userId: ids.alice });
    expect(found.users).toContainEqual(expect.objectContaining({ firstName: "Alice", contact: true }));
    const other = await alice.invoke(new Api.contacts.Search({ q: "@sandbox_not", limit: 10 }));
    expect(other.results).toMatchObject([{ className: "PeerChannel", channelId: bigInt(sharedChats.otherPublicChannel) }]);
    expect(other.chats).toMatchObject([{ title: "Not Joined", left: true }]);
    await expect(alice.invoke(new Api.contacts.Search({ q: " ", limit: 10 }))).rejects.toThrow("SEARCH_QUERY_EMPTY");
  });

  it("is told at once what the sandbox does not search", async () => {
    await expect(
      alice.invoke(
        new Api.messages.SearchGlobal({
          q: "fox",
          filter: new Api.InputMessagesFilterEmpty(),
          minDate: 0,
          maxDate: 0,
          offsetRate: 0,
          offsetPeer: new Api.InputPeerEmpty(),
          offsetId: 0,
          limit: 5,
        }),
      ),
    ).rejects.toThrow("INPUT_METHOD_INVALID");
  });
});

// Last in this file: the other client only knows the old ports.
it("a reaction stays over a restart", async () => {
  const msgId = await bobSends("remember this", square());
  await bob.client.call({ _: "messages.sendReaction", peer: square(), msgId, reaction: [{ _: "reactionEmoji", emoticon: "👍" }] });
  await clients.restart();
  ({ bob } = clients);
  const answer = await bob.client.call({ _: "messages.getMessagesReactions", peer: square(), id: [msgId] });
  expect(answer).toMatchObject({
    updates: [{ _: "updateMessageReactions", msgId, reactions: { results: [{ reaction: { emoticon: "👍" }, count: 1, chosenOrder: 0 }] } }],
  });
});
