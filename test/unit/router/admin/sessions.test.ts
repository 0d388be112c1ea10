import { SchemaFollower } from "../../../../shared/cluster/schema/schema-follower.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { atMost, type AdminHandler } from "../../../../router/admin/admin-handler.js";
import { changeSessions } from "../../../../router/admin/bulk-sessions.js";
import { SessionDirectory } from "../../../../router/admin/session-directory.js";
import {
  deleteSession,
  getSession,
  listSessions,
  moveSession,
  restartSession,
  type SessionsParts,
} from "../../../../router/admin/sessions.js";
import { listMembers } from "../../../../router/admin/members.js";
import { getSlot, listSlots } from "../../../../router/admin/slots.js";
import { writeReport } from "../../../../shared/cluster/process-report.js";
import type { CommandPort } from "../../../../router/endpoint/endpoint.js";
import type { Identity } from "../../../../router/http/identity.js";
import type { HttpMethod, HttpRequest } from "../../../../router/http/request.js";
import { SessionReader } from "../../../../router/sessions/session-reader.js";
import { movesPerHour, SessionMoves } from "../../../../router/tenant/session-moves.js";
import type { Principal } from "../../../../router/tenant/principal.js";
import { MemberWatch } from "../../../../shared/cluster/member-watch.js";
import { join } from "../../../../shared/cluster/membership.js";
import { readMarks } from "../../../../shared/cluster/operator-marks.js";
import { readOwner } from "../../../../shared/cluster/ownership.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { removeProxy, setProxy } from "../../../../router/admin/session-proxy.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { newestSchema } from "../../../../shared/cluster/schema/schema-version.js";
import { tenantProxyContext } from "../../../../shared/tenant/tenant-proxy.js";
import { keys } from "../../../../shared/redis/keys.js";
import { anyLife, ownedSession, testRing } from "../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { aRequest } from "../support.js";
import { untracked } from "../api/untracked.js";

/** Tests the rights of each key on its own and on other tenants' sessions, with real records. */
let redis: TestRedis;
let parts: SessionsParts;
let ours: SessionId;
let theirs: SessionId;
const sent: string[] = [];
/** Proxies that the shard received. */
const given: unknown[] = [];
let members: MemberWatch;
let schema: SchemaFollower;
let movesRefused = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  sent.length = 0;
  given.length = 0;
  movesRefused = 0;
  await join(redis.client, { name: "a", incarnation: "i1", weight: 1, host: "h1" });
  members = new MemberWatch({ redis: redis.client, subscriber: redis.client, log: silentLog });
  await members.poll();
  schema = new SchemaFollower({ redis: redis.client, written: newestSchema, log: silentLog });
  const owners = { atHand: () => undefined, isNew: () => false, read: (slot: number) => readOwner(redis.client, slot) };
  // Records the commands for the shard. The journey tests what a shard does with them.
  const commands = {
    call: (_platform: string, command: string, id: SessionId, input: { proxy?: string }) => {
      sent.push(`${command} ${id}`);
      if (input.proxy !== undefined) given.push(input.proxy);
      return Promise.resolve({ id });
    },
    callKeyed: () => Promise.reject(new Error("operators' calls have no idempotency key")),
  } as CommandPort;
  parts = {
    redis: redis.client,
    members,
    directory: new SessionDirectory(redis.client, members, testRing, schema),
    sessions: new SessionReader(redis.client, members, owners, untracked(redis.client), schema),
    commands,
    ring: testRing,
    moves: new SessionMoves(redis.client, { moveRefused: () => void (movesRefused += 1) }),
    stands: () => true,
    log: silentLog,
  };
  [ours, theirs] = [await sessionOf("acme"), await sessionOf("other")];
});

