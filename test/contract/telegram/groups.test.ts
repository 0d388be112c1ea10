import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { TelegramSide } from "../../harness/telegram-side.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";

/** Changes of supergroups, and refusals that only variant B has. What both platforms do is in the conformance tests. */
let gateway: TestCluster;
let platform: TelegramSide;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new TelegramSide(gateway);
  alice = await loggedIn(gateway, "alice");
  bob = await loggedIn(gateway, "bob");
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

/** Alice's own supergroup, in which Bob is. */
const chess = `-100${sharedChats.upgradedGroup}`;
/** Administered by alice and owned by somebody else. */
const square = `-100${sharedChats.publicGroup}`;
const person = (name: string): { username: string } => ({ username: `${name}_sandbox` });
const done = (name: string): object => ({ ...person(name), code: 200, reason: "" });
const refused = (name: string, code: number, error: string): object => ({
  ...person(name),
  code,
  reason: expect.stringMatching(new RegExp(`^${code}: ${error}( |$)`)) as string,
});
const change = (what: "member" | "admin", group: string, ...names: string[]): Promise<ApiResponse> =>
  alice.send("POST", `/group/${what}`, { group, members: names.map(person) });
const undo = (what: "member" | "admin", group: string, ...names: string[]): Promise<ApiResponse> =>
  alice.send("DELETE", `/group/${what}?group=${group}${names.map((one) => `&username=${one}_sandbox`).join("")}`);
const edit = (group: string, body: object, by = alice): Promise<ApiResponse> => by.send("PATCH", `/group/${group}`, body);
const error = (message: RegExp): object => ({ status: 500, body: { message: expect.stringMatching(message) as string } });

describe("members of a supergroup", () => {
  it("are added in one request, and one by one if the platform refuses one of them", async () => {
    expect((await change("member", chess, "grace", "ivan")).body).toEqual({ docs: [done("grace"), done("ivan")] });
    // Alice has blocked Lina.
    const added = await change("member", chess, "judy", "lina");
    expect(added.body).toEqual({ docs: [done("judy"), refused("lina", 400, "USER_BLOCKED")] });
    const { docs } = (await alice.get(`/group/member?groupId=${chess}`)).body as { docs: { username: string }[] };
    expect(docs.map(({ username }) => username)).toEqual(expect.arrayContaining(["grace_sandbox", "ivan_sandbox", "judy_sandbox"]));
  });

  it("are removed without a lasting ban, so that they may come back", async () => {
    expect((await undo("member", chess, "bob", "lina")).body).toEqual({
      docs: [done("bob"), refused("lina", 400, "USER_NOT_PARTICIPANT")],
    });
    expect(await bob.get(`/group/${chess}`)).toMatchObject({ status: 400, body: { message: "group not found" } });
    const { link } = (await alice.get(`/group/invite?group=${chess}`)).body as { link: string };
    expect(await bob.send("POST", "/group/join", { link })).toMatchObject({ status: 200, body: { id: chess, pending: false } });
  });

  it("are appointed with rights of their own, and dismissed", async () => {
    expect(await edit(chess, { settings: { locked: true } })).toMatchObject({ status: 200 });
    expect(await edit(chess, { name: "Bob's club" }, bob)).toMatchObject(error(/^400: CHAT_ADMIN_REQUIRED /));
    expect((await change("admin", chess, "bob", "lina")).body).toEqual({
      docs: [done("bob"), refused("lina", 400, "USER_NOT_PARTICIPANT")],
    });
    expect(await edit(chess, { name: "Bob's club" }, bob)).toMatchObject({ status: 200, body: { id: chess, name: "Bob's club" } });
    expect((await undo("admin", chess, "bob")).body).toEqual({ docs: [done("bob")] });
    expect(await edit(chess, { name: "Mine" }, bob)).toMatchObject(error(/^400: CHAT_ADMIN_REQUIRED /));
  });

  it("of a group that somebody else owns, the owner cannot be removed", async () => {
    expect(await undo("member", square, "carol")).toMatchObject({
      status: 200,
      body: { docs: [refused("carol", 400, "USER_ADMIN_INVALID")] },
    });
  });
});

