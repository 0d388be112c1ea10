import { createHash, randomUUID } from "node:crypto";
import { isSessionId } from "../../../shared/contract/ids.js";
import { bodyMaxBytes, outboxMaxBytes } from "../../../shared/limits.js";
import { keys } from "../../../shared/redis/keys.js";
import { createSession, request, type ApiResponse } from "../../harness/api.js";
import { startCluster } from "../../harness/cluster.js";
import { adminKey } from "../../harness/cluster-environment.js";
import { eventually } from "../../harness/eventually.js";
import { EventStream } from "../../harness/event-stream.js";
import { sharedChats } from "../../sandbox/telegram/world/seed.js";
import { sharedChannels, sharedGroups } from "../../sandbox/whatsapp/world/seed.js";
import { mediaPath, mediaRoute, otherAccount } from "./play-sessions.js";
import { askRaw, type Play } from "./replay.js";
import type { World } from "./world.js";

/** The way to cause a documented error, or the reason why it cannot be caused here and which test does. */
export type ErrorStep =
  | { readonly route: string; readonly play: Play; readonly says?: RegExp }
  | { readonly route: string; readonly ask: () => Promise<ApiResponse>; readonly says?: RegExp }
  /** Calls a path or method that the document does not list. */
  | { readonly ask: () => Promise<ApiResponse> }
  | { readonly why: string };

type Steps = Readonly<Record<string, ErrorStep>>;

const textTo = (to: object): object => ({ ...to, type: "text", text: "Hello" });
const secret = "b".repeat(43);