async function sessionOf(tenant: string): Promise<SessionId> {
  const { writer, id, token } = await ownedSession(redis.client);
  const account = { generatedId: "7", name: tenant, username: "", phone: "15550001", picture: "" };
  await writer.writeState({ id, token }, { kind: "connected", account }, anyLife, "");
  await redis.client.hset(keys.session(id), "tenant", tenant);
  return id;
}

const acme = "acme" as TenantName;
const admin: Principal = { keyId: "1", role: "admin" };
const tenant: Principal = { keyId: "2", role: "tenant", tenant: acme, incarnation: "" };
const reader: Principal = { keyId: "3", role: "read", tenant: acme, incarnation: "" };

/** Resolves with the status and the body. */
async function answer(
  handler: AdminHandler,
  principal: Principal,
  { method = "POST", id = "", query = "", body = {} }: { method?: HttpMethod; id?: string; query?: string; body?: object },
): Promise<[status: number, body: unknown]> {
  const bytes = Buffer.from(JSON.stringify(body));
  const asked = { ...aRequest({ "content-type": "application/json" }), method, query, params: { id }, body: () => Promise.resolve(bytes) };
  try {
    const { status, text } = { text: "", ...(await handler(asked, new AbortController().signal, principal)) };
    return [status, JSON.parse(text)];
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.message];
    throw error;
  }
}
/** Reads all pages, because a page ends after two seconds. */
const listedTo = async (principal: Principal, query = "", after = ""): Promise<string[]> => {
  const [, body] = await answer(listSessions(parts), principal, { method: "GET", query: `${query}&after=${after}` });
  const { docs, next } = body as { docs: { id: string }[]; next: string };
  const rest = next === "" ? [] : await listedTo(principal, query, next);
  return [...docs.map(({ id }) => id), ...rest].sort();
};
const notFound = [404, "session not found"];

describe("a list", () => {
  it("holds all sessions for an admin, and a tenant's own for its keys", async () => {
    expect(await listedTo(admin)).toEqual([ours, theirs].sort());
    expect(await listedTo(admin, "tenant=other")).toEqual([theirs]);
    for (const principal of [tenant, reader]) expect(await listedTo(principal)).toEqual([ours]);
  });
  it("contains nothing of another tenant, whatever the filter", async () => {
    for (const query of ["tenant=other", `q=${theirs}`, `tenant=acme&q=${theirs}`, "q=15550001&tenant=other"])
      for (const principal of [tenant, reader]) expect(await listedTo(principal, query)).toEqual([]);
  });
});

