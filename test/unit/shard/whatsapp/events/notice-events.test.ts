import type { BinaryNode } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { NoticeEvents } from "../../../../../shard/whatsapp/events/notice-events.js";
import { all, ann, at, bob, group, me, node, session, somePeople } from "./events-under-test.js";

const notices = new NoticeEvents(session, somePeople(), false);
const created = new Date(at * 1_000).toISOString();
const list = (ids: readonly string[]): BinaryNode[] => [
  node(
    "list",
    {},
    ids.map((id) => node("item", { id })),
  ),
];
const receipt = (attrs: BinaryNode["attrs"], content?: BinaryNode[]): BinaryNode =>
  node("receipt", { from: ann, id: "M1", t: String(at), ...attrs }, content);
const ofReceipt = async (attrs: BinaryNode["attrs"], content?: BinaryNode[]) => await notices.ofReceipt(receipt(attrs, content), me, all);

describe("a receipt", () => {
  it("of the other person says that messages were read or delivered", async () => {
    expect(await ofReceipt({ type: "read", from: "15550000002:7@s.whatsapp.net" }, list(["M2", "M3"]))).toMatchObject([
      { type: "message.read", created, data: { chat: { id: ann }, ids: ["M1", "M2", "M3"], until: "M3", by: "them" } },
    ]);
    expect(await ofReceipt({})).toMatchObject([{ type: "message.delivered", data: { chat: { id: ann }, ids: ["M1"] } }]);
    expect(await ofReceipt({ type: "inactive" })).toMatchObject([{ type: "message.delivered" }]);
  });

  it.each(["read", "read-self"])("of the account's other device says what the account has read: %s", async (type) => {
    expect(await ofReceipt({ type, from: me.lid, recipient: bob })).toMatchObject([
      { type: "message.read", data: { chat: { id: bob }, by: "me", until: "M1" } },
    ]);
  });

  it.each<[string, BinaryNode["attrs"]]>([
    ["of a group", { from: group, participant: ann, type: "read" }],
    ["of a status", { from: "status@broadcast", participant: ann, type: "read" }],
    ["with a participant", { participant: ann, type: "read" }],
    ["that requests a message again", { type: "retry" }],
    ["of the account without a recipient", { from: me.id, type: "read" }],
    ["of the account's device", { from: me.id, recipient: bob }],
    ["by which somebody else claims to be the account", { from: ann, recipient: bob, type: "read-self" }],
    ["without an id", { id: "", type: "read" }],
    ["without a sender", { from: "", type: "read" }],
    ["of an unknown type", { type: "constructor" }],
  ])("%s has no event", async (_, attrs) => {
    expect(await ofReceipt(attrs)).toEqual([]);
  });

  it("has no event that the receiver does not get", async () => {
    expect(await notices.ofReceipt(receipt({}), me, new Set(["message.read"]))).toEqual([]);
    expect(await notices.ofReceipt(receipt({ type: "read" }), me, new Set(["message.delivered"]))).toEqual([]);
  });

  it("of a second device has the same id, another one has not", async () => {
    const id = async (attrs: BinaryNode["attrs"]): Promise<string | undefined> => (await ofReceipt(attrs))[0]?.id;
    expect(await id({ from: "15550000002:7@s.whatsapp.net", t: "1" })).toBe(await id({}));
    expect(await id({ type: "read" })).not.toBe(await id({}));
  });

  it("with a huge list, items without ids, another child first and a wrong time is read all the same", async () => {
    const ids = Array.from({ length: 60_000 }, (_, index) => `M${index}`);
    const [event] = await ofReceipt({ type: "read", t: "soon" }, [node("biz", {}), ...list(ids)]);
    expect((event?.data as { ids: string[] }).ids).toHaveLength(5_001);
    expect(Math.abs(Date.parse(event?.created ?? "") - Date.now())).toBeLessThan(5_000);
    const empty = [node("list", {}, [node("item", {}), node("item", { id: "M2" })])];
    expect(await ofReceipt({ type: "read" }, empty)).toMatchObject([{ data: { ids: ["M1", "M2"] } }]);
  });
});

