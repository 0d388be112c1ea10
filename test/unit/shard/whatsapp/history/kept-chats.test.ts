import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../../../../../shard/session/session-context.js";
import { comparePositions, KeptChats, type KeptChat } from "../../../../../shard/whatsapp/history/kept-chats.js";

const ann = { id: "1@lid", name: "Ann", lid: "1@lid", phone: "15550000001" };
const annByPhone = { id: "15550000001@s.whatsapp.net", phone: "15550000001" };
const bob = { id: "2@lid", lid: "2@lid" };
const group = { id: "9@g.us", name: "Family" };
const created = "2026-01-01T00:00:00.000Z";

/** Entries with ids and positions by their places. */
function chatsOf(...entries: [type: string, data: object, id?: string][]): KeptChats {
  return new KeptChats(entries.map(([type, data, id], at): HistoryEntry => ({ at: `${100 + at}-0`, id: id ?? `e${at}`, type, data })));
}
const message = (id: string, fields: object = {}): [string, object] => ["message.new", { id, chat: ann, text: id, created, ...fields }];
const texts = (chat: KeptChat | undefined): string[] | undefined => chat?.messages.map(({ message: { text } }) => text);

describe("messages", () => {
  it("have all fields of the event", () => {
    const [kept] = chatsOf(message("a", { poll: { options: ["x"] }, location: { latitude: 1 } })).all();
    expect(kept?.messages[0]?.message).toEqual({
      ...{ id: "a", chat: { ...ann, username: "", thumbnail: "" }, fromMe: false, created, edited: "", type: "other", text: "a" },
      ...{ entities: [], mentions: [], albumId: "", replyTo: "", forwarded: false, viewOnce: false, url: "", thumbnail: "", mimetype: "" },
      ...{ name: "", size: 0, duration: 0, width: 0, height: 0, voice: false, round: false, animation: false, title: "", performer: "" },
      poll: { options: ["x"], multiple: false },
      location: { latitude: 1, longitude: 0, name: "", address: "" },
    });
  });

  it("are each there once, also after a repeated write", () => {
    expect(texts(chatsOf(message("a"), message("a"), [...message("b"), "twice"], [...message("c"), "twice"]).find(ann.id))).toEqual([
      "a",
      "b",
    ]);
  });

  it("are changed by their author alone, at their places and with their time", () => {
    const edit = (fields: object): [string, object] => [
      "message.edited",
      { id: "a", chat: ann, text: "a!", created: "2027", edited: "2027", ...fields },
    ];
    const kept = chatsOf(message("a"), message("b"), edit({}), edit({ fromMe: true, text: "mine" }), edit({ id: "unknown" })).find(ann.id);
    expect(kept?.messages.map(({ at, message: one }) => [at, one.text, one.created, one.edited])).toEqual([
      ["100-0", "a!", created, "2027"],
      ["101-0", "b", created, ""],
    ]);
  });

  it("of different people in a group may have the same id", () => {
    const from = (author: object, text: string, type = "group.message.new"): [string, object] => [
      type,
      { id: "a", chat: group, author, text, created },
    ];
    const kept = chatsOf(from(ann, "hers"), from(bob, "his"), from(bob, "his!", "group.message.edited")).find(group.id);
    expect(texts(kept)).toEqual(["hers", "his!"]);
  });

  it("that were deleted or refused are not there, and a chat without messages is none", () => {
    const chats = chatsOf(
      message("a"),
      message("b"),
      [...message("c", { fromMe: true }), "refused"],
      ["message.deleted", { chat: annByPhone, ids: ["a"] }],
      ["message.taken-back", { id: "refused" }],
      ["message.new", { id: "d", chat: bob, created }],
      ["message.deleted", { chat: bob, ids: ["d"] }],
    );
    expect(chats.all().map((chat) => texts(chat))).toEqual([["b"]]);
    expect(chats.find(bob.id)).toBeUndefined();
  });

  it("of the account are not deleted by others who claim to have written them", () => {
    const chats = chatsOf(
      message("a", { fromMe: true }),
      message("b"),
      message("c", { fromMe: true }),
      ["message.deleted", { chat: ann, ids: ["a"], ofAuthor: true }],
      ["message.deleted", { chat: ann, ids: ["b"], ofAuthor: true }],
      ["message.deleted", { chat: ann, ids: ["c"], ofAuthor: true, fromMe: true }],
    );
    expect(texts(chats.find(ann.id))).toEqual(["a"]);
  });

  it("of a group are deleted by their author and by administrators, not by a member who claims to be the author", () => {
    const from = (author: object, id: string): [string, object] => ["group.message.new", { id, chat: group, author, text: id, created }];
    const deletion = (author: object, ...ids: string[]): [string, object] => [
      "group.message.deleted",
      { chat: group, author, ids, ofAuthor: true },
    ];
    const chats = chatsOf(...[from(ann, "a"), from(ann, "b"), from(ann, "c"), deletion(bob, "a"), deletion(annByPhone, "b")], [
      "group.message.deleted",
      { chat: group, author: bob, ids: ["c"] },
    ]);
    expect(texts(chats.find(group.id))).toEqual(["a"]);
  });

  it("a deletion that was refused deletes nothing", () => {
    const chats = chatsOf(
      message("a"),
      ["message.deleted", { chat: ann, ids: ["a"] }, "refused"],
      ["message.taken-back", { id: "refused" }],
    );
    expect(texts(chats.find(ann.id))).toEqual(["a"]);
  });

  it("entries of other types and forms are ignored", () => {
    expect(chatsOf(["message.future", { chat: ann }], ["message.new", { id: 5 }], ["message.deleted", { ids: "a" }]).all()).toEqual([]);
  });
});