/** Errors of headers and bodies, which the router reports before it reads a session. */
export function requestErrors({ replay, of, admin, gateway }: World): Steps {
  const headers = of("telegram");
  const message = (play: Play): ErrorStep => ({ route: "POST /telegram/message", play: { headers, ...play } });
  const raw = (more: readonly string[], host = new URL(replay.base).host): Promise<ApiResponse> =>
    askRaw(`${replay.base}/telegram/message`, "POST", ["Host", host, "Content-Length", "0", ...Object.entries(headers).flat(), ...more]);
  const admins = (route: string, play: Play = {}): ErrorStep => ({ route, play: { headers: admin, ...play } });
  return {
    invalidHeader: { route: "GET /telegram/session", play: {} },
    wrongContentType: message({ headers: { ...headers, "content-type": "text/plain" }, body: "{}" }),
    wrongContentEncoding: message({ headers: { ...headers, "content-encoding": "gzip" }, body: {} }),
    bodyTooDeep: message({ body: `{"a":${"[".repeat(40)}${"]".repeat(40)}}` }),
    invalidJson: message({ body: "{" }),
    bodyTooLarge: message({ body: `{"text":"${"a".repeat(bodyMaxBytes)}"}` }),
    invalidEncoding: { route: "GET /telegram/group/{groupId}", ask: () => request(`${replay.base}/telegram/group/%zz`, { headers }) },
    invalidIdempotencyKey: message({ headers: { ...headers, "idempotency-key": "k".repeat(256) }, body: {} }),
    repeatedIdempotencyKey: { route: "POST /telegram/message", ask: () => raw(["Idempotency-Key", "a", "Idempotency-Key", "b"]) },
    uncertainEnd: { ask: () => raw([], "no/name") },
    cannot: { ask: () => request(`${replay.base}/whatsapp/webhook`) },
    cannotBy: { ask: () => request(`${replay.base}/whatsapp/message`, { method: "PUT" }) },
    invalidApiKey: { route: "GET /admin/self", play: {} },
    invalidSignInCode: { route: "POST /admin/sign-in", play: { body: { code: "x".repeat(32) } } },
    roleRefused: {
      route: "GET /admin/tenants",
      ask: async () => {
        const { body } = await replay.play("POST /admin/keys", { headers: admin, body: { role: "read", tenant: "default" }, status: 201 });
        return await request(`${replay.base}/admin/tenants`, { headers: { "x-api-key": (body as { key: string }).key } });
      },
    },
    notOnce: {
      route: "GET /admin/audit",
      ask: () => request(`${replay.base}/admin/audit?tenant=a&tenant=b`, { headers: admin }),
    },
    notNextOfPage: admins("GET /admin/sessions", { query: { after: "x" } }),
    notDatabaseId: admins("GET /admin/audit", { query: { session: "x" } }),
    notTime: admins("GET /admin/audit", { query: { since: "x" } }),
    notEventId: admins("GET /admin/events", { headers: { ...admin, "last-event-id": "x" } }),
    notKeyName: admins("POST /admin/keyring/rotate", { body: { key: "zz" } }),
    burstAlone: admins("POST /admin/tenants", { body: { name: "bursty", quotas: { burst: 2 } } }),
    tenantNotFound: admins("GET /admin/tenants/{name}", { path: { name: "nobody" } }),
    keyNotFound: admins("DELETE /admin/keys/{id}", { path: { id: "0".repeat(20) } }),
    memberNotFound: admins("POST /admin/members/{name}/drain", { path: { name: "nobody" } }),
    memberIsNoShard: admins("POST /admin/members/{name}/drain", { path: { name: "router-1" } }),
    slotNotFound: admins("GET /admin/slots/{slot}", { path: { slot: "4096" } }),
    keyIsMissing: {
      ...admins("POST /admin/keyring/rotate", { body: { key: "z" } }),
      says: /^key z is missing in CRED_KEYS of router-1, shard-1, shard-2$/,
    },
    defaultTenantStays: admins("DELETE /admin/tenants/{name}", { path: { name: "default" } }),
    tooManyEventStreams: { route: "GET /admin/events", ask: () => openStreams(replay.base, gateway.adminKey) },
    // A router runs few calls of one endpoint at once.
    serverBusy: {
      route: "GET /admin/audit",
      ask: async () => {
        const many = Array.from({ length: 200 }, () => request(`${replay.base}/admin/audit?limit=1000`, { headers: admin }));
        const busy = (await Promise.all(many)).find(({ status }) => status === 503);
        if (busy === undefined) throw new Error("no call was rejected");
        return busy;
      },
    },
    // Stores the code under a wrong type, so that Redis fails as if it were unavailable.
    storageUnavailable: {
      route: "POST /admin/sign-in",
      ask: async () => {
        const code = "c".repeat(32);
        await gateway.redis.client.hset(keys.signInCode(createHash("sha256").update(code).digest("hex")), "a", "b");
        return await replay.play("POST /admin/sign-in", { body: { code }, status: 503 });
      },
    },
    // Stores a record that cannot be parsed.
    internal: {
      route: "GET /telegram/session",
      ask: async () => {
        const { id } = (await createSession(gateway)).credentials;
        if (!isSessionId(id)) throw new Error("no id of a session");
        await gateway.redis.client.hset(keys.session(id), "state", "not a state");
        return await request(`${replay.base}/telegram/session`, { headers: { id, "x-api-key": gateway.adminKey } });
      },
    },
    commandTooLarge: { why: "a guard: nothing that fits a body becomes so large" },
    sandboxResponseTooLong: { why: "the console's own button, and no call of the document (test/contract/console.test.ts)" },
    sandboxDidNotRespond: { why: "the console's own button; and the sandbox always answers in its own form" },
    bodyTooLate: { why: "takes 4,000 requests that wait at once (test/unit/router/http/newcomers.test.ts)" },
    noMoreTenants: {
      route: "POST /admin/tenants",
      ask: () =>
        filled(gateway, keys.tenants, () =>
          replay.play("POST /admin/tenants", { headers: admin, body: { name: "late", quotas: {} }, status: 409 }),
        ),
    },
    noMoreKeys: {
      route: "POST /admin/keys",
      ask: () =>
        filled(gateway, keys.apiKeys, () => replay.play("POST /admin/keys", { headers: admin, body: { role: "admin" }, status: 409 })),
    },
    tooManyIdempotencyKeys: {
      route: "POST /telegram/session",
      ask: async () => {
        const create = (status: number): Promise<ApiResponse> =>
          replay.play("POST /telegram/session", { headers: { ...admin, "idempotency-key": randomUUID() }, status });
        await create(201);
        const { client } = gateway.redis;
        const [used = ""] = await client.keys("creation-keys:*");
        await client.zadd(used, ...rows.flatMap((row) => [Date.now(), row]));
        return await create(429);
      },
    },
    sendTimeout: { why: "takes four minutes of silence (test/unit/shard/bus/failure-plan.test.ts)" },
    outcomeUnknown: { why: "the sentence of `internal`; takes the death of a shard in the middle of a command (test/cluster)" },
  };
}