describe("a notification of a group", () => {
  const notice = (changes: BinaryNode[], attrs: BinaryNode["attrs"] = {}): BinaryNode =>
    node("notification", { from: group, id: "N1", t: String(at), type: "w:gp2", participant: bob, ...attrs }, changes);
  const participants = (...jids: string[]): BinaryNode[] => jids.map((jid) => node("participant", { jid }));

  it("has an event for each change", async () => {
    const changes = [node("subject", { subject: "New" }), node("add", {}, participants(ann, bob))];
    const events = await notices.ofGroupNotice(notice(changes, { participant_pn: "15550000003@s.whatsapp.net" }), all);
    expect(events).toMatchObject([
      { type: "group.changed", created, data: { chat: { id: group }, author: { id: bob, phone: "15550000003" }, change: "subject" } },
      { data: { change: "add", members: [ann, bob], value: "" } },
    ]);
    expect(events[0]?.data).toMatchObject({ members: [], value: "New" });
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it.each<[BinaryNode, string]>([
    [node("description", {}, [node("body", {}, Buffer.from("a text"))]), "a text"],
    [node("description", {}, [node("body", {}, "a text")]), "a text"],
    [node("description", {}, [node("body", {}, [node("x", {})])]), ""],
    [node("ephemeral", { expiration: "86400" }), "86400"],
    [node("invite", { code: "AbC" }), "AbC"],
    [node("locked", {}), ""],
  ])("has the new value: %#", async (change, value) => {
    expect(await notices.ofGroupNotice(notice([change]), all)).toMatchObject([{ data: { value } }]);
  });

  it("by nobody has an author without an id", async () => {
    const { participant: _, ...attrs } = notice([]).attrs;
    expect(await notices.ofGroupNotice(node("notification", attrs, [node("delete", {})]), all)).toMatchObject([
      { data: { author: { id: "", name: "" }, change: "delete" } },
    ]);
  });

  it("is bounded, and has no event that the receiver does not get", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${index}@lid`);
    const events = await notices.ofGroupNotice(notice(many.map(() => node("add", {}, participants(...many.slice(0, 3))))), all);
    expect(events).toHaveLength(100);
    const [event] = await notices.ofGroupNotice(notice([node("add", {}, participants(...many))]), all);
    expect((event?.data as { members: string[] }).members).toHaveLength(5_000);
    expect(await notices.ofGroupNotice(notice([node("locked", {})]), new Set(["message.new"]))).toEqual([]);
    expect(await notices.ofGroupNotice(node("notification", { from: group }), all)).toEqual([]);
  });
});

describe("a call", () => {
  const call = (...content: BinaryNode[]): BinaryNode => node("call", { from: "15550000002:7@s.whatsapp.net", t: String(at) }, content);

  it("has an event when it is offered", async () => {
    const offer = node("offer", { "call-id": "C1", "call-creator": "900000000000003:7@lid", caller_pn: ann }, [node("video", {})]);
    expect(await notices.ofCall(call(offer), all)).toMatchObject([
      { type: "call.offered", created, data: { id: "C1", chat: { id: bob, phone: "15550000002" }, video: true, group: "" } },
    ]);
    expect(await notices.ofCall(call(node("offer", { "call-id": "C1", "group-jid": group })), all)).toMatchObject([
      { data: { chat: { id: ann }, video: false, group } },
    ]);
  });

  it("has none when it ends, or when the receiver does not get it", async () => {
    expect(await notices.ofCall(call(node("terminate", { "call-id": "C1" })), all)).toEqual([]);
    expect(await notices.ofCall(call(node("offer", { "call-id": "C1" })), new Set())).toEqual([]);
    expect(await notices.ofCall(node("call", {}, [node("offer", {})]), all)).toMatchObject([{ data: { id: "", chat: { id: "" } } }]);
  });
});

describe("a refusal", () => {
  it("has an event with the platform's code", async () => {
    const refused = node("ack", { from: ann, id: "M1", error: "463", t: String(at) });
    expect(await notices.ofRefusal(refused, all)).toMatchObject([
      { type: "message.failed", created, data: { chat: { id: ann }, id: "M1", code: "463" } },
    ]);
    expect(await notices.ofRefusal(refused, new Set())).toEqual([]);
    expect(await notices.ofRefusal(node("ack", { from: group, id: "M1", error: "420" }), all)).toMatchObject([
      { data: { chat: { id: group, name: "Family" } } },
    ]);
    expect(await notices.ofRefusal(node("ack", { from: ann, id: "M1" }), all)).toEqual([]);
  });
});