describe("chats", () => {
  it("of one person by number and by anonymous id are one", () => {
    const chats = chatsOf(message("a", { chat: annByPhone, fromMe: true }), message("b"));
    expect(chats.all()).toMatchObject([{ chat: { id: ann.id, name: "Ann", phone: "15550000001" }, unread: 1 }]);
    for (const jid of [ann.id, annByPhone.id]) expect(texts(chats.find(jid))).toEqual(["a", "b"]);
  });

  it("know what earlier messages knew of them", () => {
    const [kept] = chatsOf(message("a"), message("b", { chat: annByPhone })).all();
    expect(kept?.chat).toMatchObject({ id: annByPhone.id, name: "Ann", lid: "1@lid" });
  });

  it("are listed by their newest messages, and an edit moves none", () => {
    const chats = chatsOf(message("a"), message("b", { chat: bob }), ["message.edited", { id: "a", chat: ann, text: "a!", created }]);
    expect(chats.all().map(({ chat }) => chat.id)).toEqual([bob.id, ann.id]);
  });

  it("positions are compared as numbers", () => {
    expect([comparePositions("9-0", "10-0"), comparePositions("10-2", "10-10"), comparePositions("10-0", "10-0")].map(Math.sign)).toEqual([
      -1, -1, 0,
    ]);
  });
});

describe("unread messages", () => {
  const read = (until: string): [string, object] => ["message.read", { chat: ann, until, ids: [until], by: "me" }];
  const unread = (...entries: [string, object][]): number | undefined => chatsOf(...entries).find(ann.id)?.unread;

  it("are those of others after the account's last message or read mark", () => {
    expect(unread(message("a"), message("b"))).toBe(2);
    expect(unread(message("a"), message("b", { fromMe: true }), message("c"))).toBe(1);
    expect(unread(message("a"), read("a"), message("b"))).toBe(1);
  });

  it("a mark counts up to its message, and an older one changes nothing", () => {
    expect(unread(message("a"), message("b"), read("a"))).toBe(1);
    expect(unread(message("a"), message("b"), read("b"), read("a"))).toBe(0);
    expect(unread(message("a"), read("of before"))).toBe(0);
  });
});
