import { readEnvelope, readReply } from "../../shared/bus/envelope-bytes.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Platform } from "../../shared/contract/platform.js";
import { createSession, request, type Caller } from "../harness/api.js";
import { startHeldCluster, type HeldCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { dump, findings, type Stored } from "../harness/redis-dump.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";

/** Reads the memory of both Redis after two logins were used as callers use them. No personal data may be readable there. */
let cluster: HeldCluster;
let receiver: WebhookReceiver;
let telegram: Caller;
let whatsapp: Caller;
let waiting: Caller;
/** Names, numbers, texts and other personal data of the accounts below, as their callers received them. */
const marked = new Set<string>();

beforeAll(async () => {
  [cluster, receiver] = await Promise.all([startHeldCluster(), WebhookReceiver.start()]);
  // Failed deliveries keep the events in Redis.
  receiver.respond = () => 500;
  telegram = await used("telegram");
  whatsapp = await used("whatsapp");
  await behindProxies();
  waiting = await createSession(cluster);
  collect(await eventually("a code", async () => (await waiting.record()).qrcode));
});
afterAll(async () => {
  await cluster.stop();
  await receiver.stop();
});

/**
 * Collects personal data. A long text, such as a picture, is cut to a piece from its middle, and short texts are too common to search for.
 */
function collect(value: unknown): void {
  if (typeof value === "string") {
    if (value.length > 300) marked.add(value.slice(200, 260));
    else if (value.length >= 6 && !isOurs.test(value)) marked.add(value);
  } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
}

/** Timestamps, public links of platforms and media types are not personal data. */
const isOurs = /^(\d{4}-\d\d-\d\dT.*Z|https?:.*|[a-z]+\/[a-z0-9.+-]+)$/;

/** Gives proxies to a tenant, a key and the key's sessions. Their logins and hosts are the operator's secrets. */
async function behindProxies(): Promise<void> {
  const call = async (path: string, body: object, key = cluster.adminKey): Promise<unknown> => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const response = await request(`${new URL(cluster.telegram[0] ?? "").origin}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect([response.status, path]).toEqual([201, path]);
    return response.body;
  };
  // The addresses are private, so nothing is dialled.
  const proxy = (of: string, host: string): string => collectProxy(`socks5://user-${of}:word-${of}@${host}:1080`);
  await call("/admin/tenants", { name: "behind", proxy: proxy("tenant", "10.77.11.1") });
  const { key } = (await call("/admin/keys", { role: "create", tenant: "behind", proxy: proxy("key", "10.77.12.1") })) as { key: string };
  await call("/telegram/session", {}, key);
  await call("/whatsapp/session", { proxy: proxy("session", "10.77.13.1") }, key);
}

function collectProxy(url: string): string {
  for (const part of /\/\/(.*):(.*)@(.*):/.exec(url)?.slice(1) ?? []) marked.add(part);
  return url;
}

async function used(platform: Platform): Promise<Caller> {
  const notes = { label: `label of ${platform}`, metadata: { reference: `reference of ${platform}` } };
  const caller = await createSession(cluster, platform, notes);
  [notes.label, notes.metadata.reference, caller.credentials.sessionId].forEach(collect);
  expect(await caller.scan("alice")).toMatchObject({ status: 200 });
  const record = await eventually("connected", async () => {
    const seen = await caller.record();
    return seen.isConnected ? seen : undefined;
  });
  const { id: _, webhook: _webhook, ...person } = record;
  collect(person);
  expect(marked).toContain(record.phone);
  if (platform === "telegram") {
    const settings = { url: `${receiver.url}/of-alice`, token: "token of the receiver" };
    Object.values(settings).forEach((text) => marked.add(text));
    expect((await caller.send("PUT", "/session/webhook", settings)).status).toBe(200);
  } else {
    // The address book arrives within seconds of the login, and a status needs all of it.
    await eventually(
      "the address book",
      async () => (await caller.send("POST", "/status", { type: "text", text: "a status for friends" })).status === 200,
    );
    marked.add("a status for friends");
  }
  await talk(caller, platform);
  for (const path of ["/group", "/channel"]) {
    const { docs } = await get<{ docs: { id: string }[] }>(caller, path);
    const [one] = docs;
    collect(docs);
    if (one === undefined) throw new Error(`no ${path}`);
    if (path === "/group") collect(await get(caller, `/group/member?groupId=${encodeURIComponent(one.id)}`));
    else collect(await get(caller, `/channel/message?channelId=${encodeURIComponent(one.id)}&limit=20`));
  }
  return caller;
}

/** Sends messages and receives messages of others. */
async function talk(caller: Caller, platform: Platform): Promise<void> {
  const people = (await request(`${cluster.sandbox}/accounts?platform=${platform}`)).body as {
    docs: { account: string; phone: string; userId?: string }[];
  };
  const bob = people.docs.find(({ account }) => account === "bob");
  if (bob === undefined) throw new Error("no bob");
  const to = platform === "telegram" ? { user: String(bob.userId) } : { phone: bob.phone };
  Object.values(to).forEach(collect);
  const text = `very private words on ${platform}`;
  collect(text);
  const sent = await caller.send("POST", "/message", { ...to, type: "text", text }, { "idempotency-key": `key of ${platform}` });
  expect([sent.status, JSON.stringify(sent.body)]).toEqual([200, expect.stringContaining("messageId") as string]);
  expect((await caller.send("POST", "/typing", { ...to, type: "text" })).status).toBeLessThan(500);
  await change(caller, platform, to, (sent.body as { messageId: string }).messageId);
  if (platform !== "telegram") return;
  const incoming = `an answer nobody else reads on ${platform}`;
  collect(incoming);
  const response = await caller.phone("/people/send", { platform, account: "alice", chat: "bob", text: incoming });
  expect(response.status).toBe(200);
  await eventually("the event", () => receiver.requests.some(({ body }) => body.includes(incoming)));
  const [event] = receiver.requests.filter(({ body }) => body.includes(incoming));
  const { data } = JSON.parse(event?.body.toString() ?? "{}") as { data: object };
  collect(data);
}

/** Uses the calls about one message, those that send other content, and those that change the account and its channels. */
async function change(caller: Caller, platform: Platform, to: Record<string, string>, messageId: string): Promise<void> {
  const mark = (text: string): string => {
    const marking = `${text} on ${platform}`;
    marked.add(marking);
    return marking;
  };
  const file = (name: string): string => `${cluster.sandbox}/files/${name}`;
  const image = { url: file("photo.jpg"), mimetype: "image/jpeg" };
  const chat = new URLSearchParams(to).toString();
  const done = async (method: "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown> => {
    const key = { "idempotency-key": `${method} ${path} of ${platform}` };
    const response = await caller.send(method, path, body, key);
    expect([method, path, response.status, response.body]).toEqual([method, path, 200, expect.anything()]);
    return response.body;
  };
  await done("POST", "/message/reaction", { ...to, messageId, emoji: "👍" });
  await done("PATCH", `/message/${messageId}`, { ...to, text: mark("words that were edited") });
  await done("POST", "/message", { ...to, type: "text", text: mark("a reply to itself"), replyTo: messageId });
  await done("POST", "/message/read", { ...to, messageId });
  await done("POST", "/message/voice", { ...to, audio: { url: file("voice.ogg"), mimetype: "audio/ogg", duration: 1 } });
  await done("POST", "/message/sticker", { ...to, image });
  await done("POST", "/message/album", { ...to, items: [{ image, text: mark("a private caption") }, { image }] });
  await done("POST", "/message/poll", { ...to, question: mark("which secret"), options: [mark("this secret"), mark("that secret")] });
  await done("DELETE", `/message/${messageId}?${chat}`);
  await done("PATCH", "/profile", { about: mark("words about me") });
  await done("POST", "/block", to);
  await done("DELETE", `/block?${chat}`);
  const named = { name: mark("a private channel"), description: mark("what it is about") };
  const { id } = (await done("POST", "/channel", named)) as { id: string };
  marked.add(id);
  await done("PATCH", `/channel/${id}`, { description: mark("what it is about now") });
  await done("POST", "/channel/follow", { channel: id });
}

async function get<T>(caller: Caller, path: string): Promise<T> {
  const response = await caller.get(path);
  expect([response.status, path]).toEqual([200, path]);
  return response.body as T;
}

/** Readable fields by the start of their key. Everything else under these keys is sealed, or a hashed name. */
const readable: Record<string, readonly string[]> = {
  "session:": ["platform", "secretHash", "created", "tenant", "incarnation", "tok", "undeleted", "unreadable", "proxyOf"],
  "webhook:": ["on", "epoch", "onAt", "bytes", "head", "tries", "retryAt"],
  "outbox:": ["i", "t", "c", "e"],
  "dead-letters:": ["i", "t", "c", "e", "n", "r"],
  "result:": ["st", "by", "n", "req", "mac", "again"],
  "idempotency-keys:": [""],
  "sent-index:": [""],
  "qr:": [],
  "peers:": [],
  "secrets:": [],
  "sent:": [],
  "message-chats:": [],
  "older-chats:": [],
  "history:": [],
  "seen-events:": [],
  "media-description:": [],
  "big-reply:": [],
  "dead-commands": [],
};
/** Keys of the cluster, its members and its customers. None holds personal data. */
const ofTheCluster =
  /^(member:|members$|pins$|drained$|\{processes\}:|owner:\{|slot-sessions:\{|slot-trash:\{|keyring$|\{keyring\}|\{schema\}|\{members\}:|probe:|tenants:|api-keys:|api-key-uses:|directory-version:|tenant-sessions:|tenant-requests:|tenant-media-bytes:|tenant-messages:|tenant-moves:|enqueued:|creation:|creation-keys:|audit$|\{audit\}:|\{news\})/;
/** Cached media chunks, kept for an hour (.github/SECURITY.md, "What is sealed where"). */
const chunks = /^chunk:/;
/** Customers' keys: only names, ids of keys and the version are readable. */
const ofCustomers = /^(tenant-quotas|tenant-proxies|key-proxies):/;
const streams = /^(commands:\{|replies:\{)/;

it("is whose keys are whose, and nothing of people: no name, number, text, chat, contact, code or secret", async () => {
  expect(marked.size).toBeGreaterThan(100);
  expect(await findings(cluster.redis.client, [...marked])).toEqual([]);
});

it("is nothing else than what is listed here as readable", async () => {
  const all = await dump(cluster.redis.client);
  const kinds = new Set(all.map(({ key }) => Object.keys(readable).find((start) => key.startsWith(start))));
  for (const kind of [
    "session:",
    "webhook:",
    "peers:",
    "secrets:",
    "sent:",
    "message-chats:",
    "seen-events:",
    "history:",
    "outbox:",
    "result:",
    "qr:",
  ])
    expect(kinds).toContain(kind);
  expect(all.filter((stored) => !isAllowed(stored)).map(({ key, field, text }) => `${key} ${field} ${text.slice(0, 60)}`)).toEqual([]);
});

function isAllowed({ key, field, text }: Stored): boolean {
  if (ofTheCluster.test(key) || chunks.test(key) || text === key) return true;
  if (ofCustomers.test(key)) return field === "" || field === "@" || isSealed(text);
  if (streams.test(key)) return field === "" || field === "x" || text === "" || isSealedCommand(text);
  if (key.startsWith("result:") && isCommandRecord(text)) return true;
  const fields = Object.entries(readable).find(([start]) => key.startsWith(start))?.[1];
  return (
    fields !== undefined &&
    (fields.includes(field) || (fields.includes(text) && field === "") || isSealed(text) || isHashed(text) || isNameOfSealed(text))
  );
}

const isSealed = (text: string): boolean =>
  text === "" || /^[a-zA-Z0-9]\.[\w-]{38,}$/.test(text) || /^[\w-]{60,}$/.test(text) || isNoText(text);
const isHashed = (text: string): boolean => /^#[\w-]{22}$/.test(text);
/** Field names, in the order of `shared/redis/README.md`. */
const isNameOfSealed = (text: string): boolean =>
  ["dk", "state", "account", "summary", "label", "metadata", "proxy", "creds", "wh", "stateMac", "cursor", "b", "out", "s"].includes(text);

function isNoText(text: string): boolean {
  // Nonce and tag are 28 bytes. That all of them are printable happens less than once in a billion.
  return /[^\u0020-\u007e]/.test(text);
}

/** Returns whether the text is a number of runs with the run's claim, or a sealed outcome. */
function isCommandRecord(text: string): boolean {
  return text.startsWith("+") ? isSealed(text.slice(1)) : /^\d+ [\w-]{12}$/.test(text);
}

function isSealedCommand(text: string): boolean {
  const bytes = Buffer.from(text, "latin1");
  const outcome = readReply(bytes)?.outcome;
  if (outcome === undefined) return isSealed(readEnvelope(bytes)?.input.toString("latin1") ?? "in the clear");
  return outcome.kind !== "ok" || (Buffer.isBuffer(outcome.output) && isSealed(outcome.output.toString("latin1")));
}

it("is, once a session was deleted, no key of it", async () => {
  for (const caller of [telegram, whatsapp, waiting]) {
    const { id } = caller.credentials;
    expect((await dump(cluster.redis.client)).some(({ key }) => key.includes(id))).toBe(true);
    expect((await caller.send("DELETE", "/session")).status).toBe(200);
    const left = (await dump(cluster.redis.client)).filter(
      ({ key, text }) => key.includes(id) || (/^(slot-sessions|slot-trash|tenant-sessions):/.test(key) && text === id),
    );
    expect(left).toEqual([]);
  }
  expect(await findings(cluster.redis.client, [...marked])).toEqual([]);
});
