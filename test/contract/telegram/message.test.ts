import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type ApiResponse, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { metricOf, scrape } from "../../harness/metrics.js";
import { TelegramSide } from "../../harness/telegram-side.js";

/** POST /message: sends every type to every kind of receiver, tests every rejection, and checks that no message is sent twice. */
let gateway: TestCluster;
let platform: TelegramSide;
let caller: Caller;
/** Receiver fields of a request, and the chat that the platform must see. */
const receivers: Record<string, { fields: object; chat: string }> = {};
beforeAll(async () => {
  gateway = await startCluster({ shards: 2 });
  platform = new TelegramSide(gateway);
  caller = await loggedIn(gateway, "alice");
  const bob = String((await platform.docs("/accounts?platform=telegram")).find((row) => row["account"] === "bob")?.["userId"]);
  Object.assign(receivers, {
    "basic group": { fields: { group: "-4000001" }, chat: "-4000001" },
    supergroup: { fields: { group: "-1001900000001" }, chat: "-1001900000001" },
    channel: { fields: { channel: "t.me/alice_news" }, chat: "-1001900000011" },
    user: { fields: { user: bob }, chat: bob },
    username: { fields: { username: "@bob_sandbox" }, chat: bob },
    phone: { fields: { phone: `+${await platform.phoneOf("bob")}` }, chat: bob },
  });
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

const messages = () => platform.received("alice", "message");
const send = (body: object): Promise<ApiResponse> => caller.send("POST", "/message", body);
const text = (words: string): object => ({ user: receivers["user"]?.chat, type: "text", text: words });
const image = (name: string): object => ({
  ...receivers["user"]?.fields,
  type: "image",
  image: { url: platform.fileUrl(name), mimetype: "image/jpeg" },
});

async function sent(body: object) {
  const answer = await send(body);
  expect([answer.status, answer.body]).toEqual([200, { messageId: expect.stringMatching(/^\d+$/) as string }]);
  const rows = (await messages()).filter(({ id }) => id === (answer.body as { messageId: string }).messageId);
  expect(rows).not.toEqual([]);
  return rows.at(-1);
}

describe.each(["basic group", "supergroup", "channel", "user", "username", "phone"])("to a %s", (kind) => {
  it("every type, as the platform got it", async () => {
    const { fields, chat } = receivers[kind] ?? { fields: {}, chat: "" };
    const [photo, film, song, paper] = await Promise.all(
      ["photo.jpg", "video.mp4", "audio.mp3", "document.pdf"].map((name) => platform.file(name)),
    );
    const file = (one: typeof photo): { sha256: string | undefined; size: number | undefined } => ({
      sha256: one?.sha256,
      size: one?.size,
    });
    expect(await sent({ ...fields, type: "text", text: "Hi 👋 **b**", parseMode: "markdown" })).toMatchObject({
      chat,
      kind: "text",
      text: "Hi 👋 b",
      entities: [{ type: "bold", offset: 6, length: 1 }],
    });
    expect(await sent({ ...fields, type: "image", text: "cap", image: { url: photo?.url, mimetype: "image/jpeg" } })).toMatchObject({
      chat,
      kind: "image",
      text: "cap",
      file: { ...file(photo), width: 1600, height: 1200 },
    });
    const video = { url: film?.url, mimetype: "video/mp4", duration: 3 };
    expect(await sent({ ...fields, type: "video", text: "<i>cap</i>", parseMode: "html", video })).toMatchObject({
      chat,
      kind: "video",
      text: "cap",
      entities: [{ type: "italic", offset: 0, length: 3 }],
      file: { ...file(film), mimetype: "video/mp4", duration: 3, thumbnail: { mimetype: "image/jpeg" } },
    });
    expect(await sent({ ...fields, type: "audio", audio: { url: song?.url, mimetype: "audio/mpeg", duration: 2 } })).toMatchObject({
      chat,
      kind: "audio",
      file: { ...file(song), mimetype: "audio/mpeg", duration: 2 },
    });
    const document = { url: paper?.url, name: "Bericht 📄.pdf", size: paper?.size, mimetype: "application/pdf" };
    expect(await sent({ ...fields, type: "document", document })).toMatchObject({
      chat,
      kind: "document",
      text: "",
      file: { ...file(paper), mimetype: "application/pdf", fileName: "Bericht 📄.pdf" },
    });
    expect(await sent({ ...fields, type: "location", location: { latitude: 52.5, longitude: 13.4 } })).toMatchObject({
      chat,
      kind: "location",
      location: { latitude: 52.5, longitude: 13.4 },
    });
    expect(await sent({ ...fields, type: "contact", contact: { name: "Zoë", phone: "+49 151 2345678" } })).toMatchObject({
      chat,
      kind: "contact",
      contact: { phone: "+491512345678", firstName: "Zoë" },
    });
  });
});

describe("what is refused", () => {
  const refused = async (body: object, status: number, message: unknown): Promise<void> => {
    const answer = await send(body);
    expect([answer.status, answer.body]).toEqual([status, { statusCode: status, message }]);
  };

  it.each<[object, string]>([
    [{ phone: "+1 234-567" }, "invalid receiver"],
    [{ username: "1 name" }, "invalid chat"],
    [{ username: "nobody_has_this" }, "chat not found"],
    [{ user: "987654321" }, "chat not found"],
    [{ phone: "+15559999999" }, "phone is not on telegram or hidden by its privacy settings"],
    [{ group: "alice_news" }, "group not found"],
    [{ group: "sandbox_other_square" }, "group not found"],
    [{ channel: "-1001900000001" }, "channel not found"],
    [{ channel: "sandbox_not_joined" }, "channel not found"],
  ])("%j: %s", async (receiver, message) => {
    await refused({ ...receiver, type: "text", text: "x" }, 400, message);
  });

  it("an unknown parse mode", () =>
    refused({ ...text("x"), parseMode: "bbcode" }, 400, "parseMode must be one of the following values: markdown, html"));

  it("a post in another's channel", () =>
    refused({ channel: "sandbox_daily", type: "text", text: "x" }, 500, "400: CHAT_ADMIN_REQUIRED (caused by messages.SendMessage)"));

  it("a second message in a slow group", async () => {
    await send({ group: "-1001900000004", type: "text", text: "x" });
    await refused(
      { group: "-1001900000004", type: "text", text: "x" },
      500,
      expect.stringMatching(/^420: SLOWMODE_WAIT_\d+ \(caused by messages\.SendMessage\)$/),
    );
  });

  it("a text that is too long", () => refused(text("x".repeat(4_097)), 500, "400: MESSAGE_TOO_LONG (caused by messages.SendMessage)"));

  it.each([
    ["PEER_FLOOD", 400],
    ["CHAT_WRITE_FORBIDDEN", 403],
    ["USER_IS_BLOCKED", 400],
    ["YOU_BLOCKED_USER", 400],
    ["PRIVACY_PREMIUM_REQUIRED", 406],
  ])("%s, as the platform says it", async (error, code) => {
    await platform.fault({ kind: "error", account: "alice", method: "messages.sendMessage", error });
    await refused(text("x"), 500, `${code}: ${error} (caused by messages.SendMessage)`);
  });

  it("a long wait; a short one is waited out", async () => {
    await platform.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 90 });
    await refused(text("x"), 500, "A wait of 90 seconds is required (caused by messages.SendMessage)");
    await platform.fault({ kind: "flood-wait", account: "alice", method: "messages.sendMessage", seconds: 5 });
    expect(await sent(text("patience"))).toMatchObject({ text: "patience" });
  });

  it("a file that is gone, and one that is no picture", async () => {
    await refused(image("gone.jpg"), 500, "error parser file from url 404 Not Found");
    await refused(image("document.pdf"), 500, "error compress image: unsupported image format, found application/pdf");
    await refused(image("page.jpg"), 500, "error compress image: unsupported image format, found text/html");
    await refused(image("drawing.svg"), 500, "error compress image: unsupported image format, found image/svg+xml");
  });

  it.each([
    ["video", "video/mp4", "error compress image: unsupported video format, found text/html"],
    ["audio", "audio/mpeg", "error parser file from url unsupported audio format, found text/html"],
  ])("a page in the place of a file of type %s", async (type, mimetype, message) => {
    await refused(
      { ...receivers["user"]?.fields, type, [type]: { url: platform.fileUrl("page.jpg"), mimetype, duration: 3 } },
      500,
      message,
    );
  });
});