/** Errors of sessions and tenants on both platforms. */
export function sessionErrors({ replay, of, admin, gateway, file, callers, receiver, sandbox }: World): Steps {
  const headers = of("telegram");
  const { id } = callers.telegram.credentials;
  const message = (body: object, more: Readonly<Record<string, string>> = {}): ErrorStep => ({
    route: "POST /telegram/message",
    play: { headers: { ...headers, ...more }, body },
  });
  const image = (name: string): object => ({ type: "image", image: { url: file(name), mimetype: "image/jpeg" } });
  const webhook = (url: string, token: string, events?: unknown): ErrorStep => ({
    route: "PUT /telegram/session/webhook",
    play: { headers, body: { url, token, events } },
  });
  const status = (body: object): ErrorStep => ({ route: "POST /telegram/status", play: { headers, body } });
  const album = (items: unknown): ErrorStep => ({
    route: "POST /telegram/message/album",
    play: { headers, body: { username: "bob_sandbox", items } },
  });
  const poll = (body: object): ErrorStep => ({
    route: "POST /telegram/message/poll",
    play: { headers, body: { username: "bob_sandbox", question: "When?", ...body } },
  });
  const asTenant = async (quotas: object): Promise<{ name: string; key: Readonly<Record<string, string>> }> => {
    const name = `t-${randomUUID().slice(0, 8)}`;
    await replay.play("POST /admin/tenants", { headers: admin, body: { name, quotas }, status: 201 });
    const { body } = await replay.play("POST /admin/keys", { headers: admin, body: { role: "tenant", tenant: name }, status: 201 });
    const key = { "x-api-key": (body as { key: string }).key };
    await replay.play("POST /telegram/session", { headers: key, status: 201 });
    return { name, key };
  };
  return {
    sessionNotFound: { route: "GET /telegram/session", play: { headers: { ...headers, "session-id": secret } } },
    unknownType: status({ type: "poem" }),
    textIsEmpty: status({ type: "text", text: " " }),
    invalidContactPhone: message({ username: "bob_sandbox", type: "contact", contact: { name: "Carol", phone: "12" } }),
    invalidMention: message({ ...textTo({ username: "bob_sandbox" }), mentions: ["nobody"] }),
    tooManyMentions: message({ ...textTo({ username: "bob_sandbox" }), mentions: Array(1_025).fill("1") }),
    notVoice: {
      route: "POST /telegram/message/voice",
      play: { headers, body: { username: "bob_sandbox", audio: { url: file("audio.mp3"), mimetype: "audio/mpeg", duration: 1 } } },
    },
    invalidItemCount: album([]),
    invalidItem: album([{}, {}]),
    invalidOptionCount: poll({ options: ["a"] }),
    invalidOption: poll({ options: ["a", "a"] }),
    invalidMultiple: poll({ options: ["a", "b"], multiple: 1 }),
    invalidPhoneCount: { route: "GET /telegram/phone", play: { headers: of("telegram"), query: { phone: "," }, status: 400 } },
    invalidAfter: { route: "GET /telegram/chat", play: { headers: of("telegram"), query: { after: "nothing" }, status: 400 } },
    invalidReply: message({ ...textTo({ username: "bob_sandbox" }), replyTo: "nobody" }),
    invalidRef: message({ ...textTo({ username: "bob_sandbox" }), replyTo: "r".repeat(80) }),
    nothingToChange: { route: "PATCH /telegram/profile", play: { headers, body: {} } },
    invalidPictureUrl: { route: "PATCH /telegram/profile", play: { headers, body: { picture: "cake.jpg" } } },
    fileFromUrl: message({ username: "bob_sandbox", ...image("none.jpg") }),
    compressImage: status(image("document.pdf")),
    oneOfUrlAndToken: webhook("http://127.0.0.1:9/", ""),
    invalidWebhookUrl: webhook("ftp://127.0.0.1/", "t"),
    invalidWebhookToken: webhook("http://127.0.0.1:9/", "ü"),
    invalidEvents: {
      ...webhook("http://127.0.0.1:9/", "t", ["poem"]),
      says: /^each value in events must be one of the following values: /,
    },
    refusedWebhookUrl: webhook("http://169.254.169.254/", "t"),
    idempotencyKeyReused: {
      route: "POST /telegram/message",
      ask: async () => {
        const key = { ...headers, "idempotency-key": randomUUID() };
        await replay.play("POST /telegram/message", { headers: key, body: textTo({ username: "bob_sandbox" }) });
        return await replay.play("POST /telegram/message", { headers: key, body: textTo({ username: "alice_sandbox" }), status: 422 });
      },
    },
    sessionNotConnected: { route: "GET /telegram/group", ask: async () => await (await createSession(gateway)).get("/group") },
    // Writes the token of an owner that has gone.
    sessionNotActive: {
      route: "GET /telegram/group",
      ask: async () => {
        const { client } = gateway.redis;
        if (!isSessionId(id)) throw new Error("no id of a session");
        const record = keys.session(id);
        const stamp = (await client.hget(record, "tok")) ?? "";
        await client.hset(record, "tok", "0");
        const answer = await callers.telegram.get("/group");
        await client.hset(record, "tok", stamp);
        return answer;
      },
    },
    sessionNotDeleted: { route: "POST /admin/sessions/{id}/undelete", play: { headers: admin, path: { id } } },
    webhookIsFull: {
      route: "POST /admin/sessions/{id}/webhook/test",
      ask: async () => {
        if (!isSessionId(id)) throw new Error("no id of a session");
        await callers.telegram.send("PUT", "/session/webhook", { url: receiver.url, token: "s3cret" });
        await gateway.redis.client.hset(keys.webhook(id), "bytes", outboxMaxBytes);
        const answer = await replay.play("POST /admin/sessions/{id}/webhook/test", { headers: admin, path: { id }, status: 409 });
        await callers.telegram.send("PUT", "/session/webhook", { url: "", token: "" });
        return answer;
      },
    },
    webhookIsOff: { route: "POST /admin/sessions/{id}/dead-letters/replay", play: { headers: admin, path: { id } } },
    tenantExists: {
      route: "POST /admin/tenants",
      ask: async () => {
        const { name } = await asTenant({});
        return await replay.play("POST /admin/tenants", { headers: admin, body: { name, quotas: {} }, status: 409 });
      },
    },
    tenantHasSessions: {
      route: "DELETE /admin/tenants/{name}",
      ask: async () =>
        replay.play("DELETE /admin/tenants/{name}", { headers: admin, path: { name: (await asTenant({})).name }, status: 409 }),
    },
    sessionQuotaReached: {
      route: "POST /telegram/session",
      ask: async () => replay.play("POST /telegram/session", { headers: (await asTenant({ sessions: 1 })).key, status: 403 }),
    },
    accountRestricted: {
      route: "POST /whatsapp/message",
      ask: async () => {
        await sandbox("/accounts", { platform: "whatsapp", account: "stranger", phone: "447900000077" });
        await sandbox("/faults", { platform: "whatsapp", account: "alice", kind: "restricted" });
        const limits = async (): Promise<{ restricted: boolean }> =>
          (await callers.whatsapp.get("/session/limits")).body as { restricted: boolean };
        await eventually("restricted", async () => (await limits()).restricted);
        const answer = await callers.whatsapp.send("POST", "/message", textTo({ phone: "447900000077" }));
        await request(`${gateway.sandbox}/faults?platform=whatsapp`, { method: "DELETE" });
        await eventually("no longer restricted", async () => !(await limits()).restricted);
        return answer;
      },
    },
    tooManyRequests: {
      route: "POST /telegram/session",
      ask: async () => {
        const { key } = await asTenant({ requestsPerSecond: 1, burst: 1 });
        const asked = await Promise.all(
          Array.from({ length: 8 }, () => request(`${replay.base}/telegram/session`, { method: "POST", headers: key })),
        );
        const refused = asked.find(({ status: told }) => told === 429);
        if (refused === undefined) throw new Error("nobody was refused");
        return refused;
      },
    },
    creationFromElsewhere: { route: "POST /telegram/session", ask: () => fromElsewhere("POST", "/telegram/session") },
    administrationFromElsewhere: { route: "GET /admin/self", ask: () => fromElsewhere("GET", "/admin/self") },
  };
}

