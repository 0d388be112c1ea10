/**
 * Groups that accounts create, change, join and leave, with the requests of Baileys (groups.js) and whatsmeow (group.go). The error codes
 * are whatsmeow's where it reads any.
 */
import { type BinaryNode, type GroupMetadata, getBinaryNodeChild, getBinaryNodeChildren } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, until } from "../../../clients/baileys-client.js";
import { sharedGroups } from "../../../whatsapp/world/seed.js";
import { WhatsAppSandbox } from "./baileys-client.js";

let sandbox: WhatsAppSandbox;
let alice: Client;
let bob: Client;
let carol: Client;

beforeAll(async () => {
  sandbox = await WhatsAppSandbox.start();
  [alice, bob, carol] = [await sandbox.linked("alice"), await sandbox.linked("bob"), await sandbox.linked("carol")];
});
afterAll(async () => {
  expect(sandbox.errors).toEqual([]);
  await sandbox.stop();
});

const person = (name: string): { phone: string; lid: string } => sandbox.whatsapp.world.account(name);
const jid = (name: string): string => `${person(name).phone}@s.whatsapp.net`;
const lid = (name: string): string => `${person(name).lid}@lid`;
const texts = (client: Client): unknown[] =>
  client.received.flatMap(({ message }) => message?.extendedTextMessage?.text ?? message?.conversation ?? []);
const audience = async (client: Client, name: string, group: string, text: string): Promise<unknown[]> =>
  [...((await sandbox.sent(client, name, group, { text }))["audience"] as unknown[])].sort();
const phones = (...names: string[]): string[] => names.map((name) => person(name).phone).sort();
const admins = ({ participants }: GroupMetadata): Record<string, unknown> =>
  Object.fromEntries(participants.map(({ id, admin }) => [id, admin ?? null]));

/** Creates Alice's group with the named people and returns its id. */
async function made(subject: string, ...names: string[]): Promise<string> {
  return (await alice.socket.groupCreate(subject, names.map(jid))).id;
}

/** Collects a client's notifications of a group from now on. */
function told(client: Client, group: string): string[] {
  const seen: string[] = [];
  const { ev } = client.socket;
  ev.on("groups.upsert", (groups) => {
    for (const one of groups) if (one.id === group) seen.push(`made ${one.subject}`);
  });
  ev.on("groups.update", (groups) => {
    for (const one of groups)
      if (one.id === group) seen.push(JSON.stringify(one.subject ?? one.desc ?? one.announce ?? one.restrict ?? one.inviteCode));
  });
  ev.on("group-participants.update", ({ id, participants, action }) => {
    if (id === group) seen.push(`${action} ${participants.map((one) => one.id).join()}`);
  });
  return seen;
}

async function ask(client: Client, type: "get" | "set", to: string, content: BinaryNode): Promise<BinaryNode> {
  const answer: unknown = await client.socket.query({ tag: "iq", attrs: { to, type, xmlns: "w:g2" }, content: [content] });
  return answer as BinaryNode;
}