describe("one session", () => {
  it("is shown to its tenant, and not found by another's", async () => {
    for (const principal of [admin, tenant, reader])
      expect(await answer(getSession(parts), principal, { method: "GET", id: ours })).toMatchObject([
        200,
        { id: ours, tenant: "acme", state: "connected", member: "a" },
      ]);
    for (const principal of [tenant, reader])
      expect(await answer(getSession(parts), principal, { method: "GET", id: theirs })).toEqual(notFound);
  });
  it.each([
    ["restart-session", (given: SessionsParts) => restartSession(given), "POST"],
    ["delete-session", (given: SessionsParts) => deleteSession(given), "DELETE"],
  ] as const)("%s reaches the shard for its tenant and an admin, and for nobody else", async (command, handler, method) => {
    expect(await answer(handler(parts), tenant, { method, id: theirs })).toEqual(notFound);
    expect(sent).toEqual([]);
    expect(await answer(handler(parts), tenant, { method, id: ours })).toEqual([200, { id: ours }]);
    expect(await answer(handler(parts), admin, { method, id: theirs })).toEqual([200, { id: theirs }]);
    expect(sent).toEqual([`${command} ${ours}`, `${command} ${theirs}`]);
  });
  it("moves for its tenant without the number of sessions that move along, and is not found for another tenant", async () => {
    expect(await answer(moveSession(parts), tenant, { id: theirs, body: { member: "a" } })).toEqual(notFound);
    expect((await readMarks(redis.client)).pins.size).toBe(0);
    expect(await answer(moveSession(parts), tenant, { id: ours, body: { member: "a" } })).toEqual([
      200,
      { id: ours, slot: slotOf(ours), member: "a" },
    ]);
    expect(await answer(moveSession(parts), admin, { id: theirs, body: { member: "a" } })).toMatchObject([
      200,
      { sessions: slotOf(ours) === slotOf(theirs) ? 2 : 1 },
    ]);
  });
  it("moves at most ten times an hour for its tenant across routers and targets, without a limit for an admin", async () => {
    const move = (principal: Principal) => answer(moveSession(parts), principal, { id: ours, body: { member: "a" } });
    // A move that is rejected for another reason is not counted.
    expect(await answer(moveSession(parts), tenant, { id: ours, body: { member: "b" } })).toEqual([404, "member not found"]);
    for (let n = 0; n < movesPerHour; n += 1) expect((await move(tenant))[0]).toBe(200);
    parts = { ...parts, moves: new SessionMoves(redis.client, { moveRefused: () => void (movesRefused += 1) }) };
    expect(await move(tenant)).toEqual([429, "too many requests"]);
    const refusal = await parts.moves.take(acme).catch((error: unknown) => error);
    expect((refusal as ApiError).retryAfterSeconds).toBeGreaterThan(300);
    expect((refusal as ApiError).retryAfterSeconds).toBeLessThanOrEqual(360);
    expect(movesRefused).toBe(2);
    expect((await move(admin))[0]).toBe(200);
    await expect(parts.moves.take("other" as TenantName)).resolves.toBeUndefined();
  });
});

it("how many sessions others have in a slot or a shard is an admin's to know", async () => {
  const count = async (principal: Principal): Promise<unknown[]> => {
    const [, slot] = await slotSeenBy(principal);
    const members = await answer(listMembers(parts), principal, { method: "GET" });
    const { docs } = members[1] as { docs: { role: string; sessions: unknown }[] };
    return [(slot as { sessions: unknown }).sessions, docs.find(({ role }) => role === "shard")?.sessions];
  };
  const slotSeenBy = async (principal: Principal): Promise<[number, unknown]> => {
    const request = { ...aRequest({}), params: { slot: String(slotOf(theirs)) } };
    const { status, text } = { text: "", ...(await getSlot(parts)(request, new AbortController().signal, principal)) };
    return [status, JSON.parse(text)];
  };
  const load = { slots: 1, sessions: 7, loopLagMs: 0, memoryBytes: 1 };
  await writeReport(redis.client, { role: "shard", name: "a", host: "h1", version: "1", ...load });
  expect(await count(admin)).toEqual([slotOf(ours) === slotOf(theirs) ? 2 : 1, 7]);
  for (const principal of [tenant, reader]) expect(await count(principal)).toEqual([null, null]);
});

it("lists the owner and the pin of every slot, in pages", async () => {
  await redis.client.hset(keys.pins, "4095", "a");
  const owned = new Set([slotOf(ours), slotOf(theirs)]);
  const rows: { slot: number; state: string; member: string; pin: string }[] = [];
  for (let after = ""; ; ) {
    const [status, body] = await answer(listSlots(parts), reader, { method: "GET", query: `limit=1000&after=${after}` });
    const { docs, next } = body as { docs: typeof rows; next: string };
    expect(status).toBe(200);
    rows.push(...docs);
    if (next === "") break;
    after = next;
  }
  expect(rows.map(({ slot }) => slot)).toEqual(Array.from({ length: 4096 }, (_, slot) => slot));
  expect(new Set(rows.filter(({ member }) => member !== "").map(({ slot }) => slot))).toEqual(owned);
  expect(rows.filter(({ pin }) => pin !== "")).toEqual([{ slot: 4095, state: "free", member: "", pin: "a" }]);
});