export function telegramErrors(world: World): Steps {
  const { replay, of, callers } = world;
  const headers = of("telegram");
  const message = (to: object): ErrorStep => ({ route: "POST /telegram/message", play: { headers, body: textTo(to) } });
  const media = (play: (path: Record<string, string>) => Play): ErrorStep => ({
    route: `GET ${mediaRoute}`,
    ask: async () => {
      const { status = 200, ...asked } = play(await mediaPath(world));
      return await replay.play(`GET ${mediaRoute}`, { ...asked, status });
    },
  });
  return {
    telegramInvalidRecipient: message({}),
    telegramInvalidTypingRecipient: { route: "POST /telegram/typing", play: { headers, body: {} } },
    telegramInvalidPerson: { route: "POST /telegram/block", play: { headers, body: {} } },
    telegramInvalidReceiver: message({ phone: "1234567" }),
    telegramInvalidChat: message({ username: "no such name" }),
    telegramChatNotFound: message({ username: "nobody_has_this_name" }),
    telegramPhoneNotFound: message({ phone: "99912345678" }),
    telegramChannelNotFound: {
      route: "GET /telegram/channel/{channelId}",
      play: { headers, path: { channelId: `-100${sharedChats.bigGroup}` } },
    },
    telegramGroupNotFound: {
      route: "GET /telegram/group/{groupId}",
      play: { headers, path: { groupId: `-100${sharedChats.aliceChannel}` } },
    },
    telegramMessageNotFound: {
      route: "POST /telegram/message/reaction",
      play: { headers, body: { username: "bob_sandbox", messageId: "999999", emoji: "👍" } },
    },
    telegramPasswordNotRequired: { route: "POST /telegram/session/password", play: { headers, body: { password: "x" } } },
    telegramUndrawable: { route: "POST /telegram/status", play: { headers, body: { type: "text", text: "𒀀" } } },
    invalidPlatformId: media((path) => ({ path: { ...path, platformId: "nobody" }, status: 400 })),
    mediaNotFound: media((path) => ({ path: { ...path, signature: `a${"A".repeat(27)}` }, status: 404 })),
    rangeNotSatisfiable: media((path) => ({ path, headers: { range: "bytes=999999999-" }, status: 416 })),
    telegramPlatformError: { route: "GET /telegram/group/member", play: { headers, query: { groupId: `-100${sharedChats.hiddenGroup}` } } },
    telegramPasswordWait: {
      route: "POST /telegram/session/password",
      says: /^A wait of \d+ seconds is required/,
      ask: async () => {
        const erin = await createSession(world.gateway);
        await erin.scan("erin");
        // The platform requires a wait before the gateway's own limit is reached.
        for (;;) {
          const answer = await erin.send("POST", "/session/password", { password: randomUUID() });
          if (answer.status === 500) return answer;
          if (answer.status !== 400) throw new Error(`a wrong password: ${answer.status}`);
        }
      },
    },
    telegramAskedToWait: {
      route: `GET ${mediaRoute}`,
      says: /^telegram asked to wait \d+s$/,
      ask: async () => {
        await callers.telegram.phone("/faults", {
          platform: "telegram",
          account: "alice",
          kind: "flood-wait",
          seconds: 77,
          method: "upload.getFile",
        });
        return await replay.play(`GET ${mediaRoute}`, { path: await mediaPath(world, "thumbnail"), status: 503 });
      },
    },
    telegramPlatformIsOff: {
      route: "POST /telegram/session",
      ask: () => fromOther({ TELEGRAM_API_ID: "", TELEGRAM_API_HASH: "" }, "/telegram/session", { "x-api-key": adminKey }),
    },
    telegramMediaTimeout: { why: "takes half a minute of silence (test/contract/telegram/media.test.ts)" },
  };
}