describe("types of files", () => {
  const media = (type: string, name: string, mimetype: string): object => ({
    ...receivers["user"]?.fields,
    type,
    [type]: { url: platform.fileUrl(name), mimetype, duration: 3, name: "invoice.pdf", size: 1 },
  });

  it.each([
    ["audio", "audio.mp3", "audio/mp4", "audio/mpeg"],
    ["document", "document.pdf", "application/octet-stream", "application/pdf"],
    ["image", "photo.gif", "image/jpeg", "image/jpeg"],
    ["image", "photo.tiff", "image/jpg", "image/jpeg"],
  ])("%s %s as %s goes out as %s", async (type, name, given, mimetype) => {
    expect(await sent(media(type, name, given))).toMatchObject({ file: { mimetype } });
  });

  it.each([
    ["image", "photo.jpg", "video/mp4", "error parser file from url mimetype video/mp4 does not fit the file, found image/jpeg"],
    ["image", "photo.jpg", "image/jp\r\neg", "error parser file from url mimetype is malformed, found image/jpeg"],
    ["image", "phone.heic", "image/heic", "error compress image: unsupported image format, found image/heic"],
    ["document", "page.jpg", "application/pdf", "error parser file from url the document is no application/pdf, found text/html"],
    ["document", "error.json", "application/pdf", "error parser file from url the document is no application/pdf, found application/json"],
    ["audio", "error.txt", "audio/mpeg", "error parser file from url unsupported audio format, found text/plain"],
  ])("%s %s as %j: 500", async (type, name, given, message) => {
    const answer = await send(media(type, name, given));
    expect([answer.status, answer.body]).toEqual([500, { statusCode: 500, message }]);
  });
});

