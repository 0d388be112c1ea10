import { Api } from "telegram";
import bigInt from "big-integer";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { descriptionCacheMs } from "../../../shared/limits.js";
import type { Session } from "../../../shard/session/session.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { markOfPeer } from "../../../shard/telegram/convert.js";
import { toInputPeer } from "../../../shard/telegram/peers.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";
import { eventually } from "../../harness/eventually.js";
import { TelegramFixture } from "./fixture.js";
import type { TestContext } from "../session-context.js";

let fixture: TelegramFixture;
let alice: Session<TelegramConnector>;
let context: TestContext;
beforeAll(async () => {
  fixture = await TelegramFixture.start();
  ({ session: alice, context } = await fixture.login("alice"));
});
afterAll(() => fixture.stop());

const channel = (id: number): string => `-100${id}`;

describe("chats", () => {
  const all = async (limit: number): Promise<{ id: string; created: string }[]> => {
    const found: { id: string; created: string }[] = [];
    for (let after = "", pages = 0; pages < 200; pages++) {
      const { docs, next } = await fixture.run(alice, "list-chats", { limit, after });
      found.push(...docs.map(({ chat: { id }, last: { created } }) => ({ id, created })));
      if (next === "") return found;
      after = next;
    }
    throw new Error("the pages do not end");
  };

  test.each([3, 100])("come by their newest messages in pages of %s, with archived and pinned ones in their places", async (limit) => {
    const before = await all(limit);
    const dates = before.map(({ created }) => created);
    expect(dates).toEqual([...dates].sort().reverse());
    const ids = before.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const client = alice.connector.connected();
    const signal = AbortSignal.timeout(30_000);
    const first = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty(), limit: 100, hash: bigInt.zero };
    const archive = await client.invoke(new Api.messages.GetDialogs({ ...first, folderId: 1 }), { signal });
    const archived = archive instanceof Api.messages.DialogsNotModified ? [] : archive.dialogs.map(({ peer }) => markOfPeer(peer));
    expect(archived.length).toBeGreaterThan(0);
    expect(ids).toEqual(expect.arrayContaining(archived));
    const pinned = ids.findLast((id) => !id.startsWith("-")) ?? "";
    const pin = async (isPinned: boolean): Promise<void> => {
      const peer = await alice.connector.chats.findOrRefresh(client, pinned, signal);
      if (peer === undefined) throw new Error("no such chat");
      const request = new Api.messages.ToggleDialogPin({ pinned: isPinned, peer: new Api.InputDialogPeer({ peer: toInputPeer(peer) }) });
      await client.invoke(request, { signal });
    };
    await pin(true);
    const after = await all(limit);
    await pin(false);
    expect(new Set(after.map(({ id }) => id))).toEqual(new Set(ids));
    expect(after.findIndex(({ id }) => id === pinned)).toBeGreaterThan(0);
    expect(after.map(({ created }) => created)).toEqual(dates);
  });

  test("a cursor that no page returned is refused", async () => {
    for (const after of ["1", "1.2.3", "_1.2.3", "_1.2.3_4.5.x", "_9999999999.1.1_", "____"])
      await expect(fixture.run(alice, "list-chats", { limit: 5, after })).rejects.toMatchObject({
        status: 400,
        message: "after is not valid",
      });
  });

  test("a flood wait of a look-up is 429 with the platform's time", async () => {
    await fixture.fault({ kind: "flood-wait", seconds: 300, method: "contacts.resolvePhone" });
    const refused = fixture.run(alice, "look-up-phones", { phones: ["15550100003"] });
    await expect(refused).rejects.toMatchObject({ status: 429, message: "too many requests", retryAfterSeconds: 300 });
  });
});