describe("the proxy of a session", () => {
  const url = "socks5://ann:c0rrect-h0rse@proxy.example.com:1080";
  const address = "socks5://***@proxy.example.com:1080";
  const ofTenant = "http://b0b:s3cret@10.0.0.1:3128";
  const way = async (principal: Principal): Promise<unknown> => {
    const [, body] = await answer(getSession(parts), principal, { method: "GET", id: ours });
    return (body as { proxy: unknown }).proxy;
  };
  const put = (body: object, { principal = tenant, id = ours } = {}) => answer(setProxy(parts), principal, { method: "PUT", id, body });
  const remove = (principal: Principal, id: string = ours) => answer(removeProxy(parts), principal, { method: "DELETE", id });

  it("is set and removed by its tenant and an admin, and is shown without its login", async () => {
    expect(await put({ proxy: url })).toEqual([200, { id: ours, proxy: { of: "session", address } }]);
    expect(await remove(admin)).toEqual([200, { id: ours, proxy: { of: "none", address: "" } }]);
    expect(given).toEqual([url, ""]);
    for (const refused of [
      await put({ proxy: url }, { id: theirs }),
      await remove(tenant, theirs),
      await put({ proxy: url }, { id: "no id" as SessionId }),
    ])
      expect(refused).toEqual(notFound);
    expect(sent).toEqual([`set-proxy ${ours}`, `set-proxy ${ours}`]);
  });

  it("is that of its tenant without one of its own, whose address is an operator's to know", async () => {
    expect(await way(admin)).toEqual({ of: "none", address: "" });
    await redis.client.hset(keys.tenantProxies, "acme", testRing.seal(Buffer.from(ofTenant), tenantProxyContext("acme")));
    expect(await way(admin)).toEqual({ of: "tenant", address: "http://***@10.0.0.1:3128" });
    for (const principal of [tenant, reader]) expect(await way(principal)).toEqual({ of: "tenant", address: "" });
    expect(await remove(tenant)).toEqual([200, { id: ours, proxy: { of: "tenant", address: "" } }]);
  });

  it("is that of the key that created it, whose address is an operator's to know as well", async () => {
    await redis.client.hset(keys.session(ours), { proxy: "z.altered", proxyOf: "key" });
    expect(await way(admin)).toEqual({ of: "key", address: "***" });
    for (const principal of [tenant, reader]) expect(await way(principal)).toEqual({ of: "key", address: "" });
  });

  it("that came with the operator's key is the operator's: a tenant neither removes nor replaces it", async () => {
    await redis.client.hset(keys.session(ours), { proxy: "z.altered", proxyOf: "key" });
    const refused = [403, "the role of this api key does not permit this call"];
    expect([await remove(tenant), await put({ proxy: url })]).toEqual([refused, refused]);
    expect(sent).toEqual([]);
    expect((await remove(admin))[0]).toBe(200);
    await redis.client.hset(keys.session(ours), { proxyOf: "" });
    expect((await remove(tenant))[0]).toBe(200);
  });

  it("that does not open is shown as nothing but that it is there", async () => {
    await redis.client.hset(keys.tenantProxies, "acme", "z.altered");
    expect(await way(admin)).toEqual({ of: "tenant", address: "***" });
  });

  const wrong = "proxy must be socks5://[user:password@]host:port or http://[user:password@]host:port";
  it.each<[string, object, string]>([
    ["nothing", {}, "proxy should not be empty"],
    ["an empty text", { proxy: "" }, "proxy should not be empty"],
    ["null", { proxy: null }, "proxy should not be empty"],
    ["a number", { proxy: 1080 }, wrong],
    ["a list", { proxy: [url] }, wrong],
    ["another scheme", { proxy: "file:///etc/passwd" }, wrong],
    ["a script", { proxy: "javascript://x:1/%0aalert(1)" }, wrong],
    ["a path", { proxy: `${url}/path` }, wrong],
    ["no port", { proxy: "socks5://proxy.example.com" }, wrong],
    ["too much", { proxy: `socks5://${"a".repeat(60_000)}:1080` }, wrong],
    ["a host that is none", { proxy: "socks5://a%00b:1080" }, wrong],
    ["half a character", { proxy: "socks5://ann:\ud83d%ff@proxy.example.com:1080" }, wrong],
    ["what the call does not know", { proxy: url, tenant: "other" }, "unknown field tenant"],
  ])("is not %s", async (_, body, sentence) => {
    expect(await put(body)).toEqual([400, sentence]);
    expect(sent).toEqual([]);
  });
});