describe("a group that an account makes", () => {
  it("has those in it who are named, by number or LID, is told to them, and all write to all", async () => {
    const upserts: string[] = [];
    bob.socket.ev.on("groups.upsert", (groups) => void upserts.push(...groups.map(({ id, subject }) => `${id} ${subject}`)));
    const group = await alice.socket.groupCreate("Trip 🚂", [jid("bob"), lid("carol"), "999123456789@s.whatsapp.net"]);
    expect(group).toMatchObject({ id: expect.stringMatching(/^12036340\d{10}@g\.us$/), subject: "Trip 🚂", size: 3, owner: lid("alice") });
    expect(admins(group)).toEqual({ [lid("alice")]: "superadmin", [lid("bob")]: null, [lid("carol")]: null });
    await until(() => upserts.includes(`${group.id} Trip 🚂`));
    for (const client of [bob, carol])
      expect((await client.socket.groupFetchAllParticipating())[group.id]).toMatchObject({ subject: "Trip 🚂", size: 3 });
    expect(await audience(alice, "alice", group.id, "all aboard")).toEqual(phones("alice", "bob", "carol"));
    expect(await audience(bob, "bob", group.id, "on my way")).toEqual(phones("alice", "bob", "carol"));
    await until(() => texts(bob).includes("all aboard") && texts(carol).includes("all aboard"));
    await until(() => texts(alice).includes("on my way") && texts(carol).includes("on my way"));
    await expect((await sandbox.linked("dave")).send(group.id, { text: "let me in" })).rejects.toMatchObject({ data: 403 });
  });

  it("has a name of 1 to 100 characters", async () => {
    for (const subject of ["", "x".repeat(101)]) await expect(alice.socket.groupCreate(subject, [])).rejects.toMatchObject({ data: 406 });
    expect(await alice.socket.groupCreate("🚂".repeat(100), [])).toMatchObject({ size: 1 });
  });

  it("may be asked for in whatsmeow's words: settings beside the members, no key", async () => {
    const answer = await ask(alice, "set", "@g.us", {
      tag: "create",
      attrs: { subject: "By another client" },
      content: [
        { tag: "participant", attrs: { jid: lid("bob"), phone_number: jid("bob") } },
        { tag: "member_add_mode", attrs: {}, content: Buffer.from("all_member_add") },
        { tag: "locked", attrs: {} },
        { tag: "announcement", attrs: {} },
        { tag: "ephemeral", attrs: { expiration: "0" } },
        { tag: "membership_approval_mode", attrs: {}, content: [{ tag: "group_join", attrs: { state: "off" } }] },
      ],
    });
    const group = getBinaryNodeChild(answer, "group");
    expect(getBinaryNodeChildren(group, "participant").map(({ attrs }) => attrs)).toEqual([
      { jid: lid("alice"), phone_number: jid("alice"), type: "superadmin" },
      { jid: lid("bob"), phone_number: jid("bob") },
    ]);
    const id = `${group?.attrs["id"] ?? ""}@g.us`;
    expect(await bob.socket.groupMetadata(id)).toMatchObject({ announce: true, restrict: true });
    expect((await bob.send(id, { text: "may I?" })).attrs["error"]).toBe("403");
    await expect(bob.socket.groupUpdateSubject(id, "Mine")).rejects.toMatchObject({ data: 403 });
  });
});

