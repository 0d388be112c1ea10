import { describe, expect, it } from "vitest";
import { readStanza } from "../../../../../shard/whatsapp/events/incoming-stanza.js";
import { ann, at, bob, channel, group, me, messageNode } from "./events-under-test.js";

describe("the address of a message", () => {
  it("of a private chat names the person without the device", () => {
    const node = messageNode({ from: "900000000000003:7@lid", notify: "Bob", sender_pn: "15550000003@s.whatsapp.net" });
    expect(readStanza(node, me)).toEqual({
      kind: "private",
      id: "M1",
      chat: bob,
      author: bob,
      fromMe: false,
      at,
      pushName: "Bob",
      otherJid: "15550000003@s.whatsapp.net",
      username: "",
    });
  });

  it.each([
    ["8", true],
    ["7", undefined],
  ])("of a deletion says whether the platform checked an administrator's right: %s", (edit, asAdmin) => {
    expect(readStanza(messageNode({ from: group, participant: bob, edit }), me)?.asAdmin).toBe(asAdmin);
  });

  it.each([me.id, me.lid])("of the account's other device names the recipient: %s", (from) => {
    const node = messageNode({ from, recipient: bob, notify: "Me", peer_recipient_pn: "15550000003@s.whatsapp.net" });
    expect(readStanza(node, me)).toMatchObject({
      kind: "private",
      chat: bob,
      fromMe: true,
      pushName: "",
      otherJid: "15550000003@s.whatsapp.net",
    });
  });

  it("of a group names the author", () => {
    const node = messageNode({ from: group, participant: "900000000000003:7@lid", participant_pn: "15550000003:7@s.whatsapp.net" });
    expect(readStanza(node, me)).toMatchObject({
      kind: "group",
      chat: group,
      author: bob,
      fromMe: false,
      otherJid: "15550000003@s.whatsapp.net",
    });
    expect(readStanza(messageNode({ from: group, participant: me.lid }), me)).toMatchObject({ fromMe: true });
  });

  it("of a channel's post names the channel", () => {
    expect(readStanza(messageNode({ from: channel }), me)).toMatchObject({ kind: "channel", chat: channel, fromMe: false });
  });

  it("of a broadcast list is a private chat with its author, unless the account wrote it", () => {
    expect(readStanza(messageNode({ from: "1@broadcast", participant: ann }), me)).toMatchObject({
      kind: "private",
      chat: ann,
      author: ann,
    });
    expect(readStanza(messageNode({ from: "1@broadcast", participant: me.id }), me)).toBeUndefined();
  });

  it("of a business' hosted device is that of the business", () => {
    expect(readStanza(messageNode({ from: "15550000002:99@hosted" }), me)).toMatchObject({ kind: "private", chat: ann, author: ann });
    expect(readStanza(messageNode({ from: "900000000000003:99@hosted.lid" }), me)).toMatchObject({ chat: bob, author: bob });
  });

  it.each([
    ["a status", { from: "status@broadcast", participant: ann }],
    ["a message between the account's devices", { category: "peer", from: me.id }],
    ["a message without an id", { id: "" }],
    ["a message without a sender", { from: "" }],
    ["a group's message without an author", { from: group }],
    ["a message to a recipient by somebody else", { from: ann, recipient: bob }],
    ["an unknown server", { from: "1@call" }],
    ["no JID", { from: "hello" }],
  ])("is absent for %s", (_, attrs) => {
    expect(readStanza(messageNode(attrs), me)).toBeUndefined();
  });

  it("does not need an anonymous id of the account, nor a time", () => {
    const { t: _, ...attrs } = messageNode().attrs;
    expect(readStanza({ tag: "message", attrs }, { id: me.id, lid: "" })).toMatchObject({ chat: ann, fromMe: false, at: 0 });
    expect(readStanza(messageNode({ t: "soon" }), me)?.at).toBeNaN();
  });
});