describe("groups", () => {
  test("lists basic groups and supergroups that the account is in, with details", async () => {
    const { docs } = await fixture.run(alice, "list-groups", {});
    const byName = new Map(docs.map((group) => [group.name, group]));
    expect(byName.get("Public Square")).toMatchObject({
      id: channel(sharedChats.publicGroup),
      username: "sandbox_square",
      description: "Открыто для всех",
    });
    expect(byName.get("Public Square")?.picture).toMatch(/^data:image\/jpeg;base64,/);
    expect(byName.get("Family 👨‍👩‍👧")).toMatchObject({ id: `-${sharedChats.familyGroup}`, username: "", description: "Sunday dinners" });
    expect(byName.get("Hundred and One")).toMatchObject({ id: `-${sharedChats.trapGroup}`, picture: "" });
    expect(byName.has("Stadium")).toBe(true);
    for (const absent of ["Old Flat", "Closed Door", "Other Square", "Alice's News 📣"]) expect(byName.has(absent)).toBe(false);
    // The upgraded basic group still exists under the same name as its supergroup.
    expect(docs.filter(({ name }) => name === "Chess Club ♟️").map(({ id }) => id)).toEqual([channel(sharedChats.upgradedGroup)]);
    expect(new Set(docs.map(({ id }) => id)).size).toBe(docs.length);
    for (const group of docs) expect(group.created).toBe(new Date(group.created).toISOString());
  });

  describe("descriptions", () => {
    afterEach(() => void vi.restoreAllMocks());
    /** Lists `ms` after the first call, and resolves with the number of calls to the platform. */
    const callsAfter = async (ms: number): Promise<number> => {
      const { now } = performance;
      vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + ms);
      fixture.resetCalls();
      await fixture.run(alice, "list-groups", {});
      vi.restoreAllMocks();
      return fixture.calls("channels.getFullChannel") + fixture.calls("messages.getFullChat");
    };

    test("are fetched once in five minutes", async () => {
      const { docs } = await fixture.run(alice, "list-groups", {});
      expect(await callsAfter(0)).toBe(0);
      expect(fixture.calls("upload.getFile")).toBe(0);
      expect(await callsAfter(descriptionCacheMs - 30_000)).toBe(0);
      expect(await callsAfter(descriptionCacheMs + 1_000)).toBe(docs.length);
    });
  });

  test.each(["@sandbox_square", "sandbox_square", "https://t.me/sandbox_square", `-100${sharedChats.publicGroup}`])(
    "finds one group by %s",
    async (groupId) => {
      expect(await fixture.run(alice, "get-group", { groupId })).toMatchObject({ id: channel(sharedChats.publicGroup) });
    },
  );
});

describe("group members", () => {
  test("lists ten thousand of them", async () => {
    const { docs } = await fixture.run(alice, "list-group-members", { groupId: channel(sharedChats.bigGroup) });
    expect(docs).toHaveLength(10_000);
    expect(new Set(docs.map(({ id }) => id)).size).toBe(10_000);
    for (const { name } of docs) expect(name).not.toBe("");
  });

  test("lists members of a basic group whose id resembles a channel's", async () => {
    const { docs } = await fixture.run(alice, "list-group-members", { groupId: `-${sharedChats.trapGroup}` });
    expect(docs).toHaveLength(6);
  });

  test("passes on the refusal of a group that hides them", async () => {
    await expect(fixture.run(alice, "list-group-members", { groupId: channel(sharedChats.hiddenGroup) })).rejects.toMatchObject({
      status: 500,
      message: "400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)",
    });
  });

  test.each([
    ["a channel", channel(sharedChats.aliceChannel)],
    ["a public group that is not joined", "sandbox_other_square"],
    ["a group that was left", channel(sharedChats.leftGroup)],
    ["a group that threw the account out", `-${sharedChats.forbiddenGroup}`],
    ["a person", "@bob_sandbox"],
  ])("says group not found for %s", async (_what, groupId) => {
    await expect(fixture.run(alice, "list-group-members", { groupId })).rejects.toMatchObject({ status: 400, message: "group not found" });
  });

  test.each([
    ["a name that nobody has", "nobody_has_this_name"],
    ["an id that is not known", "-1003999999999"],
    ["a basic group that does not exist", "-77777777"],
  ])("says chat not found for %s", async (_what, groupId) => {
    await expect(fixture.run(alice, "list-group-members", { groupId })).rejects.toMatchObject({ status: 400, message: "chat not found" });
  });
});