/** Resolves with the lines of a streamed response. Calls `onLine` before it reads each further line. */
async function linesOf(handler: AdminHandler, principal: Principal, given: Partial<HttpRequest>, onLine = (_: number): void => undefined) {
  const did: [string, Identity, number][] = [];
  const request: HttpRequest = {
    ...aRequest({ "content-type": "application/json", accept: "application/x-ndjson" }),
    ...{ auditAlso: (...row) => void did.push(row) },
    ...given,
  };
  const left = new AbortController();
  const answer = await handler(request, left.signal, principal);
  if (answer.kind !== "open-ended") throw new Error(`answered as ${answer.kind}`);
  let text = "";
  for (let next = await answer.body.next(); next.done !== true; next = await answer.body.next()) {
    text += Buffer.from(next.value).toString();
    onLine(text.split("\n").length - 1);
  }
  return {
    lines: text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
    did,
    answer,
  };
}

describe("a list as lines", () => {
  const get = (query = ""): Partial<HttpRequest> => ({ method: "GET", query });
  const idsOf = (lines: readonly Record<string, unknown>[]): unknown[] => lines.map(({ id }) => id).sort();

  it("holds what pages hold, and nothing of another tenant", async () => {
    expect(idsOf((await linesOf(listSessions(parts), admin, get())).lines)).toEqual([ours, theirs].sort());
    for (const principal of [tenant, reader]) {
      expect(idsOf((await linesOf(listSessions(parts), principal, get())).lines)).toEqual([ours]);
      expect((await linesOf(listSessions(parts), principal, get("tenant=other"))).lines).toEqual([]);
    }
    const [first, second] = (await linesOf(listSessions(parts), admin, get())).lines;
    const rest = await linesOf(listSessions(parts), admin, get(`after=${String(first?.["slot"])}.${String(first?.["id"])}`));
    expect(rest.lines).toEqual([second]);
  });

  it("is all of them, page by page", async () => {
    const more = await Promise.all(Array.from({ length: 40 }, () => sessionOf("acme")));
    parts = { ...parts, directory: new SessionDirectory(redis.client, members, testRing, schema, { scanned: 7 }) };
    expect(idsOf((await linesOf(listSessions(parts), tenant, get())).lines)).toEqual([ours, ...more].sort());
  });

  it("ends with a line that says so when it breaks off", async () => {
    parts = { ...parts, directory: new SessionDirectory(redis.client, members, testRing, schema, { scanned: 1 }), stands: () => false };
    const { lines } = await linesOf(listSessions(parts), admin, get());
    expect(lines.at(-1)).toEqual({ statusCode: 401, message: "invalid api key" });
    expect(lines).toHaveLength(2);
  });

  it.each([
    ["limit=5", "unknown field limit"],
    ["after=here", "after must be the next of a previous page"],
    ["state=gone", "state must be one of the following values: awaiting-qr, awaiting-password, connected, disconnected"],
  ])("%s: 400", async (query, message) => {
    await expect(linesOf(listSessions(parts), admin, get(query))).rejects.toMatchObject({ status: 400, message });
  });
});