describe("a supergroup", () => {
  it("gets a description and a photo, and loses them", async () => {
    const picture = platform.fileUrl("photo.jpg");
    const changed = await edit(chess, { description: "Every Monday", picture });
    expect(changed).toMatchObject({ status: 200, body: { description: "Every Monday" } });
    expect((changed.body as { picture: string }).picture).toMatch(/^data:image\/jpeg;base64,/);
    expect(await edit(chess, { description: "", picture: "" })).toMatchObject({ status: 200, body: { description: "", picture: "" } });
  });

  it("is named by its username, and takes every setting", async () => {
    const settings = { announce: true, memberAdd: false, approval: true, ephemeral: 604_800 };
    expect(await edit("sandbox_square", { settings })).toMatchObject({ status: 200, body: { id: square } });
    const text = { group: square, type: "text", text: "may I?" };
    expect(await bob.send("POST", "/message", text)).toMatchObject(error(/^403: CHAT_WRITE_FORBIDDEN /));
    const free = { announce: false, memberAdd: true, approval: false, ephemeral: 0 };
    for (let time = 0; time < 2; time++) expect(await edit("sandbox_square", { settings: free })).toMatchObject({ status: 200 });
    expect(await bob.send("POST", "/message", text)).toMatchObject({ status: 200 });
  });

  it.each([
    [{ approval: true }, /^400: CHAT_PUBLIC_REQUIRED /],
    [{ ephemeral: 5 }, /^400: TTL_PERIOD_INVALID /],
  ])("that cannot have %j says so with the platform's error", async (settings, message) => {
    expect(await edit(chess, { settings })).toMatchObject(error(message));
  });

  it("is left, unless the account owns it", async () => {
    expect(await bob.send("POST", "/group/leave", { group: square })).toMatchObject({ status: 200, body: { id: square } });
    expect(await alice.send("POST", "/group/leave", { group: chess })).toMatchObject(error(/^400: USER_CREATOR /));
  });
});

describe("a basic group", () => {
  const created = async (...names: string[]): Promise<string> => {
    const { status, body } = await alice.send("POST", "/group", { name: "Small", members: names.map(person) });
    expect([status, (body as { refused: unknown[] }).refused]).toEqual([200, []]);
    return (body as { id: string }).id;
  };

  it("rejects the whole call if the platform refuses it, but not after a first person", async () => {
    const group = await created("bob");
    await platform.fault({ account: "alice", kind: "error", method: "messages.addChatUser", error: "420 FLOOD_WAIT_100", times: 1 });
    expect(await change("member", group, "grace", "ivan")).toMatchObject(error(/^A wait of 100 seconds is required/));
    expect((await change("member", group, "bob", "grace")).body).toEqual({
      docs: [refused("bob", 400, "USER_ALREADY_PARTICIPANT"), done("grace")],
    });
  });

  it("has no approval of new members", async () => {
    const body = { statusCode: 400, message: "settings.approval needs a supergroup" };
    expect(await edit(await created("bob"), { settings: { approval: true } })).toMatchObject({ status: 400, body });
  });

  it("needs at least one other person", async () => {
    const alone = await alice.send("POST", "/group", { name: "Alone", members: [person("alice")] });
    expect(alone).toMatchObject(error(/^400: USERS_TOO_FEW /));
    const nobody = await alice.send("POST", "/group", { name: "Nobody", members: [{ username: "nobody_has_this_name" }] });
    expect(nobody).toMatchObject(error(/^400: USERS_TOO_FEW /));
  });
});

it.each([
  ["a hash that leads nowhere", "https://t.me/+AAAAAAAAAAAAAAAA", /^400: INVITE_HASH_EXPIRED /],
  ["a hash of another form", "https://t.me/joinchat/AAAAAAAAAAAAAAAAAAAA", /^400: INVITE_HASH_INVALID /],
])("joins by no link with %s", async (_, link, message) => {
  expect(await alice.send("POST", "/group/join", { link })).toMatchObject(error(message));
});
