import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../shared/contract/ids.js";
import { createSession, loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";
import { error, notConnected, sessionNotFound } from "./refused.js";
import { credentialsOf, sendTo } from "./send-to.js";

/** Calls that change the account, its blocks and channels: the rules that hold on every platform. */
let gateway: TestCluster;
let otherTenant: string;
beforeAll(async () => {
  gateway = await startCluster({ allInOne: true, routers: 2 });
  expect((await admin("/tenants", { name: "other" })).status).toBe(201);
  otherTenant = ((await admin("/keys", { tenant: "other", role: "tenant" })).body as { key: string }).key;
});
afterAll(() => gateway.stop());

function admin(path: string, body: object): Promise<ApiResponse> {
  const headers = { "x-api-key": gateway.adminKey, "content-type": "application/json" };
  return request(`${new URL(gateway.telegram[0] ?? "").origin}/admin${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

interface AccountCall {
  readonly route: string;
  readonly body?: object;
}

interface Parts {
  /** Recipient fields of Bob. */
  readonly bob: object;
  /** Id of a channel that the account owns. */
  readonly own: string;
  /** A channel that the account may follow and leave. */
  readonly other: string;
}

const queryOf = (to: object): string => new URLSearchParams(Object.entries(to) as [string, string][]).toString();

const calls: readonly (readonly [name: string, of: (parts: Parts) => AccountCall, other: (parts: Parts) => AccountCall])[] = [
  [
    "a profile",
    () => ({ route: "PATCH /profile", body: { about: "Baker" } }),
    () => ({ route: "PATCH /profile", body: { about: "Cook" } }),
  ],
  ["a block", ({ bob }) => ({ route: "POST /block", body: bob }), ({ bob }) => ({ route: `DELETE /block?${queryOf(bob)}` })],
  [
    "the end of a block",
    ({ bob }) => ({ route: `DELETE /block?${queryOf(bob)}` }),
    // The query is all that differs.
    () => ({ route: "DELETE /block?phone=99900000001" }),
  ],
  [
    "a new channel",
    () => ({ route: "POST /channel", body: { name: "Bakery" } }),
    () => ({ route: "POST /channel", body: { name: "Bakery", description: "News" } }),
  ],
  [
    "a changed channel",
    ({ own }) => ({ route: `PATCH /channel/${own}`, body: { description: "Daily" } }),
    ({ own }) => ({ route: `PATCH /channel/${own}`, body: { description: "Weekly" } }),
  ],
  [
    "a follow",
    ({ other }) => ({ route: "POST /channel/follow", body: { channel: other } }),
    ({ own }) => ({ route: "POST /channel/follow", body: { channel: own } }),
  ],
  [
    "a leave",
    ({ other }) => ({ route: "POST /channel/leave", body: { channel: other } }),
    ({ own }) => ({ route: "POST /channel/leave", body: { channel: own } }),
  ],
];

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let alice: Caller;
  let parts: Parts;
  beforeAll(async () => {
    alice = await loggedIn(gateway, "alice", platform);
    const { docs } = (await alice.get("/channel")).body as { docs: { id: string; isOwner: boolean }[] };
    const find = (isOwner: boolean): string => docs.find((channel) => channel.isOwner === isOwner)?.id ?? "";
    parts = { bob: await new BobSide(gateway, underTest).bob(), own: find(true), other: find(false) };
  });

  const ask = ({ route, body }: AccountCall, more: Record<string, string> = {}, router = 0, by = alice): ReturnType<typeof sendTo> =>
    sendTo(gateway[platform][router] ?? "", route, { ...credentialsOf(by), ...more }, body);

  describe.each(calls)("%s", (_, of, other) => {
    it("is made once for one idempotency key, at every router, and another request is 422", async () => {
      const key = { "idempotency-key": randomUUID() };
      const first = await ask(of(parts), key);
      expect(first).toMatchObject({ status: 200 });
      for (const router of [0, 1]) expect(await ask(of(parts), key, router)).toEqual(first);
      expect(await ask(other(parts), key)).toEqual(error({ status: 422, message: "idempotency key was used for another request" }));
    });

    it("rejects unknown fields with their names, before all others", async () => {
      const { route, body } = of(parts);
      const [method, path = ""] = route.split(" ");
      const call =
        body === undefined ? { route: `${method} ${path}&emojy=1&replyto=2` } : { route, body: { ...body, emojy: 1, replyto: "2" } };
      const message = "property emojy should not exist\nproperty replyto should not exist";
      expect(await ask(call)).toEqual(error({ status: 400, message }));
    });

    it("with an unknown session or another tenant's key: 404; without a connection: 500", async () => {
      const { route, body } = of(parts);
      const { id } = alice.credentials;
      for (const headers of [
        { ...credentialsOf(alice), id: newSessionId(Date.now()) },
        { id, "x-api-key": otherTenant },
      ])
        expect(await sendTo(gateway[platform][0] ?? "", route, headers, body)).toEqual(error(sessionNotFound));
      const waiting = await createSession(gateway, platform);
      expect(await ask(of(parts), {}, 0, waiting)).toEqual(error(notConnected));
    });
  });

  it.each(Object.entries(underTest.endpoints))("%s of another tenant's session is 404", async (_, { route, body }) => {
    const headers = { id: alice.credentials.id, "x-api-key": otherTenant };
    expect(await sendTo(gateway[platform][0] ?? "", route, headers, body)).toEqual(error(sessionNotFound));
    expect((await alice.record()).isConnected).toBe(true);
  });
});