describe("never a second message", () => {
  it("when the response is lost", async () => {
    await platform.fault({ kind: "lost-ack", account: "alice", method: "messages.sendMessage" });
    await sent(text("lost answer"));
    expect((await messages()).filter((row) => row.text === "lost answer")).toHaveLength(1);
  });

  it("keeps the order of one session's messages", async () => {
    const words = Array.from({ length: 10 }, (_, n) => `in order ${n}`);
    const answers: Promise<ApiResponse>[] = [];
    let answered = 0;
    const taken = async (): Promise<number> => {
      const shards = await Promise.all(gateway.adminPorts.slice(1).map(scrape));
      return answered + shards.reduce((sum, metrics) => sum + metricOf(metrics, "gateway_shard_commands_in_flight_commands"), 0);
    };
    // The first send stays in flight until all are queued, but ends before others may pass it. Each send begins when the shard has the
    // previous one.
    await platform.fault({ kind: "delay", account: "alice", method: "messages.sendMessage", seconds: 10, times: 1 });
    for (const word of words) {
      answers.push(send(text(word)).finally(() => (answered += 1)));
      await eventually(`${word} is in line`, async () => (await taken()) >= answers.length);
    }
    await platform.clearFaults();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(words.map(() => 200));
    expect((await messages()).flatMap((row) => (row.text.startsWith("in order") ? [row.text] : []))).toEqual(words);
  });
});
