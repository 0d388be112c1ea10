import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Channel, ChannelMessage } from "../../../shared/contract/whatsapp/channel.js";
import type { Group, GroupMember } from "../../../shared/contract/whatsapp/group.js";
import { loggedIn, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";
import { contactPerson, nameOf } from "../../sandbox/whatsapp/world/person.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";

/** GET /group, /group/{groupId}, /group/member, /channel, /channel/{channelId}, /channel/message. */
let gateway: TestCluster;
let platform: WhatsAppSide;
let caller: Caller;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new WhatsAppSide(gateway);
  caller = await loggedIn(gateway, "alice", "whatsapp");
  // The address book arrives within seconds of the login, and a status needs all of it.
  await eventually(
    "the address book",
    async () => (await caller.send("POST", "/status", { type: "text", text: "anybody?" })).status === 200,
  );
});
afterAll(() => gateway.stop());

async function get<T>(path: string): Promise<T> {
  const answer = await caller.get(path);
  expect([answer.status, path]).toEqual([200, path]);
  return answer.body as T;
}

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const url = expect.stringMatching(/^https?:\/\/\S+$/) as string;
const notFound = (message: string): object => ({ status: 500, body: { statusCode: 500, message } });

describe("groups", () => {
  it("lists those that the account is in, with picture, description and time of creation", async () => {
    const { docs } = await get<{ docs: Group[] }>("/group");
    const group = (id: string): Group | undefined => docs.find((doc) => doc.id === id);
    expect(docs.length).toBeGreaterThan(24);
    expect(docs.every(({ id }) => id.endsWith("@g.us"))).toBe(true);
    expect(group(sharedGroups.family)).toEqual({
      id: sharedGroups.family,
      name: "Family 👨‍👩‍👧",
      description: "Sunday dinners\nat eight",
      picture: url,
      created: isoTime,
    });
    expect(group(sharedGroups.hidden)).toEqual({
      id: sharedGroups.hidden,
      name: "Masquerade 🎭",
      description: "",
      picture: "",
      created: isoTime,
    });
    expect(group(sharedGroups.denied)).toMatchObject({ picture: "" });
    expect(group(sharedGroups.undated)).toMatchObject({ name: "", created: null });
    expect(group(sharedGroups.foreign)).toBeUndefined();
  });

  it.each([sharedGroups.foreign, "120363999999999999@g.us"])("does not find %s", async (id) => {
    expect(await caller.get(`/group/${id}`)).toMatchObject(notFound("group not found"));
    expect(await caller.get(`/group/member?groupId=${id}`)).toMatchObject(notFound("group not found"));
  });

  it("lists members with the address book's names", async () => {
    const { docs } = await get<{ docs: GroupMember[] }>(`/group/member?groupId=${sharedGroups.family}`);
    expect(docs).toHaveLength(8);
    const bob = await platform.phoneOf("bob");
    expect(docs).toContainEqual({ id: `${bob}@s.whatsapp.net`, name: "Bob Builder", phone: bob });
    expect(docs.every(({ id, phone }) => id === `${phone}@s.whatsapp.net`)).toBe(true);
  });

  it.each([sharedGroups.family, sharedGroups.big, sharedGroups.hidden])("names the account itself by its own name in %s", async (group) => {
    const { docs } = await get<{ docs: GroupMember[] }>(`/group/member?groupId=${group}`);
    const own = await platform.phoneOf("alice");
    expect(docs.filter(({ phone }) => phone === own).map(({ name }) => name)).toEqual(["Alice Liddell 🌸"]);
  });

  it("lists 500 members; a number stands in for a name that is not in the address book", async () => {
    const { docs } = await get<{ docs: GroupMember[] }>(`/group/member?groupId=${sharedGroups.big}`);
    expect(docs).toHaveLength(500);
    expect(new Set(docs.map(({ id }) => id)).size).toBe(500);
    const strangers = docs.filter(({ phone }) => phone.startsWith("4479"));
    expect(strangers.length).toBeGreaterThan(400);
    expect(strangers.every(({ name, phone }) => name === phone)).toBe(true);
  });

  it("shows neither name nor number of hidden members, unless they are in the address book", async () => {
    const { docs } = await get<{ docs: GroupMember[] }>(`/group/member?groupId=${sharedGroups.hidden}`);
    expect(docs.every(({ id }) => id.endsWith("@lid"))).toBe(true);
    const known = contactPerson(0, 0);
    expect(docs).toContainEqual({ id: `${known.lid}@lid`, name: nameOf(known), phone: known.phone });
    expect(docs.filter(({ name, phone }) => name === "" && phone === "").length).toBeGreaterThanOrEqual(12);
  });
});

