import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type ApiResponse } from "../harness/api.js";
import { PlatformSide } from "../harness/platform-side.js";
import { openConversation, type Conversation } from "./conversation.js";
import { incomingMessage } from "./incoming-message.js";

/** `ref` of events, `replyTo` and `mentions` of POST /message, on both platforms, as recipients see them. */
let gateway: Conversation["gateway"];
let receiver: Conversation["receiver"];
let callers: Conversation["callers"];
let phones: Conversation["phones"];
let close: Conversation["close"];
beforeAll(async () => {
  ({ gateway, receiver, callers, phones, close } = await openConversation());
});
afterAll(() => close());

type Row = Record<string, unknown> & { readonly type: string };

const send = (platform: Platform, body: object, by = callers[platform]): Promise<ApiResponse> =>
  by.send("POST", "/message", { phone: phones[platform], type: "text", text: "yes", ...body });

/** Sends a message and returns the row of its recipient. */
async function sent(platform: Platform, body: object): Promise<Row> {
  const answer = await send(platform, body);
  expect([answer.status, answer.body]).toEqual([200, { messageId: expect.stringMatching(/^\S+$/) as string }]);
  const { messageId } = answer.body as { messageId: string };
  const rows = await new PlatformSide<Row>(gateway, platform).received("alice", "message");
  const row = rows.find(({ id }) => id === messageId);
  if (row === undefined) throw new Error("the message did not arrive");
  return row;
}

const refused = { status: 400, body: { statusCode: 400, message: "ref is not valid" } };

describe.each(platforms)("on %s", (platform) => {
  const quotes = (id: string, more: object): object => (platform === "telegram" ? { replyTo: id } : { quoted: { id, ...more } });

  it("an event's ref has at most 1,024 characters and makes a reply that shows the message", async () => {
    const { id, ref, text, chat } = await incomingMessage(gateway, receiver, platform, { text: "Is it €3? ".repeat(80) });
    expect(ref).toMatch(/^[\w-]{80,1024}$/);
    const row = await sent(platform, { replyTo: ref });
    expect(row).toMatchObject(quotes(id, { author: chat.id, kind: "text", text: text.slice(0, 150) }));
  });

  it("a short message, and a picture with its caption, are shown whole", async () => {
    const short = await incomingMessage(gateway, receiver, platform, { text: "Is it €3?" });
    expect(await sent(platform, { replyTo: short.ref })).toMatchObject(quotes(short.id, { kind: "text", text: "Is it €3?" }));
    const media = platform === "telegram" ? "photo" : "image";
    const picture = await incomingMessage(gateway, receiver, platform, { text: "this one", media });
    expect(await sent(platform, { replyTo: picture.ref })).toMatchObject(quotes(picture.id, { kind: "image", text: "this one" }));
  });

  it("the id of a message makes a reply too", async () => {
    const { id, chat } = await incomingMessage(gateway, receiver, platform, { text: "Are you there?" });
    const { id: own } = await sent(platform, { text: "I am", replyTo: id });
    expect(await sent(platform, { replyTo: id })).toMatchObject(quotes(id, { kind: "" }));
    // The gateway keeps what it sent for a day, so a reply to it shows it.
    const again = await sent(platform, { replyTo: own });
    expect(again).toMatchObject(quotes(String(own), { text: "I am" }));
    if (platform === "whatsapp") expect((again["quoted"] as { author: string }).author).not.toBe(chat.id);
  });

  it("a picture, a location and a contact can be replies too", async () => {
    const { id, ref } = await incomingMessage(gateway, receiver, platform, { text: "What is it?" });
    const file = await new PlatformSide(gateway, platform).file("photo.jpg");
    for (const body of [
      { type: "image", image: { url: file.url, mimetype: "image/jpeg" } },
      { type: "location", location: { latitude: 1, longitude: 2 } },
      { type: "contact", contact: { name: "Ada", phone: "4915112345678" } },
    ])
      expect(await sent(platform, { ...body, replyTo: ref })).toMatchObject({ kind: body.type, ...quotes(id, {}) });
  });

  it("a ref of another chat quotes the message from there", async () => {
    const { id, ref, chat } = await incomingMessage(gateway, receiver, platform, { text: "between us" });
    const { docs } = (await callers[platform].get("/group")).body as { docs: { id: string; name: string }[] };
    const group = docs.find(({ name }) => name.startsWith("Family"))?.id;
    const row = await sent(platform, { group, replyTo: ref });
    expect(row).toMatchObject({ chat: group, ...quotes(id, { author: chat.id, text: "between us" }) });
    if (platform === "telegram") expect(row).toMatchObject({ replyToChat: chat.id });
  });

  it("a ref that was changed, or is of another account, is 400", async () => {
    const { ref } = await incomingMessage(gateway, receiver, platform, { text: "mine" });
    for (const replyTo of [`${ref.slice(0, -1)}${ref.endsWith("A") ? "B" : "A"}`, `${ref}A`, ref.slice(0, 70)])
      expect(await send(platform, { replyTo })).toMatchObject(refused);
    for (const replyTo of ["no such id!", "🙂"])
      expect(await send(platform, { replyTo })).toMatchObject({
        status: 400,
        body: { message: "replyTo must be the id or the ref of a message" },
      });
    const other = await loggedIn(gateway, "bob", platform);
    expect(await send(platform, { replyTo: ref }, other)).toMatchObject(refused);
  });

  it("mentions the people whose number or id the text has", async () => {
    const { chat } = await incomingMessage(gateway, receiver, platform, { text: "Who?" });
    if (platform === "whatsapp") {
      const mentions = [phones.whatsapp, chat.id];
      expect(await sent(platform, { text: `@${phones.whatsapp} or @${chat.id.split("@")[0] ?? ""}`, mentions })).toMatchObject({
        mentions: [`${phones.whatsapp}@s.whatsapp.net`, chat.id],
      });
      return;
    }
    const text = `@${chat.id} and @${chat.id}1 and @4`;
    expect(await sent(platform, { text, mentions: [Number(chat.id), "4"] })).toMatchObject({
      text,
      entities: [{ offset: 0, length: chat.id.length + 1, userId: chat.id }],
    });
  });
});
