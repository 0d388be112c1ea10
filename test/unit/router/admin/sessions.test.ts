import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AdminHandler } from "../../../../router/admin/admin-route.js";
import { SessionDirectory } from "../../../../router/admin/session-directory.js";
import {
  deleteSession,
  getSession,
  listSessions,
  moveSession,
  restartSession,
  type SessionsParts,
} from "../../../../router/admin/sessions.js";
import type { CommandPort } from "../../../../router/endpoint/endpoint.js";
import type { HttpMethod } from "../../../../router/http/request.js";
import { OpenedRecords } from "../../../../router/session/opened-records.js";
import { SessionReader } from "../../../../router/session/session-reader.js";
import { movesPerHour, SessionMoves } from "../../../../router/tenant/session-moves.js";
import type { Principal } from "../../../../router/tenant/principal.js";
import { MemberWatch } from "../../../../shared/cluster/member-watch.js";
import { join } from "../../../../shared/cluster/membership.js";
import { readMarks } from "../../../../shared/cluster/operator-marks.js";
import { readOwner } from "../../../../shared/cluster/ownership.js";
import { slotOf } from "../../../../shared/cluster/slot.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { keys } from "../../../../shared/redis/keys.js";
import { anyLife, ownedSession, testRing } from "../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { aRequest } from "../support.js";

/** What each key may do to whose sessions, over real records. */
let redis: TestRedis;
let parts: SessionsParts;
let ours: SessionId;
let theirs: SessionId;
const sent: string[] = [];
let movesRefused = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  sent.length = 0;
  movesRefused = 0;
  await join(redis.client, { name: "a", incarnation: "i1", weight: 1, host: "h1" });
  const members = new MemberWatch({ redis: redis.client, subscriber: redis.client, log: silentLog });
  await members.poll();
  const owners = { atHand: () => undefined, read: (slot: number) => readOwner(redis.client, slot) };
  // What reaches the shard is all that is asked here; what a shard does is the journey's.
  const commands = {
    call: (_platform: string, command: string, id: SessionId) => Promise.resolve((sent.push(`${command} ${id}`), { id })),
    callKeyed: () => Promise.reject(new Error("operators' calls have no idempotency key")),
  } as CommandPort;
  parts = {
    redis: redis.client,
    members,
    directory: new SessionDirectory(redis.client, members, testRing),
    sessions: new SessionReader(redis.client, members, owners, new OpenedRecords(testRing)),
    commands,
    moves: new SessionMoves(redis.client, { moveRefused: () => void (movesRefused += 1) }),
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
const tenant: Principal = { keyId: "2", role: "tenant", tenant: acme };
const reader: Principal = { keyId: "3", role: "read", tenant: acme };

/** Status and body. */
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
const listedTo = async (principal: Principal, query = ""): Promise<string[]> => {
  const [, body] = await answer(listSessions(parts), principal, { method: "GET", query });
  return (body as { docs: { id: string }[] }).docs.map(({ id }) => id).sort();
};
const notFound = [404, "session not found"];

describe("a list", () => {
  it("holds all sessions for an admin, and a tenant's own for its keys", async () => {
    expect(await listedTo(admin)).toEqual([ours, theirs].sort());
    expect(await listedTo(admin, "tenant=other")).toEqual([theirs]);
    for (const principal of [tenant, reader]) expect(await listedTo(principal)).toEqual([ours]);
  });
  it("holds nothing of another tenant, whatever is asked for", async () => {
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
  it("moves for its tenant, who is not told how many go along; another's is not found, and nothing is pinned", async () => {
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
  it("moves ten times an hour for its tenant, whichever router is asked and wherever it is moved to; an admin is not bound", async () => {
    const move = (principal: Principal) => answer(moveSession(parts), principal, { id: ours, body: { member: "a" } });
    // What is refused for another reason is no move.
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