describe("records have the document's fields and no others", () => {
  const expectFields = (docs: object[], ...fields: string[]): void => {
    expect(docs.length).toBeGreaterThan(0);
    for (const doc of docs) expect(Object.keys(doc)).toEqual(fields);
  };

  it("groups", async () => {
    const { docs } = await get<{ docs: Group[] }>("/group");
    expectFields(docs, "id", "name", "description", "picture", "created");
    for (const doc of docs)
      expect(doc).toEqual({
        id: expect.stringMatching(/^\d+@g\.us$/) as string,
        name: expect.any(String) as string,
        description: expect.any(String) as string,
        picture: expect.stringMatching(/^(https:\/\/\S+)?$/) as string,
        created: doc.id === sharedGroups.undated ? null : isoTime,
      });
  });

  it("members", async () => {
    for (const id of [sharedGroups.big, sharedGroups.hidden, sharedGroups.family]) {
      const { docs } = await get<{ docs: GroupMember[] }>(`/group/member?groupId=${id}`);
      expectFields(docs, "id", "name", "phone");
      for (const doc of docs)
        expect(doc).toEqual({
          id: expect.stringMatching(/^\d+@(s\.whatsapp\.net|lid)$/) as string,
          name: expect.any(String) as string,
          phone: expect.stringMatching(/^\d*$/) as string,
        });
    }
  });

  it("channels", async () => {
    const { docs } = await get<{ docs: Channel[] }>("/channel");
    expectFields(docs, "id", "name", "picture", "isOwner", "created");
    for (const doc of docs)
      expect(doc).toEqual({
        id: expect.stringMatching(/^\d+@newsletter$/) as string,
        name: expect.stringMatching(/./) as string,
        picture: expect.stringMatching(/^(https:\/\/\S+)?$/) as string,
        isOwner: expect.any(Boolean) as boolean,
        created: isoTime,
      });
  });

  it("channel messages", async () => {
    const { docs } = await get<{ docs: ChannelMessage[] }>(`/channel/message?channelId=${sharedChannels.daily}`);
    expectFields(docs, "id", "channelId", "type", "text", "created", "views", "mimetype", "size", "voice", "round", "animation");
  });
});

describe("what changes on the platform shows at once", () => {
  it("a name in the address book, and its end", async () => {
    const bob = await platform.phoneOf("bob");
    const nameOfBob = async (): Promise<string | undefined> =>
      (await get<{ docs: GroupMember[] }>(`/group/member?groupId=${sharedGroups.family}`)).docs.find(({ phone }) => phone === bob)?.name;
    await platform.post("/phone/settings", { account: "alice", contact: bob, name: "Bobby Tables" });
    await eventually("the new name", async () => (await nameOfBob()) === "Bobby Tables");
    await platform.post("/phone/settings", { account: "alice", contact: bob, remove: true });
    await eventually("the number instead", async () => (await nameOfBob()) === bob);
  });
});

describe("channels", () => {
  it("shows one that the account does not follow", async () => {
    expect(await get(`/channel/${sharedChannels.foreign}`)).toEqual({
      id: sharedChannels.foreign,
      name: "Not Followed",
      picture: url,
      isOwner: false,
      created: isoTime,
    });
  });

  it.each([
    ["the owner", sharedChannels.alice],
    ["an administrator", sharedChannels.bob],
  ])("%s of a channel can write there", async (_, newsletter) => {
    expect(await get(`/channel/${newsletter}`)).toMatchObject({ isOwner: true });
    expect(await platform.sent(caller, "alice", "/message", { newsletter, type: "text", text: "posted" })).toMatchObject({
      chat: newsletter,
      recipient: "newsletter",
      text: "posted",
    });
  });

  it("lists those that the account follows or runs", async () => {
    const { docs } = await get<{ docs: Channel[] }>("/channel");
    const channel = (id: string): Channel | undefined => docs.find((doc) => doc.id === id);
    expect(docs.length).toBeGreaterThan(20);
    expect(docs.every(({ id }) => id.endsWith("@newsletter"))).toBe(true);
    expect(channel(sharedChannels.alice)).toEqual({
      id: sharedChannels.alice,
      name: "Alice's News 📰",
      picture: url,
      isOwner: true,
      created: isoTime,
    });
    expect(channel(sharedChannels.bob)).toMatchObject({ isOwner: true, picture: url });
    expect(channel(sharedChannels.daily)).toMatchObject({ name: "أخبار اليوم", isOwner: false });
    expect(channel(sharedChannels.plain)).toMatchObject({ picture: "" });
    expect(channel(sharedChannels.foreign)).toBeUndefined();
  });

  it.each(["120363999999999999@newsletter", "nobody", "1%40g.us"])("does not find %s: 500", async (id) => {
    expect(await caller.get(`/channel/${id}`)).toMatchObject(notFound("channel not found"));
    expect(await caller.get(`/channel/message?channelId=${id}`)).toMatchObject(notFound("channel not found"));
  });

  it("lists messages with their texts and types", async () => {
    const { docs: first } = await get<{ docs: ChannelMessage[] }>(`/channel/message?channelId=${sharedChannels.daily}`);
    expect(first.find(({ type }) => type === "text")).toMatchObject({
      channelId: sharedChannels.daily,
      text: expect.stringMatching(/#\d+$/) as string,
      created: isoTime,
      mimetype: "",
      size: 0,
    });
    expect(first.find(({ type }) => type === "image")).toMatchObject({
      mimetype: "image/jpeg",
      text: expect.stringMatching(/#\d+$/) as string,
    });
  });

  it("is empty where nothing was posted", async () => {
    expect(await get(`/channel/message?channelId=${sharedChannels.plain}`)).toEqual({ docs: [] });
  });
});