describe("channels", () => {
  test("lists channels only, with the right to post", async () => {
    const { docs } = await fixture.run(alice, "list-channels", {});
    const byName = new Map(docs.map((one) => [one.name, one]));
    expect(byName.get("Alice's News 📣")).toMatchObject({ id: channel(sharedChats.aliceChannel), username: "alice_news", isOwner: true });
    expect(byName.get("Bob Builds")).toMatchObject({ isOwner: true });
    expect(byName.get("Inner Circle")).toMatchObject({ username: "", picture: "", isOwner: false });
    expect(byName.has("Nothing Yet")).toBe(true);
    for (const absent of ["Public Square", "Not Joined", "Thrown Out", "Stadium"]) expect(byName.has(absent)).toBe(false);
  });

  test("finds one by id and by username", async () => {
    expect(await fixture.run(alice, "get-channel", { channelId: "@Bob_Builds" })).toMatchObject({ name: "Bob Builds" });
    expect(await fixture.run(alice, "get-channel", { channelId: channel(sharedChats.privateChannel) })).toMatchObject({
      name: "Inner Circle",
    });
  });

  test.each([
    ["a supergroup", channel(sharedChats.publicGroup), "channel not found"],
    ["a public channel that is not joined", "sandbox_not_joined", "channel not found"],
    ["a person", "bob_sandbox", "channel not found"],
    ["a channel that threw the account out", channel(sharedChats.forbiddenChannel), "channel not found"],
    ["a basic group", `-${sharedChats.familyGroup}`, "channel not found"],
    ["a name that nobody has", "nobody_has_this_name", "chat not found"],
    ["an id that is not known", "-1003999999998", "chat not found"],
    ["a basic group that does not exist", "-77777777", "chat not found"],
    ["a name that cannot be", "no such name", "invalid chat"],
    ["a name that begins with a digit", "1abcdef", "invalid chat"],
  ])("refuses %s", async (_what, channelId, message) => {
    await expect(fixture.run(alice, "get-channel", { channelId })).rejects.toMatchObject({ status: 400, message });
  });

  describe("after their peers were forgotten", () => {
    const wanted = [sharedChats.privateChannel, sharedChats.aliceChannel].map(channel);
    const names = (records: readonly { name: string }[]): string[] => records.map(({ name }) => name);
    beforeEach(async () => {
      await context.peers.clear();
      alice.connector.chats.clear();
      await alice.connector.peers.clear();
      fixture.resetCalls();
    });
    afterEach(() => fixture.sandbox.telegram.control.clearFaults());

    test("are found in the list of chats, which is read once for concurrent requests", async () => {
      const channels = Promise.all([...wanted, ...wanted].map((channelId) => fixture.run(alice, "get-channel", { channelId })));
      expect(names(await channels)).toEqual(["Inner Circle", "Alice's News 📣", "Inner Circle", "Alice's News 📣"]);
      const pages = fixture.calls("messages.getDialogs");
      fixture.resetCalls();
      await fixture.run(alice, "list-channels", {});
      expect(pages).toBe(fixture.calls("messages.getDialogs"));
    });

    test("are met again although the command that began to read the list is given up", async () => {
      await fixture.fault({ kind: "stall", account: "alice", method: "messages.getDialogs", seconds: 60 });
      const end = new AbortController();
      const [first = "", second = ""] = wanted;
      const givenUp = fixture.run(alice, "get-channel", { channelId: first }, end.signal).catch((error: unknown) => error);
      await eventually("the list is asked for", () => fixture.calls("messages.getDialogs") === 1);
      const waiting = fixture.run(alice, "get-channel", { channelId: second });
      fixture.sandbox.telegram.control.clearFaults();
      end.abort(new Error("client went away"));
      expect(await givenUp).toMatchObject({ message: "client went away" });
      expect(await waiting).toMatchObject({ name: "Alice's News 📣" });
    });

    test("are met again at the next try when the list could not be read", async () => {
      const [channelId = ""] = wanted;
      await fixture.fault({ kind: "error", error: "400 FOLDER_ID_INVALID", method: "messages.getDialogs", account: "alice" });
      await expect(fixture.run(alice, "get-channel", { channelId })).rejects.toMatchObject({
        status: 500,
        message: "400: FOLDER_ID_INVALID (caused by messages.GetDialogs)",
      });
      expect(await fixture.run(alice, "get-channel", { channelId })).toMatchObject({ name: "Inner Circle" });
    });
  });

  test("waits out a short flood wait and passes on a long one", async () => {
    await fixture.fault({ kind: "flood-wait", method: "messages.getDialogs", seconds: 1 });
    const startedAt = performance.now();
    await fixture.run(alice, "list-channels", {});
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    await fixture.fault({ kind: "flood-wait", method: "messages.getDialogs", seconds: 75 });
    await expect(fixture.run(alice, "list-channels", {})).rejects.toMatchObject({
      status: 500,
      message: "A wait of 75 seconds is required (caused by messages.GetDialogs)",
    });
  });
});

describe("channel messages", () => {
  test("pages from the newest to the oldest", async () => {
    const channelId = channel(sharedChats.dailyChannel);
    const first = (await fixture.run(alice, "list-channel-messages", { channelId, limit: 100, before: 0 })).docs;
    expect(first).toHaveLength(100);
    const ids = first.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const next = (await fixture.run(alice, "list-channel-messages", { channelId, limit: 100, before: ids.at(-1) ?? 0 })).docs;
    expect(Number(next[0]?.id)).toBeLessThan(ids.at(-1) ?? 0);
    expect(first[0]).toMatchObject({ channelId, type: "text", url: "", thumbnail: "", size: 0 });
  });

  test("gives links for media", async () => {
    const channelId = channel(sharedChats.mediaChannel);
    const { docs } = await fixture.run(alice, "list-channel-messages", { channelId, limit: 100, before: 0 });
    const of = (type: string): (typeof docs)[number][] => docs.filter((message) => message.type === type);
    expect(of("image")).toHaveLength(3);
    for (const image of of("image")) {
      expect(image.url).toMatch(new RegExp(`^/media/${alice.id}/${channelId}/${image.id}/photo/signature\\.jpg$`));
      expect(image.thumbnail).toContain("/thumb/");
      expect(Math.max(image.width, image.height)).toBe(2560);
    }
    expect(of("video").map(({ size }) => size)).toContain(64 * 2 ** 20);
    expect(of("video")[0]).toMatchObject({ mimetype: "video/mp4", url: expect.stringMatching(/\/file\/signature\.mp4$/) });
    expect(of("sticker")[0]?.url).toMatch(/\/file\/signature\.webp$/);
    expect(of("document")[0]).toMatchObject({ name: expect.stringContaining(".pdf"), mimetype: "application/pdf" });
    expect(of("audio")).toHaveLength(1);
  });
});