export function whatsappErrors(world: World): Steps {
  const { replay, of, admin, sandbox } = world;
  const headers = of("whatsapp");
  const status = async (account: string): Promise<ApiResponse> =>
    await replay.play("POST /whatsapp/status", {
      headers: await otherAccount(world, account),
      body: { type: "text", text: "Hello" },
      status: 500,
    });
  const reaction = (body: object): ErrorStep => ({
    route: "POST /whatsapp/message/reaction",
    play: { headers, body: { messageId: "999999", emoji: "👍", ...body } },
  });
  return {
    whatsappInvalidRecipient: { route: "POST /whatsapp/message", play: { headers, body: textTo({}) } },
    whatsappInvalidTypingRecipient: { route: "POST /whatsapp/typing", play: { headers, body: {} } },
    whatsappInvalidPerson: { route: "POST /whatsapp/block", play: { headers, body: {} } },
    whatsappInvalidChannel: { route: "POST /whatsapp/channel/follow", play: { headers, body: { channel: "news" } } },
    whatsappInvalidGroupId: { route: "GET /whatsapp/group/{groupId}", play: { headers, path: { groupId: "sales" } } },
    whatsappInvalidChatId: { route: "GET /whatsapp/chat/message", play: { headers, query: { chat: "bob" } } },
    whatsappHistoryIsOff: { why: "the world's shards keep a history (test/platform/whatsapp/lists.test.ts)" },
    whatsappInvalidAuthor: reaction({ phone: "15550100002", author: "bob" }),
    whatsappMissingAuthor: reaction({ group: sharedGroups.family }),
    whatsappMessageNotFound: reaction({ newsletter: sharedChannels.alice }),
    whatsappForeignMessage: {
      route: "DELETE /whatsapp/message/{messageId}",
      play: { headers, query: { phone: "15550100002", author: "15550100002@s.whatsapp.net" } },
    },
    whatsappEditTooLate: {
      route: "PATCH /whatsapp/message/{messageId}",
      ask: async () => {
        const { id } = world.callers.whatsapp.credentials;
        if (!isSessionId(id)) throw new Error("no id of a session");
        await world.gateway.redis.client.zadd(keys.sentIndex(id), Date.now() - 16 * 60_000, "3EB0OLD");
        const body = { phone: "15550100002", text: "x" };
        return await replay.play("PATCH /whatsapp/message/{messageId}", { headers, path: { messageId: "3EB0OLD" }, body, status: 500 });
      },
    },
    whatsappNotEditable: {
      route: "PATCH /whatsapp/message/{messageId}",
      ask: async () => {
        const phone = "15550100002";
        const poll = { phone, question: "When?", options: ["today", "tomorrow"] };
        const { messageId } = (await world.callers.whatsapp.send("POST", "/message/poll", poll)).body as { messageId: string };
        const body = { phone, text: "x" };
        return await replay.play("PATCH /whatsapp/message/{messageId}", { headers, path: { messageId }, body, status: 500 });
      },
    },
    whatsappInvalidPhone: { route: "POST /whatsapp/session", play: { headers: admin, body: { phone: "123" } } },
    whatsappChannelNotFound: {
      route: "GET /whatsapp/channel/{channelId}",
      play: { headers, path: { channelId: "120363999999999999@newsletter" } },
    },
    whatsappGroupNotFound: { route: "GET /whatsapp/group/{groupId}", play: { headers, path: { groupId: "120363999999999999@g.us" } } },
    whatsappContactsNotSynced: { route: "POST /whatsapp/status", ask: () => status("frank") },
    whatsappContactsNotRead: {
      route: "GET /whatsapp/contact",
      ask: async () => await replay.play("GET /whatsapp/contact", { headers: await otherAccount(world, "frank"), status: 500 }),
    },
    whatsappSettingsNotSynced: {
      route: "PATCH /whatsapp/profile",
      ask: async () =>
        await replay.play("PATCH /whatsapp/profile", { headers: await otherAccount(world, "frank"), body: { name: "Frank" }, status: 500 }),
    },
    whatsappNoStatusContacts: { route: "POST /whatsapp/status", ask: () => status("dave") },
    whatsappPlatformError: {
      route: "POST /whatsapp/message",
      ask: async () => {
        await sandbox("/faults", { platform: "whatsapp", account: "alice", kind: "error", error: "403", method: "message" });
        return await replay.play("POST /whatsapp/message", { headers, body: textTo({ phone: "15550100002" }), status: 500 });
      },
    },
    whatsappNotForChannel: {
      route: "POST /whatsapp/message/poll",
      play: { headers, body: { newsletter: "120363144038483540@newsletter", question: "When?", options: ["a", "b"] } },
    },
    whatsappNotForwardable: { why: "takes a ref of a long message (test/contract/forwards.test.ts)" },
    whatsappNoFileForChannel: { why: "takes a ref of a message with a file (test/contract/forwards.test.ts)" },
    whatsappAskedToWait: { why: "the sandbox's media host has no such fault (test/unit/shard/whatsapp/fetch-chunk.test.ts)" },
    whatsappMediaTimeout: { why: "takes half a minute of silence (test/unit/shard/whatsapp/fetch-chunk.test.ts)" },
    whatsappChannelsNotListed: { why: "the sandbox always says why it refuses (test/unit/shard/whatsapp/list-subscribed.test.ts)" },
  };
}

