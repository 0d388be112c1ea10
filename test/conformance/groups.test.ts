import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../shared/contract/ids.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";
import { error, notConnected, sessionNotFound } from "./refused.js";
import { credentialsOf, sendTo } from "./send-to.js";

/** Calls that create and change groups, as the members' own sessions see them on every platform. */
let gateway: TestCluster;
let otherTenant: string;
beforeAll(async () => {
  gateway = await startCluster({ allInOne: true, routers: 2 });
  expect((await admin("/tenants", { name: "other" })).status).toBe(201);
  otherTenant = ((await admin("/keys", { tenant: "other", role: "tenant" })).body as { key: string }).key;
});
afterAll(() => gateway.stop());

function admin(path: string, body: object): Promise<ApiResponse> {
  const headers = { "x-api-key": gateway.adminKey, "content-type": "application/json" };
  return request(`${new URL(gateway.telegram[0] ?? "").origin}/admin${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

interface Group {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly picture: string;
}

type Person = Readonly<Record<string, string>>;

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  let alice: Caller;
  let bob: Caller;
  let grace: Caller;
  const people = {} as Record<"bob" | "grace" | "shy" | "nobody", Person>;
  beforeAll(async () => {
    side = new BobSide(gateway, underTest);
    alice = await loggedIn(gateway, "alice", platform);
    bob = await loggedIn(gateway, "bob", platform);
    grace = await loggedIn(gateway, "grace", platform);
    expect(await side.post("/accounts", { account: "shy", contacts: 0, groups: 0, channels: 0 })).toMatchObject({ status: 200 });
    await side.post("/phone/settings", {
      account: "shy",
      ...(platform === "telegram" ? { contactsInvite: true } : { groupAdd: "contacts" }),
    });
    for (const name of ["bob", "grace", "shy"] as const) people[name] = { phone: await side.phoneOf(name) };
    people.nobody = { phone: "99900000001" };
  });

  const created = async (name: string, ...members: Person[]): Promise<Group & { readonly refused: unknown[] }> => {
    const { status, body } = await alice.send("POST", "/group", { name, members });
    expect([status, body]).toEqual([200, expect.objectContaining({ name }) as unknown]);
    return body as Group & { readonly refused: unknown[] };
  };
  const groupsOf = async (caller: Caller): Promise<Group[]> => ((await caller.get("/group")).body as { docs: Group[] }).docs;
  const groupOf = async (caller: Caller, id: string): Promise<Group | undefined> => (await groupsOf(caller)).find((one) => one.id === id);
  const membersOf = async (caller: Caller, id: string): Promise<string[]> => {
    const { body } = await caller.get(`/group/member?groupId=${encodeURIComponent(id)}`);
    return (body as { docs: { phone: string }[] }).docs.map(({ phone }) => phone);
  };
  const phone = (person: Person): string => String(person["phone"]);
  const result = (person: Person, code = 200): object => ({
    ...person,
    code,
    reason: code === 200 ? "" : (expect.stringMatching(new RegExp(`^${code}: \\S`)) as string),
  });
  const query = (group: string, ...members: Person[]): string =>
    new URLSearchParams([["group", group], ...members.flatMap((one) => Object.entries(one))]).toString();
  const refusal = expect.stringMatching(/^4\d\d: \S/) as string;

  it("creates a group that its members see, and names the people who were not added", async () => {
    const group = await created("Tea party", people.bob, people.shy, people.nobody);
    expect(group).toMatchObject({ name: "Tea party", description: "", picture: "", created: expect.stringMatching(/Z$/) as string });
    const code = platform === "telegram" ? 400 : 404;
    expect(group.refused).toEqual([result(people.shy, 403), result(people.nobody, code)]);
    expect(await groupOf(bob, group.id)).toMatchObject({ name: "Tea party" });
    const { status, body } = await alice.get(`/group/${encodeURIComponent(group.id)}`);
    expect([status, body]).toEqual([200, expect.objectContaining({ id: group.id, name: "Tea party" }) as unknown]);
  });

  it("sends messages to a new group, and to people who were added later", async () => {
    const { id } = await created("Letters", people.bob);
    await side.receives(alice, "alice", `to two ${randomUUID()}`, { group: id });
    expect(await alice.send("POST", "/group/member", { group: id, members: [people.grace] })).toMatchObject({ status: 200 });
    await side.receives(alice, "alice", `to three ${randomUUID()}`, { group: id });
    await side.receives(grace, "grace", `from the third ${randomUUID()}`, { group: id });
  });

  it("adds and removes members, with an answer about each", async () => {
    const { id } = await created("Choir", people.bob);
    const added = await alice.send("POST", "/group/member", { group: id, members: [people.grace, people.bob, people.shy] });
    const known = platform === "telegram" ? 400 : 409;
    expect([added.status, added.body]).toEqual([200, { docs: [result(people.grace), result(people.bob, known), result(people.shy, 403)] }]);
    expect(await membersOf(alice, id)).toEqual(expect.arrayContaining([phone(people.bob), phone(people.grace)]));
    const removed = await alice.send("DELETE", `/group/member?${query(id, people.bob, people.shy)}`);
    const absent = platform === "telegram" ? 400 : 404;
    expect([removed.status, removed.body]).toEqual([200, { docs: [result(people.bob), result(people.shy, absent)] }]);
    expect(await membersOf(alice, id)).not.toContain(phone(people.bob));
    expect(await groupOf(bob, id)).toBeUndefined();
  });

  it("lets only administrators change a locked group, and appoints and dismisses them", async () => {
    const { id } = await created("Board", people.bob);
    const path = `/group/${encodeURIComponent(id)}`;
    expect(await alice.send("PATCH", path, { settings: { locked: true, announce: true } })).toMatchObject({ status: 200 });
    expect(await bob.send("PATCH", path, { name: "Bob's board" })).toMatchObject({ status: 500, body: { message: refusal } });
    const appointed = await alice.send("POST", "/group/admin", { group: id, members: [people.bob, people.grace] });
    const absent = platform === "telegram" ? 400 : 404;
    expect([appointed.status, appointed.body]).toEqual([200, { docs: [result(people.bob), result(people.grace, absent)] }]);
    expect(await bob.send("PATCH", path, { name: "Bob's board" })).toMatchObject({ status: 200, body: { id, name: "Bob's board" } });
    const dismissed = await alice.send("DELETE", `/group/admin?${query(id, people.bob)}`);
    expect([dismissed.status, dismissed.body]).toEqual([200, { docs: [result(people.bob)] }]);
    expect(await bob.send("PATCH", path, { name: "Mine" })).toMatchObject({ status: 500, body: { message: refusal } });
    expect(await groupOf(alice, id)).toMatchObject({ name: "Bob's board" });
  });

  it("changes name, description and picture, and clears what is empty", async () => {
    const { id } = await created("Draft", people.bob);
    const path = `/group/${encodeURIComponent(id)}`;
    const picture = side.fileUrl("photo.jpg");
    const changed = await alice.send("PATCH", path, { name: "Final", description: "All of it", picture });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ id, name: "Final", description: "All of it", picture: expect.stringMatching(/\S/) as string }) as unknown,
    ]);
    expect(await groupOf(bob, id)).toMatchObject({
      name: "Final",
      description: "All of it",
      picture: expect.stringMatching(/\S/) as string,
    });
    const again = await alice.send("PATCH", path, { name: "Final", description: "All of it" });
    expect(again).toMatchObject({ status: 200, body: { name: "Final" } });
    const cleared = await alice.send("PATCH", path, { description: "", picture: "" });
    expect(cleared).toMatchObject({ status: 200, body: { id, name: "Final", description: "", picture: "" } });
  });

  it.each([
    ["cannot be downloaded", "none.jpg", /^error parser file from url 404/],
    ["is no picture", "document.pdf", /^error compress image: unsupported image format/],
  ])("changes nothing if the picture %s", async (_, file, message) => {
    const { id } = await created("Still", people.bob);
    const changes = { name: "Moved", picture: side.fileUrl(file) };
    const response = await alice.send("PATCH", `/group/${encodeURIComponent(id)}`, changes);
    expect(response).toMatchObject({ status: 500, body: { message: expect.stringMatching(message) as string } });
    expect(await groupOf(alice, id)).toMatchObject({ name: "Still" });
  });

  it("changes every setting, as members notice it", async () => {
    const { id } = await created("Rules", people.bob);
    const path = `/group/${encodeURIComponent(id)}`;
    const set = async (settings: object): Promise<void> =>
      expect(await alice.send("PATCH", path, { settings })).toMatchObject({ status: 200 });
    const text = { group: id, type: "text", text: "may I?" };
    await set({ announce: true });
    if (platform === "telegram") expect(await bob.send("POST", "/message", text)).toMatchObject({ status: 500 });
    await set({ announce: false, memberAdd: true, ephemeral: 86_400 });
    expect(await bob.send("POST", "/message", text)).toMatchObject({ status: 200 });
    const members = [people.grace];
    const added = await bob.send("POST", "/group/member", { group: id, members });
    expect([added.status, added.body]).toEqual([200, { docs: [result(people.grace)] }]);
    await set({ memberAdd: false, ephemeral: 0 });
    expect(await bob.send("POST", "/group/member", { group: id, members })).toMatchObject({ status: 500, body: { message: refusal } });
  });

  it("joins by the link, which may be replaced, and leaves again", async () => {
    const { id } = await created("Open house", people.bob);
    const path = `/group/invite?group=${encodeURIComponent(id)}`;
    const first = ((await alice.get(path)).body as { link: string }).link;
    expect(first).toMatch(platform === "telegram" ? /^https:\/\/t\.me\/\+[\w-]{16}$/ : /^https:\/\/chat\.whatsapp\.com\/[\w-]{22}$/);
    expect((await alice.get(path)).body).toEqual({ link: first });
    expect(await bob.get(path)).toMatchObject({ status: 500, body: { message: refusal } });
    const replaced = await alice.send("DELETE", path);
    const { link } = replaced.body as { link: string };
    expect([replaced.status, link === first]).toEqual([200, false]);
    expect(await grace.send("POST", "/group/join", { link: first })).toMatchObject({ status: 500, body: { message: refusal } });
    for (const form of [link, link.split(/[/+]/).at(-1)]) {
      const joined = await grace.send("POST", "/group/join", { link: form });
      expect(joined).toMatchObject({ status: 200, body: { id, name: "Open house", pending: false } });
    }
    expect(await membersOf(alice, id)).toContain(phone(people.grace));
    const left = await grace.send("POST", "/group/leave", { group: id });
    expect([left.status, left.body]).toEqual([200, { id }]);
    expect(await groupOf(grace, id)).toBeUndefined();
    expect(await grace.send("POST", "/group/leave", { group: id })).toMatchObject({
      status: platform === "telegram" ? 400 : 500,
      body: { message: platform === "telegram" ? "group not found" : refusal },
    });
  });

  it("tells that an administrator must approve first", async () => {
    const { id } = await created("By approval", people.bob);
    const { link } = (await alice.get(`/group/invite?group=${encodeURIComponent(id)}`)).body as { link: string };
    if (platform === "telegram")
      await side.fault({
        account: "grace",
        kind: "error",
        method: "messages.importChatInvite",
        error: "400 INVITE_REQUEST_SENT",
        times: 1,
      });
    else expect(await alice.send("PATCH", `/group/${id}`, { settings: { approval: true } })).toMatchObject({ status: 200 });
    const joined = await grace.send("POST", "/group/join", { link });
    expect(joined).toMatchObject({ status: 200, body: { name: "By approval", pending: true } });
    expect(await groupOf(grace, id)).toBeUndefined();
  });

  it("creates one group for one idempotency key, at every router, and another body is 422", async () => {
    const name = `Once ${randomUUID()}`;
    const key = { "idempotency-key": randomUUID() };
    const body = { name, members: [people.bob] };
    const ask = (router: number, of: object = body): ReturnType<typeof sendTo> =>
      sendTo(gateway[platform][router] ?? "", "POST /group", { ...credentialsOf(alice), ...key }, of);
    const first = await ask(0);
    expect(first).toMatchObject({ status: 200 });
    for (const router of [0, 1]) expect(await ask(router)).toEqual(first);
    expect(await ask(1, { ...body, name: "Twice" })).toEqual(
      error({ status: 422, message: "idempotency key was used for another request" }),
    );
    expect((await groupsOf(alice)).filter((group) => group.name === name)).toHaveLength(1);
  });

  it("creates no second group when the platform's response is lost", async () => {
    const name = `Lost ${randomUUID()}`;
    const key = { "idempotency-key": randomUUID() };
    const body = { name, members: [people.bob] };
    const method = platform === "telegram" ? "messages.createChat" : "iq w:g2 create";
    await side.fault({ account: "alice", kind: "lost-ack", method, times: 1 });
    const first = await alice.send("POST", "/group", body, key);
    expect(first).toMatchObject({ status: 500, body: { message: "internal server error" } });
    await eventually("alice's next connection", async () => (await alice.record()).isConnected);
    expect(await alice.send("POST", "/group", body, key)).toMatchObject({ status: 500, body: { message: "internal server error" } });
    expect((await groupsOf(alice)).filter((group) => group.name === name)).toHaveLength(1);
  });

  it("adds and removes a member once, although the platform's response is lost", async () => {
    const { id } = await created("Losses", people.bob);
    await side.fault({
      account: "alice",
      kind: "lost-ack",
      method: platform === "telegram" ? "messages.addChatUser" : "iq w:g2 add",
      times: 1,
    });
    const added = await alice.send("POST", "/group/member", { group: id, members: [people.grace] });
    expect([added.status, added.body]).toEqual([200, { docs: [result(people.grace)] }]);
    const method = platform === "telegram" ? "messages.deleteChatUser" : "iq w:g2 remove";
    await side.fault({ account: "alice", kind: "lost-ack", method, times: 1 });
    const removed = await alice.send("DELETE", `/group/member?${query(id, people.grace)}`);
    expect([removed.status, removed.body]).toEqual([200, { docs: [result(people.grace)] }]);
    expect(await membersOf(alice, id)).not.toContain(phone(people.grace));
  });

  it("of an unknown group, and with an unknown session, another tenant's key or no connection, is refused", async () => {
    const group = platform === "telegram" ? "-4699999999" : "120363999999999999@g.us";
    const missing = platform === "telegram" ? "chat not found" : "group not found";
    const encoded = encodeURIComponent(group);
    const calls: readonly (readonly [route: string, body?: object])[] = [
      [`PATCH /group/${encoded}`, { name: "x" }],
      ["POST /group/member", { group, members: [people.bob] }],
      [`DELETE /group/member?${query(group, people.bob)}`],
      ["POST /group/admin", { group, members: [people.bob] }],
      [`DELETE /group/admin?${query(group, people.bob)}`],
      [`GET /group/invite?group=${encoded}`],
      [`DELETE /group/invite?group=${encoded}`],
      ["POST /group/leave", { group }],
    ];
    const base = gateway[platform][0] ?? "";
    const waiting = await createSession(gateway, platform);
    for (const [route, body] of [...calls, ["POST /group", { name: "x", members: [people.bob] }] as const]) {
      const { id } = alice.credentials;
      for (const headers of [
        { ...credentialsOf(alice), id: newSessionId(Date.now()) },
        { id, "x-api-key": otherTenant },
      ])
        expect([route, await sendTo(base, route, headers, body)]).toEqual([route, error(sessionNotFound)]);
      expect([route, await sendTo(base, route, credentialsOf(waiting), body)]).toEqual([route, error(notConnected)]);
    }
    for (const [route, body] of calls)
      expect([route, (await sendTo(base, route, credentialsOf(alice), body)).body]).toMatchObject([route, { message: missing }]);
  });
});
