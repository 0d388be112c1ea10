import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type ApiResponse } from "../harness/api.js";
import { PlatformSide } from "../harness/platform-side.js";
import { sharedChannels } from "../sandbox/whatsapp/world/seed.js";
import { openConversation, type Conversation } from "./conversation.js";
import { incomingMessage } from "./incoming-message.js";

/** POST /message/forward on both platforms, as recipients see it. */
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

const forward = (platform: Platform, body: object, headers = {}, by = callers[platform]): Promise<ApiResponse> =>
  by.send("POST", "/message/forward", { phone: phones[platform], ...body }, headers);
const rows = (platform: Platform): Promise<Row[]> => new PlatformSide<Row>(gateway, platform).received("alice", "message");

async function forwarded(platform: Platform, body: object): Promise<Row | undefined> {
  const answer = await forward(platform, body);
  expect([answer.status, answer.body]).toEqual([200, { messageId: expect.stringMatching(/^\S+$/) as string }]);
  const { messageId } = answer.body as { messageId: string };
  return (await rows(platform)).find(({ id }) => id === messageId);
}

const refusal = (message: string): object => ({ status: 400, body: { statusCode: 400, message } });

describe.each(platforms)("on %s", (platform) => {
  /** How a recipient sees that a message was forwarded. */
  const marked = (chat: string): object => (platform === "telegram" ? { forwardedFrom: chat } : { forwarded: true });

  it("a text goes to a person and to a group", async () => {
    const { ref, chat } = await incomingMessage(gateway, receiver, platform, { text: "Hello \u{1f44b} €" });
    expect(await forwarded(platform, { ref })).toMatchObject({ kind: "text", text: "Hello \u{1f44b} €", ...marked(chat.id) });
    const { docs } = (await callers[platform].get("/group")).body as { docs: { id: string; name: string }[] };
    const group = docs.find(({ name }) => name.startsWith("Family"))?.id;
    expect(await forwarded(platform, { group, ref })).toMatchObject({ chat: group, kind: "text", ...marked(chat.id) });
  });

  it("a file goes with its caption, and nothing is uploaded", async () => {
    const uploads = async (): Promise<number> => (await new PlatformSide<Row>(gateway, platform).received("alice", "upload")).length;
    const before = await uploads();
    const media = platform === "telegram" ? "photo" : "image";
    const { ref, chat } = await incomingMessage(gateway, receiver, platform, { text: "the cake", media });
    const row = await forwarded(platform, { ref });
    expect(row).toMatchObject({ kind: "image", text: "the cake", ...marked(chat.id) });
    if (platform === "whatsapp") expect(row).toMatchObject({ file: { mimetype: "image/jpeg", size: expect.any(Number) as number } });
    if (platform === "whatsapp") expect((row?.["file"] as { problems?: string[] }).problems ?? []).toEqual([]);
    expect(await uploads()).toBe(before);
  });

  it.each(["location", "contact", "document", "voice", "video"])("a %s", async (media) => {
    const { ref, chat } = await incomingMessage(gateway, receiver, platform, { media });
    expect(await forwarded(platform, { ref })).toMatchObject(marked(chat.id));
  });

  it("a request repeated with its key has one effect", async () => {
    const { ref } = await incomingMessage(gateway, receiver, platform, { text: `once ${randomUUID()}` });
    const before = (await rows(platform)).length;
    const key = { "idempotency-key": randomUUID() };
    const first = await forward(platform, { ref }, key);
    const second = await forward(platform, { ref }, key);
    expect([second.status, second.body, second.headers.get("idempotency-replayed")]).toEqual([200, first.body, "true"]);
    expect(await rows(platform)).toHaveLength(before + 1);
  });

  it("a ref that was changed, or is of another account, is 400", async () => {
    const { ref } = await incomingMessage(gateway, receiver, platform, { text: "mine" });
    for (const wrong of [`${ref}A`, ref.slice(1), "3EB0C431C26A1916E07A", "301"])
      expect(await forward(platform, { ref: wrong })).toMatchObject(refusal("ref is not valid"));
    const other = await loggedIn(gateway, "bob", platform);
    expect(await forward(platform, { ref }, {}, other)).toMatchObject(refusal("ref is not valid"));
  });
});

describe("on telegram alone", () => {
  it("a message that is gone is the platform's error", async () => {
    const { ref, id } = await incomingMessage(gateway, receiver, "telegram", { text: "soon gone" });
    await new PlatformSide(gateway, "telegram").post("/people/delete", { account: "alice", chat: "bob", messageId: id });
    expect(await forward("telegram", { ref })).toMatchObject({
      status: 500,
      body: { message: "400: MESSAGE_ID_INVALID (caused by messages.ForwardMessages)" },
    });
  });

  it("a lost reply gives one message with its id", async () => {
    const { ref } = await incomingMessage(gateway, receiver, "telegram", { text: `lost ${randomUUID()}` });
    const before = (await rows("telegram")).length;
    await new PlatformSide(gateway, "telegram").fault({ account: "alice", kind: "lost-ack", method: "messages.forwardMessages", times: 1 });
    const answer = await forward("telegram", { ref });
    const after = await rows("telegram");
    expect(after).toHaveLength(before + 1);
    expect(answer).toMatchObject({ status: 200, body: { messageId: after.at(-1)?.["id"] } });
  });
});

describe("on whatsapp alone", () => {
  it("a message that does not fit into its ref is 400", async () => {
    const { ref } = await incomingMessage(gateway, receiver, "whatsapp", { text: "€".repeat(1_000) });
    expect(await forward("whatsapp", { ref })).toMatchObject(refusal("ref does not hold the whole message"));
    const poll = await incomingMessage(gateway, receiver, "whatsapp", { media: "poll", text: "When?", options: ["now", "later"] });
    expect(await forward("whatsapp", { ref: poll.ref })).toMatchObject(refusal("ref does not hold the whole message"));
  });

  it("a text goes to a channel, a file does not", async () => {
    const newsletter = sharedChannels.alice;
    const text = await incomingMessage(gateway, receiver, "whatsapp", { text: "news" });
    expect(await forwarded("whatsapp", { newsletter, ref: text.ref })).toMatchObject({ chat: newsletter, kind: "text", text: "news" });
    const file = await incomingMessage(gateway, receiver, "whatsapp", { media: "image" });
    expect(await forward("whatsapp", { newsletter, ref: file.ref })).toMatchObject(refusal("a file cannot be forwarded to a channel"));
  });
});
