import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { PlatformSide } from "../harness/platform-side.js";

/**
 * POST /channel, PATCH /channel/{channelId}, POST /channel/follow and /channel/leave on both platforms, from the owner's and a follower's
 * side.
 */
let gateway: TestCluster;
const alices = {} as Record<Platform, Caller>;
const bobs = {} as Record<Platform, Caller>;
beforeAll(async () => {
  gateway = await startCluster();
  for (const platform of platforms) {
    alices[platform] = await loggedIn(gateway, "alice", platform);
    bobs[platform] = await loggedIn(gateway, "bob", platform);
  }
});
afterAll(() => gateway.stop());

interface Channel {
  readonly id: string;
  readonly name: string;
  readonly picture: string;
  readonly isOwner: boolean;
}

const error = (status: number, message: string): object => ({ status, body: { statusCode: status, message } });

describe.each(platforms)("on %s", (platform) => {
  const side = (): PlatformSide<{ readonly type: string }> => new PlatformSide(gateway, platform);
  const alice = (): Caller => alices[platform];
  const bob = (): Caller => bobs[platform];
  const create = (body: object, headers = {}): Promise<ApiResponse> => alice().send("POST", "/channel", body, headers);
  const change = (id: string, body: object, by = alice()): Promise<ApiResponse> => by.send("PATCH", `/channel/${id}`, body);
  const follow = (channel: string, by = bob()): Promise<ApiResponse> => by.send("POST", "/channel/follow", { channel });
  const leave = (channel: string, by = bob()): Promise<ApiResponse> => by.send("POST", "/channel/leave", { channel });
  async function created(name = `News ${randomUUID()}`): Promise<Channel> {
    const { status, body } = await create({ name });
    expect(status).toBe(200);
    return body as Channel;
  }
  const listed = async (by: Caller, id: string): Promise<Channel | undefined> =>
    ((await by.get("/channel")).body as { docs: Channel[] }).docs.find((channel) => channel.id === id);
  /** A channel of Alice that Bob may follow. New channels of Telegram are private. */
  async function open(): Promise<{ readonly id: string; readonly channel: string }> {
    if (platform === "whatsapp") {
      const { id } = await created();
      return { id, channel: id };
    }
    return { id: ((await alice().get("/channel/alice_news")).body as Channel).id, channel: "alice_news" };
  }
  const picture = (): string => side().fileUrl("photo.jpg");

  it("a new channel belongs to the account, which can post to it", async () => {
    const { status, body } = await create({ name: "Bakery 🥐", description: "What is new", picture: picture() });
    expect([status, body]).toMatchObject([200, { name: "Bakery 🥐", isOwner: true }]);
    const channel = body as Channel;
    expect(channel.picture).not.toBe("");
    expect((await alice().get(`/channel/${channel.id}`)).body).toEqual(channel);
    expect(await listed(alice(), channel.id)).toEqual(channel);
    const to = { [platform === "telegram" ? "channel" : "newsletter"]: channel.id };
    expect((await alice().send("POST", "/message", { ...to, type: "text", text: "First" })).status).toBe(200);
    expect((await create({ name: "Plain" })).body).toMatchObject({ name: "Plain", picture: "" });
  });

  it("a picture that cannot be used creates no channel", async () => {
    const name = `None ${randomUUID()}`;
    const names = async (): Promise<string[]> =>
      ((await alice().get("/channel")).body as { docs: Channel[] }).docs.map((each) => each.name);
    expect(await create({ name, picture: side().fileUrl("none.jpg") })).toMatchObject(
      error(500, "error parser file from url 404 Not Found"),
    );
    expect(await create({ name, picture: side().fileUrl("document.pdf") })).toMatchObject({ status: 500 });
    expect(await names()).not.toContain(name);
  });

  it("a channel that is created again with its key is one channel", async () => {
    const key = { "idempotency-key": randomUUID() };
    const body = { name: `Once ${randomUUID()}` };
    const first = await create(body, key);
    const second = await create(body, key);
    expect([second.status, second.body, second.headers.get("idempotency-replayed")]).toEqual([200, first.body, "true"]);
    expect((await create({ name: "Other" }, key)).status).toBe(422);
    expect(((await alice().get("/channel")).body as { docs: Channel[] }).docs.filter(({ name }) => name === body.name)).toHaveLength(1);
  });

  it("a channel whose creation has an unknown outcome is an error that invites no retry", async () => {
    const key = { "idempotency-key": randomUUID() };
    const name = `Lost ${randomUUID()}`;
    const method = platform === "telegram" ? "channels.createChannel" : "iq w:mex query";
    await side().fault({ account: "alice", kind: "lost-ack", method, times: 1 });
    expect(await create({ name }, key)).toMatchObject(error(500, "internal server error"));
    await expect.poll(async () => (await alice().record()).isConnected).toBe(true);
    expect(await create({ name }, key)).toMatchObject(error(500, "internal server error"));
    expect(((await alice().get("/channel")).body as { docs: Channel[] }).docs.filter((each) => each.name === name)).toHaveLength(1);
  });

  it("changes are shown to followers", async () => {
    const { id, channel } = await open();
    expect((await follow(channel)).body).toMatchObject({ id, isOwner: false });
    const name = `Renamed ${randomUUID()}`;
    const changed = await change(id, { name, description: "d", picture: picture() });
    expect([changed.status, changed.body]).toMatchObject([200, { id, name, isOwner: true }]);
    expect((changed.body as Channel).picture).not.toBe("");
    expect(await listed(bob(), id)).toMatchObject({ name });
    expect((await change(id, { name, description: "d" })).status).toBe(200);
    const cleared = await change(id, { description: "", picture: "" });
    expect([cleared.status, cleared.body]).toMatchObject([200, { id, name, picture: "" }]);
  });

  it("only administrators change a channel", async () => {
    const { id, channel } = await open();
    await follow(channel);
    const refused = await change(id, { name: "Mine" }, bob());
    const message =
      platform === "telegram"
        ? "400: CHAT_ADMIN_REQUIRED (caused by channels.EditTitle)"
        : "403: Forbidden (the account may not do this here)";
    expect(refused).toMatchObject(error(500, message));
  });

  it("following and leaving can be repeated", async () => {
    const { id, channel } = await open();
    for (let n = 0; n < 2; n++) expect([(await follow(channel)).status, (await listed(bob(), id))?.id]).toEqual([200, id]);
    expect(await leave(channel)).toMatchObject({ status: 200, body: { id } });
    expect(await listed(bob(), id)).toBeUndefined();
    expect((await follow(channel)).status).toBe(200);
  });

  it("the owner cannot leave", async () => {
    const { id } = await created();
    const message =
      platform === "telegram" ? "400: USER_CREATOR (caused by channels.LeaveChannel)" : "403: Forbidden (the account may not do this here)";
    expect(await leave(id, alice())).toMatchObject(error(500, message));
  });

  it("a channel that does not exist is the document's error", async () => {
    const unknown = platform === "telegram" ? "no_such_channel" : "120363999999999999@newsletter";
    const expected = platform === "telegram" ? error(400, "chat not found") : error(500, "channel not found");
    expect(await follow(unknown)).toMatchObject(expected);
    expect(await leave(unknown)).toMatchObject(expected);
    expect(await change(unknown, { name: "x" })).toMatchObject(expected);
  });

  it.runIf(platform === "telegram")("a request whose reply is lost is made once more", async () => {
    const { id, channel } = await open();
    await follow(channel);
    await side().fault({ account: "bob", kind: "lost-ack", method: "channels.leaveChannel", times: 1 });
    expect(await leave(channel)).toMatchObject({ status: 200, body: { id } });
    expect(await listed(bob(), id)).toBeUndefined();
  });

  it.runIf(platform === "telegram")("a group is no channel", async () => {
    const { docs } = (await alice().get("/group")).body as { docs: { id: string }[] };
    const id = docs[0]?.id ?? "";
    expect(await follow(id, alice())).toMatchObject(error(400, "channel not found"));
    expect(await leave(id, alice())).toMatchObject(error(400, "channel not found"));
  });
});
