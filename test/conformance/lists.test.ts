import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { PlatformSide } from "../harness/platform-side.js";
import { eachPlatform } from "./platforms-under-test.js";

/** Tests GET /group, /channel, one of each, and /channel/message for what is true of any content. */
let gateway: TestCluster;
beforeAll(async () => {
  gateway = await startCluster({ allInOne: true });
});
afterAll(() => gateway.stop());

interface Chat {
  readonly id: string;
  readonly name: string;
  readonly isOwner?: boolean;
}

describe.each(eachPlatform)("$platform", ({ platform, toChannel }) => {
  let caller: Caller;
  let groups: readonly Chat[];
  let channels: readonly Chat[];
  beforeAll(async () => {
    caller = await loggedIn(gateway, "alice", platform);
    [groups, channels] = [await list<Chat>("/group"), await list<Chat>("/channel")];
  });

  async function get(path: string, by = caller): Promise<unknown> {
    const response = await by.get(path);
    expect([response.status, path]).toEqual([200, path]);
    return response.body;
  }
  const list = async <T>(path: string, by = caller): Promise<readonly T[]> => ((await get(path, by)) as { docs: T[] }).docs;

  it("many groups and channels, each once, and none that is both", () => {
    expect([groups.length > 24, channels.length > 20]).toEqual([true, true]);
    const ids = [...groups, ...channels].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("every group alone as in the list", async () => {
    for (const group of groups) expect(await get(`/group/${group.id}`)).toEqual(group);
  });

  it("every channel alone as in the list", async () => {
    for (const channel of channels) expect(await get(`/channel/${channel.id}`)).toEqual(channel);
  });

  it("an account without chats has empty lists", async () => {
    const account = { account: "hermit", groups: 0, channels: 0, contacts: 0, members: 0 };
    expect(await new PlatformSide(gateway, platform).post("/accounts", account)).toMatchObject({ status: 200 });
    const hermit = await loggedIn(gateway, "hermit", platform);
    expect(await get("/group", hermit)).toEqual({ docs: [] });
    expect(await get("/channel", hermit)).toEqual({ docs: [] });
  });

  describe("GET /channel/message", () => {
    const page = async (channel: Chat | undefined, query = ""): Promise<readonly { id: string; type: string; text: string }[]> =>
      await list(`/channel/message?channelId=${channel?.id ?? ""}${query}`);

    it("newest first, 50 or the requested number, page by page, without repeats or gaps", async () => {
      const daily = channels.find(({ name }) => name === "أخبار اليوم");
      const pages = [await page(daily)];
      for (const limit of [20, 100, 100, 100]) pages.push(await page(daily, `&limit=${limit}&before=${pages.at(-1)?.at(-1)?.id ?? ""}`));
      expect(pages.map(({ length }) => length)).toEqual([50, 20, 100, 80, 0]);
      const ids = pages.flat().map(({ id }) => Number(id));
      expect(ids).toEqual(ids.map((_, n) => (ids[0] ?? 0) - n));
    });

    it("what was just posted", async () => {
      const own = channels.find(({ name, isOwner }) => isOwner === true && name.startsWith("Alice's News"));
      const text = "fresh from the press";
      expect((await caller.send("POST", "/message", { ...toChannel(own?.id ?? ""), type: "text", text })).status).toBe(200);
      expect(await page(own, "&limit=1")).toMatchObject([{ type: "text", text }]);
    });
  });
});