describe("its members", () => {
  it("are changed by administrators, each is answered for, and all hear of it", async () => {
    const group = await made("Members", "bob");
    const [atBob, atCarol] = [told(bob, group), told(carol, group)];
    await expect(bob.socket.groupParticipantsUpdate(group, [jid("carol")], "add")).rejects.toMatchObject({ data: 403 });
    const asked = [jid("carol"), lid("bob"), "999123456789@s.whatsapp.net"];
    expect((await alice.socket.groupParticipantsUpdate(group, asked, "add")).map(({ status }) => status)).toEqual(["200", "409", "404"]);
    await until(() => [atBob, atCarol].every((seen) => seen.includes(`add ${lid("carol")}`)));
    expect(await alice.socket.groupParticipantsUpdate(group, [lid("bob")], "promote")).toMatchObject([{ status: "200", jid: lid("bob") }]);
    await until(() => atCarol.includes(`promote ${lid("bob")}`));
    // The creator can be neither demoted nor removed.
    expect(await bob.socket.groupParticipantsUpdate(group, [lid("alice")], "demote")).toMatchObject([{ status: "403" }]);
    expect(await bob.socket.groupParticipantsUpdate(group, [lid("alice")], "remove")).toMatchObject([{ status: "403" }]);
    expect(admins(await carol.socket.groupMetadata(group))).toEqual({
      [lid("alice")]: "superadmin",
      [lid("bob")]: "admin",
      [lid("carol")]: null,
    });
    expect(await alice.socket.groupParticipantsUpdate(group, [lid("bob")], "demote")).toMatchObject([{ status: "200" }]);
    await expect(bob.socket.groupParticipantsUpdate(group, [lid("carol")], "remove")).rejects.toMatchObject({ data: 403 });
  });

  it("get what is written while they are in it, and nothing before and after", async () => {
    const group = await made("Come and go", "bob", "carol");
    expect(await audience(alice, "alice", group, "one")).toEqual(phones("alice", "bob", "carol"));
    const atCarol = told(carol, group);
    expect(await alice.socket.groupParticipantsUpdate(group, [jid("carol")], "remove")).toMatchObject([{ status: "200" }]);
    await until(() => atCarol.includes(`remove ${lid("carol")}`));
    expect(await audience(alice, "alice", group, "two")).toEqual(phones("alice", "bob"));
    await expect(carol.send(group, { text: "still here?" })).rejects.toMatchObject({ data: 403 });
    await expect(carol.socket.groupMetadata(group)).rejects.toMatchObject({ data: 403 });
    expect(Object.keys(await carol.socket.groupFetchAllParticipating())).not.toContain(group);
    expect(await alice.socket.groupParticipantsUpdate(group, [jid("carol")], "remove")).toMatchObject([{ status: "404" }]);
    await alice.socket.groupParticipantsUpdate(group, [jid("carol")], "add");
    expect(await audience(alice, "alice", group, "three")).toEqual(phones("alice", "bob", "carol"));
    await until(() => texts(carol).includes("three") && texts(bob).includes("two"));
    expect(texts(carol)).not.toContain("two");
  });

  it("may be of those without a phone of their own here: some leave a group of hundreds", async () => {
    const { participants, size } = await bob.socket.groupMetadata(sharedGroups.big);
    const last = participants.at(-1)?.id ?? "";
    expect(await bob.socket.groupParticipantsUpdate(sharedGroups.big, [last], "remove")).toMatchObject([{ status: "200", jid: last }]);
    const after = await bob.socket.groupMetadata(sharedGroups.big);
    expect([after.size, after.participants.length]).toEqual([(size ?? 0) - 1, participants.length - 1]);
    await bob.socket.groupParticipantsUpdate(sharedGroups.big, [last], "add");
    expect((await bob.socket.groupMetadata(sharedGroups.big)).size).toBe(size);
  });

  it("leave it by themselves; an administrator there always is", async () => {
    const group = await made("Farewell", "bob", "carol");
    const atBob = told(bob, group);
    await alice.socket.groupLeave(group);
    await until(() => atBob.includes(`remove ${lid("alice")}`));
    await expect(alice.socket.groupMetadata(group)).rejects.toMatchObject({ data: 403 });
    await expect(alice.socket.groupLeave(group)).rejects.toMatchObject({ data: 403 });
    expect(admins(await bob.socket.groupMetadata(group))).toEqual({ [lid("bob")]: "admin", [lid("carol")]: null });
    for (const client of [bob, carol]) await client.socket.groupLeave(group);
  });
});

