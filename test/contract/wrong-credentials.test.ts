import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSignInCode } from "../../shared/tenant/sign-in-code.js";
import { createSession, request, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";

/** Wrong keys and secrets with default settings: ten a minute get their own error, then 429. Right ones still succeed. */
let gateway: TestCluster;
let owner: Caller;
beforeAll(async () => {
  gateway = await startCluster({ routers: 2, env: { FAILED_AUTH_PER_MINUTE: "", TRUSTED_PROXIES: "127.0.0.1" } });
  owner = await createSession(gateway);
});
afterAll(() => gateway.stop());

const origin = (router = 0): string => new URL(gateway.telegram[router] ?? "").origin;
const guess = (from: string, router = 0): Promise<ApiResponse> =>
  request(`${gateway.telegram[router] ?? ""}/session`, {
    headers: { id: owner.credentials.id, "session-id": "guessed", "x-forwarded-for": from },
  });
const wrongKey = (path: string, from: string, router = 0): Promise<ApiResponse> =>
  request(`${origin(router)}${path}`, { method: "POST", headers: { "x-api-key": "a-key-that-nobody-has", "x-forwarded-for": from } });
const statusesOf = async (count: number, ask: (n: number) => Promise<ApiResponse>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await ask(n)).status);
  return statuses;
};

it.each([
  ["POST /session", "/telegram/session", "192.0.2.1"],
  ["the admin API", "/admin/sessions/0123456789abcdef01234567/undelete", "192.0.2.2"],
])("wrong keys of one address at %s: ten are 401, the rest 429 with Retry-After, at the other router too", async (_, path, from) => {
  expect(await statusesOf(12, () => wrongKey(path, from))).toEqual([...Array<number>(10).fill(401), 429, 429]);
  const slowed = await wrongKey(path, from);
  expect(slowed).toMatchObject({ status: 429, body: { statusCode: 429, message: "too many requests" } });
  const seconds = Number(slowed.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  await eventually("told to the other router", async () => (await wrongKey(path, from, 1)).status === 429);
  // Right keys still succeed from the same address, and every other address has its own limit of ten.
  const right = await request(`${origin()}/telegram/session`, {
    method: "POST",
    headers: { "x-api-key": gateway.adminKey, "x-forwarded-for": from },
  });
  expect(right.status).toBe(201);
  expect((await wrongKey(path, `${from}9`)).status).toBe(401);
});

it("wrong sign-in codes are wrong keys: ten are 401, the rest 429, and a right one is good all the same", async () => {
  const headers = { "content-type": "application/json", "x-forwarded-for": "192.0.2.3" };
  const signIn = (code: string): Promise<ApiResponse> =>
    request(`${origin()}/admin/sign-in`, { method: "POST", headers, body: JSON.stringify({ code }) });
  expect(await statusesOf(12, () => signIn("w".repeat(32)))).toEqual([...Array<number>(10).fill(401), 429, 429]);
  expect((await signIn(await makeSignInCode(gateway.redis.client))).status).toBe(201);
});

it("wrong secrets of one session, from ever other addresses: ten are 404, the rest 429; its owner goes on", async () => {
  expect(await statusesOf(12, (n) => guess(`198.51.100.${n}`))).toEqual([...Array<number>(10).fill(404), 429, 429]);
  expect((await owner.get("/session", { "x-forwarded-for": "198.51.100.1" })).status).toBe(200);
  const unknown = { id: "0123456789abcdef01234567", "session-id": "guessed" };
  const ask = (n: number): Promise<ApiResponse> =>
    request(`${gateway.telegram[0] ?? ""}/session`, { headers: { ...unknown, "x-forwarded-for": `203.0.113.${n}` } });
  // An unknown session gets the same responses.
  expect(await statusesOf(12, ask)).toEqual([...Array<number>(10).fill(404), 429, 429]);
});

it("responds with 404 to every request for the caller's deleted session, and still slows the rest", async () => {
  const gone = await createSession(gateway);
  const from = { "x-forwarded-for": "192.0.2.9" };
  expect((await gone.send("DELETE", "/session", undefined, from)).status).toBe(200);
  expect(await statusesOf(35, () => gone.get("/session", from))).toEqual(Array<number>(35).fill(404));
  const guessed = { id: gone.credentials.id, "session-id": "guessed", ...from };
  const ask = (): Promise<ApiResponse> => request(`${gateway.telegram[0] ?? ""}/session`, { headers: guessed });
  expect(await statusesOf(12, ask)).toEqual([...Array<number>(10).fill(404), 429, 429]);
});