/** Rows up to the limit. Their content is never read. */
const rows = Array.from({ length: 10_000 }, (_, row) => `row-${row}`);

async function filled(gateway: World["gateway"], key: string, ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const { client } = gateway.redis;
  await client.hset(key, ...rows.flatMap((row) => [row, ""]));
  try {
    return await ask();
  } finally {
    await client.hdel(key, ...rows);
  }
}

/** Sends a request from another address to a gateway without keys. */
function fromElsewhere(method: string, path: string): Promise<ApiResponse> {
  return fromOther({ API_KEYS: "" }, path, { "x-forwarded-for": "192.0.2.7" }, method);
}

/** Sends a request to a gateway of its own with these settings. */
async function fromOther(
  env: Readonly<Record<string, string>>,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = "POST",
): Promise<ApiResponse> {
  const other = await startCluster({ env });
  try {
    return await request(new URL(path, other.telegram[0]).href, { method, headers });
  } finally {
    await other.stop();
  }
}

/** Opens one stream more than a key may have. */
async function openStreams(base: string, key: string): Promise<ApiResponse> {
  const headers = { "x-api-key": key };
  const open = await Promise.all(Array.from({ length: 8 }, () => EventStream.open(`${base}/admin/events`, headers)));
  try {
    return await request(`${base}/admin/events`, { headers });
  } finally {
    for (const stream of open) stream.close();
  }
}