describe("what it says of itself", () => {
  it("is changed by all in it, or by administrators alone, and told", async () => {
    const group = await made("First name", "bob");
    const atBob = told(bob, group);
    await bob.socket.groupUpdateSubject(group, "Second name");
    await bob.socket.groupUpdateDescription(group, "What it is about");
    await until(() => atBob.includes('"Second name"') && atBob.includes('"What it is about"'));
    expect(await alice.socket.groupMetadata(group)).toMatchObject({
      subject: "Second name",
      desc: "What it is about",
      descOwner: lid("bob"),
    });
    await expect(bob.socket.groupSettingUpdate(group, "locked")).rejects.toMatchObject({ data: 403 });
    await alice.socket.groupSettingUpdate(group, "locked");
    await expect(bob.socket.groupUpdateSubject(group, "Third name")).rejects.toMatchObject({ data: 403 });
    await alice.socket.groupSettingUpdate(group, "announcement");
    await until(() => atBob.filter((one) => one === "true").length === 2);
    expect((await bob.send(group, { text: "psst" })).attrs["error"]).toBe("403");
    await alice.socket.groupSettingUpdate(group, "not_announcement");
    expect((await bob.send(group, { text: "hello" })).attrs["error"]).toBeUndefined();
  });

  // group.go, SetGroupTopic: the request names the replaced description.
  it("is not replaced by who has not seen what stands there", async () => {
    const group = await made("Topics");
    const replace = (attrs: Record<string, string>, text: string): Promise<BinaryNode> =>
      ask(alice, "set", group, { tag: "description", attrs, content: [{ tag: "body", attrs: {}, content: Buffer.from(text) }] });
    await replace({ id: "AAA" }, "one");
    await expect(replace({ id: "BBB" }, "two")).rejects.toMatchObject({ data: 409 });
    await replace({ id: "BBB", prev: "AAA" }, "two");
    expect(await alice.socket.groupMetadata(group)).toMatchObject({ desc: "two", descId: "BBB" });
    await ask(alice, "set", group, { tag: "description", attrs: { delete: "true", prev: "BBB" } });
    expect((await alice.socket.groupMetadata(group)).desc).toBeUndefined();
  });
});

describe("its link", () => {
  it("is an administrator's to show, and lets in whoever has it until another takes its place", async () => {
    const group = await made("By link", "bob");
    const atBob = told(bob, group);
    await expect(bob.socket.groupInviteCode(group)).rejects.toMatchObject({ data: 401 });
    await expect(carol.socket.groupInviteCode(group)).rejects.toMatchObject({ data: 403 });
    const code = (await alice.socket.groupInviteCode(group)) ?? "";
    expect(code).toMatch(/^[\w-]{22}$/);
    expect(await carol.socket.groupGetInviteInfo(code)).toMatchObject({ id: group, subject: "By link", size: 2 });
    expect(await carol.socket.groupAcceptInvite(code)).toBe(group);
    await until(() => atBob.includes(`add ${lid("carol")}`));
    expect(await audience(alice, "alice", group, "welcome")).toEqual(phones("alice", "bob", "carol"));
    await expect(carol.socket.groupAcceptInvite(code)).rejects.toMatchObject({ data: 409 });
    const next = (await alice.socket.groupRevokeInvite(group)) ?? "";
    expect(next).not.toBe(code);
    for (const [asked, error] of [
      [code, 410],
      ["AAAAAAAAAAAAAAAAAAAAAA", 406],
    ] as const) {
      await expect(carol.socket.groupGetInviteInfo(asked)).rejects.toMatchObject({ data: error });
      await expect(carol.socket.groupAcceptInvite(asked)).rejects.toMatchObject({ data: error });
    }
    expect(await carol.socket.groupGetInviteInfo(next)).toMatchObject({ id: group });
  });
});

