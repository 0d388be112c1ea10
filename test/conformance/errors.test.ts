import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSessionId, newSessionSecret } from "../../shared/contract/ids.js";
import { platforms } from "../../shared/contract/platform.js";
import { bodyMaxBytes, headerMaxBytes, jsonMaxDepth } from "../../shared/limits.js";
import { createSession, loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { callWire } from "../harness/wire.js";
import { eachPlatform } from "./platforms-under-test.js";
import { badRequest, error, notConnected, sessionNotFound } from "./refused.js";
import { credentialsOf, sendTo, type Credentials, type Headers } from "./send-to.js";

/** Tests the common rules of both variants, and every row of their error tables that a single request can cause. */
let gateway: TestCluster;
beforeAll(async () => {
  gateway = await startCluster({ allInOne: true });
});
afterAll(() => gateway.stop());

const invalidHeader = error(badRequest("invalid header"));
const tooLong = "a".repeat(headerMaxBytes + 1);

describe.each(eachPlatform)(
  "$platform",
  ({ platform, endpoints, refusedRequests, refusedCreations, unknownChats, absentRoutes, otherMethods }) => {
    let connected: Caller;
    let waiting: Caller;
    beforeAll(async () => {
      connected = await loggedIn(gateway, "alice", platform);
      waiting = await createSession(gateway, platform);
    });

    const base = (): string => gateway[platform][0] ?? "";
    const send = (route: string, headers: Headers, body?: unknown): Promise<unknown> => sendTo(base(), route, headers, body);
    const all = Object.values(endpoints);
    const withBody = all.flatMap(({ route, body }) => (body === undefined ? [] : [{ route, body }]));

    describe.each(all)("$route", ({ route, body }) => {
      it.each<[string, (given: Credentials) => Headers]>([
        ["without headers", () => ({})],
        ["without session-id", ({ id }) => ({ id })],
        ["without id", ({ "session-id": secret }) => ({ "session-id": secret })],
        ["with an empty id", (given) => ({ ...given, id: "" })],
        ["with an empty session-id", (given) => ({ ...given, "session-id": "" })],
        ["with an id over 128 bytes", (given) => ({ ...given, id: tooLong })],
        ["with a session-id over 128 bytes", (given) => ({ ...given, "session-id": tooLong })],
      ])("%s: 400 invalid header, before the body", async (_, change) => {
        const headers = change(credentialsOf(connected));
        expect(await send(route, headers, body)).toEqual(invalidHeader);
        if (body !== undefined) expect(await send(route, headers, "{")).toEqual(invalidHeader);
      });

      it.each(["id", "session-id"] as const)("with %s twice: 400 invalid header", async (name) => {
        const [method, path = ""] = route.split(" ");
        const given = credentialsOf(connected);
        const response = await callWire(base(), `${new URL(base()).pathname}${path}`, {
          method: methods.find((candidate) => candidate === method) ?? "GET",
          headers: { ...given, [name]: [given[name], given[name]] },
        });
        expect({ status: response.status, body: JSON.parse(String(response.body)) as unknown }).toEqual(invalidHeader);
      });

      it.each<[string, (given: Credentials) => Headers | Promise<Headers>]>([
        ["an unknown id", (given) => ({ ...given, id: newSessionId(Date.now()) })],
        ["another secret", (given) => ({ ...given, "session-id": newSessionSecret() })],
        ["the secret of another session", (given) => ({ ...given, "session-id": waiting.credentials.sessionId })],
        ["an id of another shape", (given) => ({ ...given, id: "x" })],
        ["an id that is a path", (given) => ({ ...given, id: "../../etc" })],
      ])("with %s: 404 session not found, before the body", async (_, change) => {
        const headers = await change(credentialsOf(connected));
        expect(await send(route, headers, body)).toEqual(error(sessionNotFound));
        if (body !== undefined) expect(await send(route, headers, "{")).toEqual(error(sessionNotFound));
      });
    });

    describe.each(withBody)("a body of $route", ({ route }) => {
      it.each<[string, string, string]>([
        ["a list", "[]", "body must be an object"],
        ["null", "null", "body must be an object"],
        ["a text", '"x"', "body must be an object"],
        ["half an object", '{"type":', "body must be valid JSON"],
        ["no JSON", "type=text", "body must be valid JSON"],
        ["nested too deeply", nested(jsonMaxDepth + 1), `body must not be nested deeper than ${jsonMaxDepth} levels`],
      ])("%s: 400", async (_, body, message) => {
        expect(await send(route, credentialsOf(connected), body)).toEqual(error(badRequest(message)));
      });

      it("that is not declared as JSON: 400", async () => {
        expect(await send(route, { ...credentialsOf(connected), "content-type": "text/plain" }, "{}")).toEqual(
          error(badRequest("content-type must be application/json")),
        );
      });

      it("over 64 KiB: 413", async () => {
        expect(await send(route, credentialsOf(connected), { type: "text", text: "x".repeat(bodyMaxBytes) })).toEqual({
          status: 413,
          body: { statusCode: 413, message: expect.any(String) as string },
        });
      });
    });

    describe("parameters and bodies: 400, connected or not", () => {
      it.each(refusedRequests)("%s %j", async (route, body, message) => {
        for (const caller of [connected, waiting])
          expect(await send(route, credentialsOf(caller), body)).toEqual(error(badRequest(message)));
      });
    });

    describe("a session that is not connected", () => {
      it.each(all.flatMap(({ route, body, unconnected }) => (unconnected === "answers" ? [] : [{ route, body, unconnected }])))(
        "a good $route: $unconnected.status $unconnected.message",
        async ({ route, body, unconnected }) => {
          expect(await send(route, credentialsOf(waiting), body)).toEqual(error(unconnected));
        },
      );

      it("can be read, and waits for no password", async () => {
        expect(await send("GET /session", credentialsOf(waiting))).toMatchObject({
          status: 200,
          body: { id: waiting.credentials.id, isConnected: false, isPasswordRequired: false, passwordHint: "" },
        });
      });
    });

    describe("a chat that the account does not have", () => {
      it.each(unknownChats)("GET $path: $refused.status $refused.message", async ({ path, refused }) => {
        expect(await send(`GET ${path}`, credentialsOf(connected))).toEqual(error(refused));
      });

      it.each(unknownChats)("GET $path without a connection: 500 session not connected", async ({ path }) => {
        expect(await send(`GET ${path}`, credentialsOf(waiting))).toEqual(error(notConnected));
      });
    });

    describe("what is not there", () => {
      const everywhere = ["GET /", "OPTIONS /nothing", "GET /nothing", "GET /nothing/here", "GET /media/x"];
      it.each([...everywhere, ...absentRoutes])("%s: 404 in shape, with credentials and without", async (route) => {
        const [method = "", path = ""] = route.split(" ");
        const nothing = error({ status: 404, message: `Cannot ${method} /${platform}${path}` });
        const body = method === "POST" || method === "PUT" ? { url: "http://example.com", token: "t" } : undefined;
        for (const headers of [credentialsOf(connected), {}]) expect(await send(route, headers, body)).toEqual(nothing);
      });

      it.each(["PUT /session", "PATCH /session", "GET /message", "GET /status", ...otherMethods])(
        "%s: 405 in shape, with credentials and without",
        async (route) => {
          const [method = "", path = ""] = route.split(" ");
          const other = error({ status: 405, message: `Cannot ${method} /${platform}${path}` });
          for (const headers of [credentialsOf(connected), {}]) expect(await send(route, headers)).toEqual(other);
        },
      );

      it("OPTIONS /session: 204, which needs no credentials", async () => {
        expect(await send("OPTIONS /session", {})).toMatchObject({ status: 204 });
      });

      it.each(platforms.filter((other) => other !== platform))("a session of %s", async (other) => {
        expect(await send("GET /session", credentialsOf(await createSession(gateway, other)))).toEqual(error(sessionNotFound));
      });
    });

    describe("creation", () => {
      it.each<[string, Headers]>([
        ["without a key", {}],
        ["with a wrong key", { "x-api-key": "wrong" }],
      ])("%s: 401", async (_, headers) => {
        expect(await send("POST /session", headers)).toMatchObject({ status: 401, body: { statusCode: 401 } });
      });

      it.each<readonly [unknown, string]>([["[]", "body must be an object"], ["{", "body must be valid JSON"], ...refusedCreations])(
        "with %j: 400 %s",
        async (body, message) => {
          expect(await send("POST /session", { "x-api-key": gateway.adminKey }, body)).toEqual(error(badRequest(message)));
        },
      );
    });

    describe("after deletion", () => {
      it("every call with the pair responds with 404", async () => {
        const gone = await createSession(gateway, platform);
        expect(await send("DELETE /session", credentialsOf(gone))).toEqual({ status: 200, body: { id: gone.credentials.id } });
        for (const { route, body } of all) expect(await send(route, credentialsOf(gone), body), route).toEqual(error(sessionNotFound));
      });
    });
  },
);

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}
