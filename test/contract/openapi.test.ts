import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenApiDocument, Operation } from "../../router/openapi/document-types.js";
import { createSession, loggedIn, request, type Answer, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { schemaChecker } from "../harness/schema-checker.js";

/** Every example of the document is sent to a running gateway, and what it answers is held against the document. */
let gateway: TestCluster;
let base: string;
let document: OpenApiDocument;
let faultsIn: ReturnType<typeof schemaChecker>;
const callers = { whatsapp: undefined as Caller | undefined, telegram: undefined as Caller | undefined };
/** What stands in examples, and what there is instead on the sandbox. */
let instead: readonly (readonly [example: string, real: string])[];

beforeAll(async () => {
  gateway = await startCluster();
  base = new URL(gateway.telegram[0] ?? "").origin;
  document = (await request(`${base}/openapi.json`)).body as OpenApiDocument;
  faultsIn = schemaChecker(document);
  callers.whatsapp = await loggedIn(gateway, "alice", "whatsapp");
  callers.telegram = await loggedIn(gateway, "alice", "telegram");
  const file = (name: string): string => `${gateway.sandbox}/files/${name}`;
  instead = [
    ["https://example.com/cake.jpg", file("photo.jpg")],
    ["https://example.com/oven.mp4", file("video.mp4")],
    ["https://example.com/oven.jpg", file("photo.jpg")],
    ["https://example.com/jingle.mp3", file("audio.mp3")],
    ["https://example.com/invoice.pdf", file("document.pdf")],
    ["https://example.com/hooks/trunkline", "http://127.0.0.1:9/hook"],
  ];
}, 180_000);
afterAll(() => gateway.stop());

const platforms = ["whatsapp", "telegram"] as const;

/** With a receiver's, a file's and a session's real names in the place of those of examples. */
function real(value: unknown): unknown {
  const text = instead.reduce((so, [example, actual]) => so.replaceAll(example, actual), JSON.stringify(value));
  return JSON.parse(text) as unknown;
}

function operationAt(route: string): Operation {
  const [method = "", path = ""] = route.split(" ");
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`the document has no ${route}`);
  return operation;
}

/** What is wrong with an answer by the document: an unknown status, no id, or a body of another form. */
function faultsOf({ responses }: Operation, { status, headers, body }: Answer): string[] {
  const told = responses[String(status)];
  if (told === undefined) return [`no such status: ${status} ${JSON.stringify(body)}`];
  const [content] = Object.values(told.content ?? {});
  return [...(headers.has("x-request-id") ? [] : ["no x-request-id"]), ...(content === undefined ? [] : faultsIn(content.schema, body))];
}

function requestsOf({ requestBody }: Operation): [name: string, body: unknown][] {
  const [content] = Object.values(requestBody?.content ?? {});
  return Object.entries(content?.examples ?? {}).flatMap(([name, example]) => ("value" in example ? [[name, real(example.value)]] : []));
}

