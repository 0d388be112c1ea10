import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { PlatformSide } from "../harness/platform-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";

/** GET /chat, /chat/message, /contact and /phone on both platforms. The sessions have no webhook unless a test sets one. */
let gateway: TestCluster;
let receiver: WebhookReceiver;
const callers = {} as Record<Platform, Caller>;
const phones = {} as Record<Platform, string>;
beforeAll(async () => {
  gateway = await startCluster();
  receiver = await WebhookReceiver.start();
  for (const platform of platforms) {
    callers[platform] = await loggedIn(gateway, "alice", platform);
    phones[platform] = await new PlatformSide(gateway, platform).phoneOf("bob");
  }
});
afterAll(async () => {
  await receiver.stop();
  await gateway.stop();
});

interface Message extends Record<string, unknown> {
  readonly id: string;
  readonly ref: string;
  readonly text: string;
  readonly chat: { readonly id: string; readonly name: string; readonly phone: string };
}
interface Chat {
  readonly kind: string;
  readonly chat: Message["chat"];
  readonly unread: number;
  readonly last: Message;
}
interface Page<T> {
  readonly docs: T[];
  readonly next: string;
}

describe.each(platforms)("on %s", (platform) => {
  const side = (): PlatformSide<{ readonly type: string }> => new PlatformSide(gateway, platform);
  const get = async <T>(path: string): Promise<Page<T>> => {
    const { status, body } = await callers[platform].get(path);
    expect([path, status, body]).toEqual([path, 200, expect.anything()]);
    return body as Page<T>;
  };
  const people = async (call: string, fields: object): Promise<{ messageId: string }> => {
    const { status, body } = await side().post(`/people/${call}`, { account: "alice", ...fields });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as { messageId: string };
  };
  const incoming = (fields: object): Promise<{ messageId: string }> => people("send", { chat: "bob", ...fields });
  const sent = async (body: object): Promise<string> => {
    const answer = await callers[platform].send("POST", "/message", { phone: phones[platform], type: "text", ...body });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return (answer.body as { messageId: string }).messageId;
  };
  const bobs = async (): Promise<string> => {
    const { docs } = await get<Chat>("/chat");
    return docs.find(({ chat }) => chat.phone === phones[platform])?.chat.id ?? "";
  };
  const messages = async (query = ""): Promise<Page<Message>> =>
    await get<Message>(`/chat/message?chat=${encodeURIComponent(await bobs())}${query}`);
  const arrived = (id: string, what: (message: Message) => boolean = () => true): Promise<Message> =>
    eventually("the message in the chat", async () => (await messages()).docs.find((one) => one.id === id && what(one)));
  async function family(): Promise<string> {
    const { docs } = (await callers[platform].get("/group")).body as { docs: { id: string; name: string }[] };
    return docs.find(({ name }) => name.startsWith("Family"))?.id ?? "";
  }

  it("a chat is first after a message, with its unread messages, until the account answers", async () => {
    const { messageId } = await incoming({ text: "first" });
    const first = await eventually("the chat", async () => {
      const [chat] = (await get<Chat>("/chat?limit=1")).docs;
      return chat?.last.id === messageId ? chat : undefined;
    });
    expect(first).toMatchObject({ kind: "person", chat: { phone: phones[platform], name: expect.stringMatching(/\S/) as string } });
    expect(first).toMatchObject({ last: { text: "first", fromMe: false, type: "text", ref: expect.stringMatching(/^[\w-]+$/) as string } });
    expect(first.unread).toBeGreaterThan(0);
    const answer = await sent({ text: "second" });
    const answered = await eventually("the answer", async () => {
      const [chat] = (await get<Chat>("/chat?limit=1")).docs;
      return chat?.last.id === answer ? chat : undefined;
    });
    expect(answered).toMatchObject({ chat: first.chat, last: { text: "second", fromMe: true } });
    if (platform === "whatsapp") expect(answered.unread).toBe(0);
  });

  it("messages that the account reads on its phone are no longer unread", async () => {
    const { messageId } = await incoming({ text: "unread" });
    await arrived(messageId);
    await people("read", { chat: "bob", messageId, inbox: true });
    const chat = await eventually("no unread message", async () => {
      const [one] = (await get<Chat>("/chat?limit=1")).docs;
      return one?.unread === 0 ? one : undefined;
    });
    expect(chat.last.id).toBe(messageId);
  });

  it("messages are listed newest first, page by page, with edits and without deleted ones", async () => {
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) ids.push((await incoming({ text })).messageId);
    await arrived(ids.at(-1) ?? "");
    for (const text of ["four", "five"]) ids.push(await sent({ text }));
    const [one = "", two = "", three = "", four = "", five = ""] = ids;
    await people("edit", { chat: "bob", messageId: one, text: "one!" });
    await people("delete", { chat: "bob", messageId: two });
    await callers[platform].send("PATCH", `/message/${four}`, { phone: phones[platform], text: "four!" });
    await callers[platform].send("DELETE", `/message/${five}?phone=${phones[platform]}`);
    await arrived(one, ({ text }) => text === "one!");
    await arrived(four, ({ text }) => text === "four!");
    await eventually("the deletions", async () => {
      const shown = (await messages()).docs.map(({ id }) => id);
      return !shown.includes(two) && !shown.includes(five);
    });
    const newest = await messages("&limit=2");
    expect(newest.docs.map(({ id, text }) => [id, text])).toEqual([
      [four, "four!"],
      [three, "three"],
    ]);
    expect(newest.docs.map(({ edited }) => edited !== "")).toEqual([true, false]);
    const older = await messages(`&limit=1&before=${newest.next}`);
    expect(older.docs).toMatchObject([{ id: one, text: "one!" }]);
    let page = await messages("&limit=2");
    const seen = page.docs.map(({ id }) => id);
    while (page.next !== "") {
      page = await messages(`&limit=2&before=${page.next}`);
      seen.push(...page.docs.map(({ id }) => id));
    }
    const all = (await messages("&limit=100")).docs.map(({ id }) => id);
    expect([new Set(seen).size, seen.slice(0, all.length)]).toEqual([seen.length, all]);
  });

  it("a listed message is the one of the event, and its ref makes a reply", async () => {
    await callers[platform].send("PUT", "/session/webhook", { url: receiver.url, token: "t" });
    const { messageId } = await incoming({ text: "the same", media: platform === "telegram" ? "photo" : "image" });
    const event = await eventually("the event", () =>
      receiver.taken.map(({ body }) => (JSON.parse(body.toString()) as { data: Message }).data).find(({ id }) => id === messageId),
    );
    await callers[platform].send("PUT", "/session/webhook", { url: "", token: "" });
    const listed = await arrived(messageId);
    // Refs are sealed anew each time on Telegram, whose messages are not stored.
    expect({ ...listed, ref: "" }).toEqual({ ...event, ref: "" });
    const file = await request(new URL(listed["url"] as string, gateway[platform][0]).href);
    expect(file.status).toBe(200);
    expect(await sent({ text: "that one", replyTo: listed.ref })).toMatch(/\S/);
  });

  it("messages of groups have an author, also those that this session sends", async () => {
    const group = await family();
    const { messageId } = await people("send", { chat: group, from: platform === "whatsapp" ? "bob" : undefined, text: "dinner?" });
    const answer = await sent({ group, text: "yes", phone: undefined });
    const docs = await eventually("both messages", async () => {
      const page = await get<Message>(`/chat/message?chat=${encodeURIComponent(group)}&limit=2`);
      return page.docs.length === 2 && page.docs[1]?.id === messageId ? page.docs : undefined;
    });
    expect(docs).toMatchObject([
      { id: answer, text: "yes", fromMe: true, chat: { id: group }, author: { id: expect.stringMatching(/^\d/) as string } },
      { text: "dinner?", fromMe: false, chat: { id: group }, author: { id: expect.stringMatching(/^\d/) as string } },
    ]);
    expect((await get<Chat>("/chat?limit=1")).docs).toMatchObject([
      { kind: "group", chat: { id: group, name: expect.stringMatching(/^Family/) as string }, last: { id: answer } },
    ]);
  });

  it("pages of chats have each chat once, by their newest messages", async () => {
    const seen: Chat[] = [];
    for (let after = "", pages = 0; pages < 100; pages++) {
      const { docs, next } = await get<Chat>(`/chat?limit=2&after=${encodeURIComponent(after)}`);
      seen.push(...docs);
      if (next === "") break;
      after = next;
    }
    const dates = seen.map(({ last }) => String(last["created"]));
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen.map(({ chat }) => chat.id)).size).toBe(seen.length);
    expect(dates).toEqual([...dates].sort().reverse());
    const whole = await get<Chat>("/chat?limit=100");
    expect(seen.slice(0, whole.docs.length).map(({ chat }) => chat.id)).toEqual(whole.docs.map(({ chat }) => chat.id));
  });

  it("a chat that does not exist", async () => {
    const unknown = platform === "telegram" ? "no_such_name" : "999999999999999@s.whatsapp.net";
    const answer = await callers[platform].get(`/chat/message?chat=${unknown}`);
    if (platform === "telegram") expect(answer).toMatchObject({ status: 400, body: { message: "chat not found" } });
    else expect(answer).toMatchObject({ status: 200, body: { docs: [], next: "" } });
  });

  it("contacts come page by page, each once", async () => {
    const { docs, next } = await get<Message["chat"]>("/contact?limit=5");
    expect(docs).toHaveLength(5);
    const seen = [...docs];
    for (let after = next; after !== ""; ) {
      const page = await get<Message["chat"]>(`/contact?limit=100&after=${encodeURIComponent(after)}`);
      seen.push(...page.docs);
      after = page.next;
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.every(({ name }) => name !== "")).toBe(true);
  });

  it("numbers are looked up in the order of the request, each once", async () => {
    const nobody = platform === "telegram" ? "19990000000" : "99912345678";
    const written = `${encodeURIComponent(`+${phones[platform]}`)},${nobody}&phone=${phones[platform]}`;
    const { docs } = await get<Record<string, unknown>>(`/phone?phone=${written}`);
    expect(docs).toEqual([
      {
        phone: phones[platform],
        exists: true,
        user: expect.stringMatching(/^\d+/) as string,
        lid: platform === "whatsapp" ? (expect.stringMatching(/^\d+@lid$/) as string) : "",
        username: platform === "telegram" ? "bob_sandbox" : (expect.any(String) as string),
      },
      { phone: nobody, exists: false, user: "", lid: "", username: "" },
    ]);
    const answer = await callers[platform].send("POST", "/message", { user: docs[0]?.["user"], type: "text", text: "found you" });
    expect(answer.status).toBe(200);
  });

  it.each(["/chat", "/contact"])("a cursor of another list is refused: %s", async (path) => {
    const answer = await callers[platform].get(`${path}?after=not-a-cursor`);
    expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, message: "after is not valid" } });
  });

  it.each(["/chat", "/chat/message?chat=1@lid", "/contact", "/phone?phone=15550100002"])(
    "%s needs the session's own secret",
    async (path) => {
      const { credentials } = callers[platform];
      const other = await createSession(gateway, platform);
      const headers = { id: credentials.id, "session-id": other.credentials.sessionId };
      const answer: ApiResponse = await request(`${gateway[platform][0] ?? ""}${path}`, { headers });
      expect(answer).toMatchObject({ status: 404, body: { message: "session not found" } });
    },
  );
});
