import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSessionId } from "../../shared/contract/ids.js";
import { loggedIn, request, createSession, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";
import { error, notConnected, sessionNotFound } from "./refused.js";
import { credentialsOf, sendTo } from "./send-to.js";

/** Calls about one message: the rules that hold on every platform, whatever the call does. */
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

interface ChangeCall {
  readonly route: string;
  readonly body?: object;
}

/** A call that is valid for a message of the chat, and the stanza or method that it causes. */
interface ChangeUnderTest {
  readonly name: string;
  readonly of: (to: object, messageId: string) => ChangeCall;
  readonly method: { readonly whatsapp: string; readonly telegram: string };
  /** The same call with another content. */
  readonly other: (to: object, messageId: string) => ChangeCall;
}

const queryOf = (to: object): string => new URLSearchParams(Object.entries(to) as [string, string][]).toString();

const changes: readonly ChangeUnderTest[] = [
  {
    name: "a reaction",
    of: (to, messageId) => ({ route: "POST /message/reaction", body: { ...to, messageId, emoji: "👍" } }),
    other: (to, messageId) => ({ route: "POST /message/reaction", body: { ...to, messageId, emoji: "🔥" } }),
    method: { whatsapp: "message", telegram: "messages.sendReaction" },
  },
  {
    name: "a mark as read",
    of: (to, messageId) => ({ route: "POST /message/read", body: { ...to, messageId } }),
    other: (to, messageId) => ({ route: "POST /message/read", body: { ...to, messageId: `${messageId}1` } }),
    method: { whatsapp: "receipt", telegram: "messages.readHistory" },
  },
  {
    name: "an edit",
    of: (to, messageId) => ({ route: `PATCH /message/${messageId}`, body: { ...to, text: "edited" } }),
    other: (to, messageId) => ({ route: `PATCH /message/${messageId}1`, body: { ...to, text: "edited" } }),
    method: { whatsapp: "message", telegram: "messages.editMessage" },
  },
  {
    name: "a deletion",
    of: (to, messageId) => ({ route: `DELETE /message/${messageId}?${queryOf(to)}` }),
    other: (to, messageId) => ({ route: `DELETE /message/${messageId}1?${queryOf(to)}` }),
    method: { whatsapp: "message", telegram: "messages.deleteMessages" },
  },
];

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  let alice: Caller;
  let bob: object;
  beforeAll(async () => {
    side = new BobSide(gateway, underTest);
    alice = await loggedIn(gateway, "alice", platform);
    bob = await side.bob();
  });

  const ask = ({ route, body }: ChangeCall, more: Record<string, string> = {}, router = 0, by = alice): ReturnType<typeof sendTo> =>
    sendTo(gateway[platform][router] ?? "", route, { ...credentialsOf(by), ...more }, body);
  const sent = async (): Promise<string> => {
    const { body } = await alice.send("POST", "/message", { ...bob, type: "text", text: randomUUID() });
    return (body as { messageId: string }).messageId;
  };

  describe.each(changes)("$name", ({ of, other, method }) => {
    it("is made once for one idempotency key, at every router, and another body is 422", async () => {
      const messageId = await sent();
      const key = { "idempotency-key": randomUUID() };
      const first = await ask(of(bob, messageId), key);
      expect(first).toMatchObject({ status: 200 });
      const before = await side.calls(method[platform]);
      for (const router of [0, 1]) expect(await ask(of(bob, messageId), key, router)).toEqual(first);
      expect(await ask(other(bob, messageId), key)).toEqual(
        error({ status: 422, message: "idempotency key was used for another request" }),
      );
      expect(await side.calls(method[platform])).toBe(before);
    });

    it("rejects unknown fields with their names, before all others", async () => {
      const { route, body } = of(bob, "1");
      const [method, path = ""] = route.split(" ");
      const call =
        body === undefined
          ? { route: `${method} ${path}${path.includes("?") ? "&" : "?"}emojy=1&replyto=2` }
          : { route, body: { ...body, emojy: 1, replyto: "2" } };
      const message = "property emojy should not exist\nproperty replyto should not exist";
      expect(await ask(call)).toEqual(error({ status: 400, message }));
    });

    it("with an unknown session or another tenant's key: 404; without a connection: 500", async () => {
      const base = gateway[platform][0] ?? "";
      const { route, body } = of(bob, "1");
      const { id } = alice.credentials;
      for (const headers of [
        { ...credentialsOf(alice), id: newSessionId(Date.now()) },
        { id, "x-api-key": otherTenant },
      ])
        expect(await sendTo(base, route, headers, body)).toEqual(error(sessionNotFound));
      const waiting = await createSession(gateway, platform);
      expect(await ask(of(bob, "1"), {}, 0, waiting)).toEqual(error(notConnected));
    });
  });
});