describe("a bulk call", () => {
  const bulk = (given: SessionsParts): AdminHandler =>
    changeSessions({ ...given, undelete: () => Promise.reject(new ApiError(409, "session is not deleted")) });
  const post = (body: object): Partial<HttpRequest> => ({ method: "POST", body: () => Promise.resolve(Buffer.from(JSON.stringify(body))) });

  it("does to each what its own call would, each judged by itself and on record", async () => {
    const { lines, did } = await linesOf(bulk(parts), tenant, post({ action: "restart", ids: [ours, theirs, ours] }));
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({ id: ours, status: 200, outcome: { id: ours } });
    expect(lines).toContainEqual({ id: theirs, status: 404, message: "session not found" });
    expect(sent).toEqual([`restart-session ${ours}`]);
    // As in a single call, another tenant's session is not named.
    expect(did).toEqual([["restart-session", { who: "2", tenant: "acme", incarnation: "", session: ours }, 200]]);
  });

  it.each<[string, object, object]>([
    ["delete", {}, { status: 200 }],
    ["move", { member: "a" }, { status: 200, outcome: { member: "a" } }],
    ["move", { member: "b" }, { status: 404, message: "member not found" }],
    ["undelete", {}, { status: 409, message: "session is not deleted" }],
  ])("%s %o: %o", async (action, more, line) => {
    const { lines } = await linesOf(bulk(parts), admin, post({ action, ids: [ours], ...more }));
    expect(lines).toMatchObject([{ id: ours, ...line }]);
  });

  it("begins eight at a time, and no more once the key is revoked", async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => sessionOf("acme")));
    let revoked = false;
    parts = { ...parts, stands: () => !revoked };
    const { lines } = await linesOf(bulk(parts), tenant, post({ action: "restart", ids }), (count) => (revoked = count >= 3));
    expect(lines.at(-1)).toEqual({ statusCode: 401, message: "invalid api key" });
    expect(lines.length - 1).toBeLessThan(12);
    expect(sent.length).toBeLessThanOrEqual(3 + 8);
  });

  it("begins no more once its client has left", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => sessionOf("acme")));
    const left = new AbortController();
    const answer = await bulk(parts)(
      { ...aRequest({ "content-type": "application/json" }), ...post({ action: "restart", ids }) },
      left.signal,
      tenant,
    );
    if (answer.kind !== "open-ended") throw new Error("not told as it comes");
    await answer.body.next();
    left.abort();
    for (let next = await answer.body.next(); next.done !== true; ) next = await answer.body.next();
    expect(sent.length).toBeLessThanOrEqual(8);
  });

  it.each<[object, string]>([
    [{}, "action must be one of the following values: restart, move, delete, undelete\nids must be 1 to 1000 database ids"],
    [{ action: "restart", ids: [] }, "ids must be 1 to 1000 database ids"],
    [{ action: "restart", ids: ["x"] }, "ids must be 1 to 1000 database ids"],
    [{ action: "restart", ids: Array.from({ length: 1_001 }, () => "65f000000000000000000001") }, "ids must be 1 to 1000 database ids"],
    [{ action: "restart", ids: ["65f000000000000000000001"], member: "a" }, "unknown field member"],
    [{ action: "move", ids: ["65f000000000000000000001"] }, "member should not be empty"],
  ])("%j is 400", async (body, message) => {
    await expect(linesOf(bulk(parts), admin, post(body))).rejects.toMatchObject({ status: 400, message });
  });
});

it("a place of a call is held until its body is over", async () => {
  const handler = atMost<undefined>(1, () =>
    listSessions(parts)(aRequest({ accept: "application/x-ndjson" }), new AbortController().signal, admin),
  );
  const ask = () => handler(aRequest({}), new AbortController().signal, undefined);
  const first = await ask();
  await expect(ask()).rejects.toMatchObject({ status: 503 });
  if (first.kind === "open-ended") await first.body.return?.();
  const second = await ask();
  if (second.kind === "open-ended") while ((await second.body.next()).done !== true);
  expect((await ask()).kind).toBe("open-ended");
});