// group.go, SetGroupJoinApprovalMode, JoinGroupWithLink, GetGroupRequestParticipants and UpdateGroupRequestParticipants. Baileys sends the
// same requests in groups.js.
describe("a group whose administrators let people in", () => {
  const asking = async (group: string): Promise<unknown[]> =>
    (await alice.socket.groupRequestParticipantsList(group)).map(({ jid: who }) => who);

  it("has those who come by its link wait, and lets them in or not", async () => {
    const group = await made("By request", "bob");
    const atBob = told(bob, group);
    await expect(bob.socket.groupJoinApprovalMode(group, "on")).rejects.toMatchObject({ data: 403 });
    await alice.socket.groupJoinApprovalMode(group, "on");
    expect(await bob.socket.groupMetadata(group)).toMatchObject({ joinApprovalMode: true });
    const code = (await alice.socket.groupInviteCode(group)) ?? "";
    const dave = await sandbox.linked("dave");
    for (const client of [carol, dave, carol]) {
      const answer = await ask(client, "set", "@g.us", { tag: "invite", attrs: { code } });
      expect(getBinaryNodeChild(answer, "membership_approval_request")?.attrs["jid"]).toBe(group);
      expect(getBinaryNodeChild(answer, "group")).toBeUndefined();
    }
    expect((await carol.send(group, { text: "am I in?" }).catch((error: unknown) => error)) as object).toMatchObject({ data: 403 });
    await expect(bob.socket.groupRequestParticipantsList(group)).rejects.toMatchObject({ data: 403 });
    expect(await asking(group)).toEqual([lid("carol"), lid("dave")]);
    expect(await alice.socket.groupRequestParticipantsUpdate(group, [lid("carol"), lid("bob")], "approve")).toEqual([
      { status: "200", jid: lid("carol") },
      { status: "404", jid: lid("bob") },
    ]);
    await until(() => atBob.includes(`add ${lid("carol")}`));
    expect(await alice.socket.groupRequestParticipantsUpdate(group, [lid("dave")], "reject")).toEqual([
      { status: "200", jid: lid("dave") },
    ]);
    expect(await asking(group)).toEqual([]);
    expect(await audience(alice, "alice", group, "welcome, Carol")).toEqual(phones("alice", "bob", "carol"));
    // Adding a person also removes the person's join request.
    await ask(dave, "set", "@g.us", { tag: "invite", attrs: { code } });
    await alice.socket.groupParticipantsUpdate(group, [jid("dave")], "add");
    expect(await asking(group)).toEqual([]);
    await alice.socket.groupJoinApprovalMode(group, "off");
    await dave.socket.groupLeave(group);
    expect(await dave.socket.groupAcceptInvite(code)).toBe(group);
  });

  it("may be made so, and keeps who waits over a restart", async () => {
    const answer = await ask(alice, "set", "@g.us", {
      tag: "create",
      attrs: { subject: "Closed from the start" },
      content: [
        { tag: "participant", attrs: { jid: lid("bob"), phone_number: jid("bob") } },
        { tag: "membership_approval_mode", attrs: {}, content: [{ tag: "group_join", attrs: { state: "on" } }] },
      ],
    });
    const group = `${getBinaryNodeChild(answer, "group")?.attrs["id"] ?? ""}@g.us`;
    await ask(carol, "set", "@g.us", { tag: "invite", attrs: { code: (await alice.socket.groupInviteCode(group)) ?? "" } });
    for (const client of [alice, bob, carol]) client.end();
    await sandbox.restart();
    [alice, bob, carol] = [await sandbox.reconnected(alice), await sandbox.reconnected(bob), await sandbox.reconnected(carol)];
    expect(await asking(group)).toEqual([lid("carol")]);
    expect(await alice.socket.groupMetadata(group)).toMatchObject({ joinApprovalMode: true, size: 2 });
  });
});

// Last in this file: it ends all connections.
it("is there after a restart, as it was left", async () => {
  const group = await made("Kept", "bob", "carol");
  await alice.socket.groupParticipantsUpdate(group, [lid("bob")], "promote");
  await alice.socket.groupParticipantsUpdate(group, [lid("carol")], "remove");
  await alice.socket.groupUpdateSubject(sharedGroups.family, "Family, renamed");
  const link = await alice.socket.groupRevokeInvite(group);
  for (const client of [alice, bob, carol]) client.end();
  await sandbox.restart();
  alice = await sandbox.reconnected(alice);
  carol = await sandbox.reconnected(carol);
  const found = await alice.socket.groupMetadata(group);
  expect([found.subject, admins(found)]).toEqual(["Kept", { [lid("alice")]: "superadmin", [lid("bob")]: "admin" }]);
  expect(await alice.socket.groupInviteCode(group)).toBe(link);
  expect(Object.keys(await carol.socket.groupFetchAllParticipating())).not.toContain(group);
  expect(await alice.socket.groupMetadata(sharedGroups.family)).toMatchObject({ subject: "Family, renamed", size: 8 });
});
