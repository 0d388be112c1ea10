import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { eventually } from "../../harness/eventually.js";
import { WebhookReceiver } from "../../harness/webhook-receiver.js";
import { WhatsAppSide } from "../../harness/whatsapp-side.js";
import { sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import { personOf } from "../../sandbox/whatsapp/world/person.js";

/** Changes of groups that only variant A has. What both platforms do is in the conformance tests. */
let gateway: TestCluster;
let platform: WhatsAppSide;
let alice: Caller;
let phone: string;
beforeAll(async () => {
  gateway = await startCluster();
  platform = new WhatsAppSide(gateway);
  alice = await loggedIn(gateway, "alice", "whatsapp");
  phone = await platform.phoneOf("grace");
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const add = (group: string, ...members: object[]): Promise<ApiResponse> => alice.send("POST", "/group/member", { group, members });
const remove = (group: string, query: Record<string, string>): Promise<ApiResponse> =>
  alice.send("DELETE", `/group/member?${new URLSearchParams({ group, ...query }).toString()}`);
const error = (message: RegExp): object => ({ status: 500, body: { message: expect.stringMatching(message) as string } });

describe.each([
  ["that lists numbers", () => Promise.resolve(sharedGroups.family)],
  ["that lists anonymous ids", () => created()],
])("a group %s", (_, groupOf) => {
  it("takes and loses a member by number, by id and by anonymous id", async () => {
    const group = await groupOf();
    for (const person of [{ phone }, { user: `${phone}@s.whatsapp.net` }, { user: `${personOf(phone).lid}@lid` }]) {
      await remove(group, { phone });
      const done = { docs: [{ ...person, code: 200, reason: "" }] };
      expect((await add(group, person)).body).toEqual(done);
      expect((await remove(group, person as Record<string, string>)).body).toEqual(done);
    }
  });
});

async function created(): Promise<string> {
  const { body } = await alice.send("POST", "/group", { name: "Small", members: [{ phone: await platform.phoneOf("bob") }] });
  return (body as { id: string }).id;
}

it.each([
  ["a group that the account is not in", sharedGroups.foreign, /^403: /],
  ["a group whose administrator it is not", sharedGroups.announcements, /^403: /],
  ["an unknown group", "120363999999999999@g.us", /^group not found$/],
])("refuses to change %s", async (_, group, message) => {
  expect(await add(group, { phone })).toMatchObject(error(message));
  expect(await alice.send("PATCH", `/group/${group}`, { settings: { announce: true } })).toMatchObject(error(message));
});

it.each([
  ["an unknown code", "AAAAAAAAAAAAAAAAAAAAAA", /^406: /],
  ["the link of a group that was never there", "https://chat.whatsapp.com/BBBBBBBBBBBBBBBBBBBBBB?mode=ac_t", /^406: /],
])("joins by no link with %s", async (_, link, message) => {
  expect(await alice.send("POST", "/group/join", { link })).toMatchObject(error(message));
});

it("replaces a description that somebody changed meanwhile", async () => {
  const path = `/group/${await created()}`;
  for (const description of ["first", "second", "", "third"])
    expect(await alice.send("PATCH", path, { description })).toMatchObject({ status: 200, body: { description } });
});

it("tells the account's own change to its webhook, if it lists the type", async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const group = await created();
    await alice.send("PUT", "/session/webhook", { url: receiver.url, token: "t", events: ["group.changed"] });
    expect((await add(group, { phone })).status).toBe(200);
    const event = await eventually("the event", () => receiver.taken[0]);
    expect(JSON.parse(event.body.toString())).toMatchObject({ type: "group.changed" });
  } finally {
    await alice.send("PUT", "/session/webhook", { url: "", token: "" });
    await receiver.stop();
  }
});