describe.each(platforms)("%s: what the document shows", (platform) => {
  const ask = async (route: string, body?: unknown): Promise<Answer> => {
    const [method = "", path = ""] = route.split(" ");
    const { credentials } = callers[platform] ?? { credentials: { id: "", sessionId: "" } };
    return await request(`${gateway[platform][0] ?? ""}${path}`, {
      method,
      headers: {
        id: credentials.id,
        "session-id": credentials.sessionId,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  const idOf = async (list: string): Promise<string> => ((await ask(list)).body as { docs: { id: string }[] }).docs[0]?.id ?? "";

  it.each(["POST /message", "POST /status", "POST /typing"])("of %s is taken, and answered as it says", async (route) => {
    const operation = operationAt(route.replace(" ", ` /${platform}`));
    const requests = requestsOf(operation);
    expect(requests.length).toBeGreaterThan(1);
    for (const [name, body] of requests) {
      const answer = await ask(route, body);
      expect([name, answer.status, answer.body]).toEqual([name, 200, expect.anything()]);
      expect(faultsOf(operation, answer)).toEqual([]);
    }
  });
  it("of what is asked is what is answered", async () => {
    const group = encodeURIComponent(await idOf("GET /group"));
    const channel = encodeURIComponent(await idOf("GET /channel"));
    for (const [route, path] of [
      ["GET /session", "/session"],
      ["GET /group", "/group"],
      ["GET /group/{groupId}", `/group/${group}`],
      ["GET /group/member", `/group/member?groupId=${group}`],
      ["GET /channel", "/channel"],
      ["GET /channel/{channelId}", `/channel/${channel}`],
      ["GET /channel/message", `/channel/message?channelId=${channel}&limit=50&before=0`],
    ] as const) {
      const answer = await ask(`GET ${path}`);
      expect([route, answer.status]).toEqual([route, 200]);
      expect(faultsOf(operationAt(route.replace(" ", ` /${platform}`)), answer)).toEqual([]);
    }
  });
  it("of a request that says nothing is the sentence that it shows", async () => {
    let shown = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!path.startsWith(`/${platform}/`)) continue;
      for (const [method, operation] of Object.entries(methods)) {
        const told = operation.responses["400"]?.content?.["application/json"]?.examples?.["emptyRequest"];
        if (told === undefined || !("value" in told) || path.includes("{")) continue;
        const answer = await ask(`${method.toUpperCase()} ${path.slice(platform.length + 1)}`, method === "get" ? undefined : {});
        expect([path, answer.body]).toEqual([path, told.value]);
        shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(3);
  });
  it("of a session from its creation to its end", async () => {
    const create = operationAt(`POST /${platform}/session`);
    for (const [name, body] of requestsOf(create)) {
      const answer = await request(`${gateway[platform][0] ?? ""}/session`, {
        method: "POST",
        headers: { "x-api-key": gateway.adminKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect([name, answer.status]).toEqual([name, 201]);
      expect(faultsOf(create, answer)).toEqual([]);
    }
    const waiting = await createSession(gateway, platform);
    for (const [method, path] of [
      ["POST", "/session/reset"],
      ["DELETE", "/session"],
    ] as const) {
      const answer = await waiting.send(method, path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(faultsOf(operationAt(`${method} /${platform}${path}`), answer)).toEqual([]);
    }
    const gone = await waiting.get("/session");
    expect(gone.body).toEqual({ statusCode: 404, message: "session not found" });
    expect(faultsOf(operationAt(`GET /${platform}/session`), gone)).toEqual([]);
  });
});

describe("telegram alone", () => {
  it("sets and unsets a webhook as the document shows", async () => {
    const operation = operationAt("PUT /telegram/session/webhook");
    for (const [name, body] of requestsOf(operation)) {
      const answer = await callers.telegram?.send("PUT", "/session/webhook", body);
      expect([name, answer?.status]).toEqual([name, 200]);
      if (answer !== undefined) expect(faultsOf(operation, answer)).toEqual([]);
    }
  });
  it("answers a password that nobody asked for with a sentence of the document", async () => {
    const operation = operationAt("POST /telegram/session/password");
    for (const [, body] of requestsOf(operation)) {
      const answer = await callers.telegram?.send("POST", "/session/password", body);
      expect(answer?.body).toEqual({ statusCode: 400, message: "password is not required" });
    }
  });
});

describe("operators", () => {
  const ask = async (route: string, body?: unknown): Promise<Answer> => {
    const [method = "", path = ""] = route.split(" ");
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    return await request(`${base}${path}`, {
      method,
      headers: { "x-api-key": gateway.adminKey, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };

  it("get of each call what the document says, in the order of a day's work", async () => {
    const session = (await createSession(gateway)).credentials.id;
    const key = await ask("POST /admin/keys", { role: "create", tenant: "default" });
    const bodyOf = (route: string): unknown => requestsOf(operationAt(route))[0]?.[1];
    const steps: readonly (readonly [route: string, path: string, body?: unknown, status?: number])[] = [
      ["GET /admin/self", "/admin/self"],
      ["GET /admin/sessions", "/admin/sessions"],
      ["GET /admin/sessions/{id}", `/admin/sessions/${session}`],
      ["POST /admin/sessions/{id}/restart", `/admin/sessions/${session}/restart`],
      ["POST /admin/sessions/{id}/move", `/admin/sessions/${session}/move`, { member: "shard-1" }],
      ["POST /admin/sessions/{id}/undelete", `/admin/sessions/${session}/undelete`, undefined, 409],
      ["GET /admin/sessions/{id}/dead-letters", `/admin/sessions/${session}/dead-letters`],
      ["POST /admin/sessions/{id}/dead-letters/replay", `/admin/sessions/${session}/dead-letters/replay`, undefined, 409],
      ["GET /admin/members", "/admin/members"],
      ["POST /admin/members/{name}/drain", "/admin/members/shard-1/drain", undefined, 409],
      ["POST /admin/members/{name}/undrain", "/admin/members/shard-1/undrain"],
      ["GET /admin/slots/{slot}", "/admin/slots/2741"],
      ["PUT /admin/slots/{slot}/pin", "/admin/slots/2741/pin", bodyOf("PUT /admin/slots/{slot}/pin")],
      ["DELETE /admin/slots/{slot}/pin", "/admin/slots/2741/pin"],
      ["GET /admin/keyring", "/admin/keyring"],
      ["POST /admin/keyring/rotate", "/admin/keyring/rotate", { key: "z" }, 409],
      ["POST /admin/tenants", "/admin/tenants", bodyOf("POST /admin/tenants"), 201],
      ["GET /admin/tenants", "/admin/tenants"],
      ["GET /admin/tenants/{name}", "/admin/tenants/acme"],
      ["PATCH /admin/tenants/{name}", "/admin/tenants/acme", bodyOf("PATCH /admin/tenants/{name}")],
      ...requestsOf(operationAt("POST /admin/keys")).map(([, body]) => ["POST /admin/keys", "/admin/keys", body, 201] as const),
      ["GET /admin/keys", "/admin/keys"],
      ["DELETE /admin/keys/{id}", `/admin/keys/${(key.body as { id: string }).id}`],
      ["DELETE /admin/tenants/{name}", "/admin/tenants/acme"],
      ["POST /admin/sign-in", "/admin/sign-in", bodyOf("POST /admin/sign-in"), 401],
      ["DELETE /admin/sessions/{id}", `/admin/sessions/${session}`],
      ["GET /admin/audit", "/admin/audit"],
    ];
    for (const [route, path, body, status = 200] of steps) {
      const answer = await ask(route.replace(/ .*/, ` ${path}`), body);
      expect([route, answer.status, answer.body]).toEqual([route, status, expect.anything()]);
      expect([route, faultsOf(operationAt(route), answer)]).toEqual([route, []]);
    }
    const asked = new Set([...steps.map(([route]) => route), "GET /admin/events", "POST /admin/sessions/bulk"]);
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      path.startsWith("/admin/") ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`) : [],
    );
    expect(told.filter((route) => !asked.has(route))).toEqual([]);
  });
});

describe("the document itself", () => {
  it("is there for everybody, packed for who reads that, and again only when it is another", async () => {
    const answer = await fetch(`${base}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    const same = await fetch(`${base}/openapi.json`, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
    expect(same.status).toBe(304);
  });
  it("can be read at /docs, of which every file is this router's", async () => {
    const page = await (await fetch(`${base}/docs`)).text();
    const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file = ""]) => file).filter((file) => !file.startsWith("data:"));
    expect(files).toEqual(["/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"]);
    for (const file of files) expect((await fetch(base + file)).status).toBe(200);
  });
});
