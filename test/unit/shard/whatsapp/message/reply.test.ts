import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import type { MessageHead } from "../../../../../shard/session/message-head.js";
import { headContent } from "../../../../../shard/whatsapp/message/head-content.js";
import { contextMaker } from "../../../../../shard/whatsapp/message/message-context.js";
import { quotedBy, quoteOf, type QuoteParts, type Quoted } from "../../../../../shard/whatsapp/message/reply.js";
import { ann, at, bob, group, me } from "../events/events-under-test.js";

const own = proto.Message.encode({ documentWithCaptionMessage: { message: { documentMessage: { caption: "my file" } } } }).finish();
const parts = (jid: string): QuoteParts => ({
  jid,
  me,
  sent: { read: (id) => Promise.resolve(id === "OWN" ? Buffer.from(own) : undefined) },
});
const head = (change: Partial<MessageHead> = {}): MessageHead => ({
  ...{ chat: ann, id: "M1", author: "", fromMe: false, at, type: "text", ...headContent({ conversation: "hi" }) },
  ...change,
});
const quote = async (quoted: Quoted, jid = ann): Promise<proto.IContextInfo> => await quoteOf(quoted, parts(jid));

describe("a quote", () => {
  it.each<[string, Partial<MessageHead>, string, string]>([
    ["of a private chat, by its other side", {}, ann, ann],
    ["of a private chat, by the account", { fromMe: true }, ann, "15550000001@s.whatsapp.net"],
    ["of a chat with a hidden number, by the account", { chat: bob, fromMe: true }, bob, "900000000000001@lid"],
    ["of a group, by its author", { chat: group, author: bob }, group, bob],
  ])("%s", async (_, change, jid, participant) => {
    expect(await quote(head(change), jid)).toEqual({
      stanzaId: "M1",
      participant,
      quotedMessage: expect.objectContaining({ conversation: "hi" }) as object,
    });
  });

  it("names its group in another chat, and shows an empty text without content", async () => {
    const quoted = head({ chat: group, author: bob, content: Buffer.alloc(0) });
    expect(await quote(quoted)).toEqual({ stanzaId: "M1", participant: bob, quotedMessage: { conversation: "" }, remoteJid: group });
  });

  it("of an id alone has an author in a private chat, and content if this account sent it", async () => {
    expect(await quote({ id: "M1" })).toEqual({ stanzaId: "M1", participant: ann });
    expect(await quote({ id: "M1" }, group)).toEqual({ stanzaId: "M1" });
    const sent = await quote({ id: "OWN" }, group);
    expect(sent).toMatchObject({ stanzaId: "OWN", participant: "15550000001@s.whatsapp.net" });
    expect(sent.quotedMessage?.documentMessage?.caption).toBe("my file");
  });
});

describe("replyTo", () => {
  const refs = { open: (ref: string) => (ref === "r".repeat(80) ? head() : undefined) };

  it("is an id, or a ref", () => {
    expect(quotedBy("3EB0C431C26A1916E07A", refs)).toEqual({ id: "3EB0C431C26A1916E07A" });
    expect(quotedBy("r".repeat(80), refs)).toEqual(head());
  });

  it("that has the form of a ref and is none: 400", () => {
    expect(() => quotedBy("r".repeat(81), refs)).toThrow("ref is not valid");
  });

  it.each(["no id", "a/b", "M1\n", "r".repeat(1_025)])("%j has neither form: 400", (replyTo) => {
    expect(() => quotedBy(replyTo, refs)).toThrow("replyTo must be the id or the ref of a message");
  });

  it("and mentions make one context", async () => {
    expect(await contextMaker({}, refs)(parts(ann))).toBeUndefined();
    expect(await contextMaker({ replyTo: "M1", mentions: ["+1 555 000 0002", bob] }, refs)(parts(ann))).toEqual({
      stanzaId: "M1",
      participant: ann,
      mentionedJid: [ann, bob],
    });
    expect(() => contextMaker({ mentions: [group] }, refs)).toThrow("each value in mentions must be a user");
  });
});
