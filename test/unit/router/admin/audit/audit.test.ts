import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import { Audit } from "../../../../../router/admin/audit/audit.js";
import { forAnybody } from "../../../../../router/endpoint/caller-handler.js";
import { catching } from "../../../../../router/endpoint/serve.js";
import { HttpApp } from "../../../../../router/http/app.js";
import type { HttpHandler, Refusal } from "../../../../../router/http/handler.js";
import { json, jsonError } from "../../../../../router/http/response.js";
import { sessionNotFound } from "../../../../../shared/contract/errors.js";
import { newSessionId } from "../../../../../shared/contract/ids.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { openSocket, RecordedMetrics, plainCatch } from "../../support.js";
import { eventually } from "../../../../harness/eventually.js";

let app: HttpApp;
let audit: Audit;
let rows: AuditRow[];
/** Rows of calls that changed nothing. */
let reads: AuditRow[];
let atWork = false;
const session = newSessionId(0);

const done: HttpHandler = (request) => {
  request.identified({ who: "session", tenant: "acme", session });
  return Promise.resolve(json(200, "{}"));
};
const operator: HttpHandler = (request) => {
  request.identified({ who: "key-1", tenant: "" });
  return Promise.resolve(request.path.includes("missing") ? jsonError(404, "member not found") : json(200, "{}"));
};
const stranger: HttpHandler = () => Promise.reject(sessionNotFound());
const slow: HttpHandler = async (request, signal) => {
  request.identified({ who: "session", tenant: "acme", session });
  atWork = true;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  return json(200, "{}");
};

beforeEach(async () => {
  rows = [];
  reads = [];
  const writer = { add: (row: AuditRow) => void rows.push(row), stop: () => Promise.resolve() };
  const ofReads = {
    add: (row: AuditRow) => {
      rows.push(row);
      reads.push(row);
    },
    stop: () => Promise.resolve(),
  };
  audit = new Audit({ writer, reads: ofReads, periodMs: 60_000 });
  app = new HttpApp({ host: "127.0.0.1", port: 0, metrics: new RecordedMetrics(), log: silentLog, audit });
  const add = (path: `/${string}`, name: string, handler: HttpHandler): void =>
    app.route("GET", path, catching(forAnybody(handler), name, plainCatch), { name, deadlineMs: 5_000 });
  add("/delete", "telegram delete-session", done);
  add("/read", "telegram get-session", done);
  add("/stranger", "telegram get-session", stranger);
  add("/slow", "telegram reset-session", slow);
  add("/admin/members/:name/drain", "admin drain-member", operator);
  add("/admin/sessions/:id/undelete", "admin undelete-session", operator);
  for (const method of ["POST", "DELETE"] as const)
    app.route(method, "/admin/members/:name/drain", catching(forAnybody(operator), "admin drain-member", plainCatch), {
      name: "admin drain-member",
      deadlineMs: 5_000,
    });
  const refusal = () => jsonError(401, "invalid api key");
  const known: Refusal = (_head, _address, identified) => {
    identified({ who: "key-2", tenant: "acme", refused: true });
    return jsonError(403, "the role of this api key does not permit this call");
  };
  app.route("GET", "/admin/tenants", operator, { name: "admin list-tenants", deadlineMs: 5_000, refusal: known });
  app.route("GET", "/group", operator, { name: "telegram list-groups", deadlineMs: 5_000, refusal: known });
  app.route("GET", "/admin/keys", operator, { name: "admin list-keys", deadlineMs: 5_000, refusal });
  await app.listen();
});
afterEach(async () => {
  await app.stop(0);
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${app.port}${path}`, { headers });

describe("a request of an authenticated caller", () => {
  it("is a row, with its session and its id", async () => {
    await get("/delete", { "session-id": "s", "x-request-id": "r-1" });
    expect(rows).toEqual([
      {
        ...{
          at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
          who: "session",
          what: "delete-session",
          target: "",
          tenant: "acme",
          session,
        },
        ...{ from: "127.0.0.1", requestId: "r-1", status: 200, count: 1 },
      },
    ]);
  });

  it("is recorded when the client left, because the change may have happened", async () => {
    const socket = await openSocket(app.port);
    socket.write("GET /slow HTTP/1.1\r\nHost: x\r\nsession-id: s\r\nx-request-id: r-2\r\n\r\n");
    await eventually("the handler at work", () => atWork);
    socket.destroy();
    await eventually("its row", () => rows.length === 1);
    expect(rows).toMatchObject([{ what: "reset-session", from: "127.0.0.1", requestId: "r-2", status: 0 }]);
  });

  it("that only reads is none", async () => {
    await get("/read", { "session-id": "s" });
    expect(rows).toEqual([]);
  });
});

describe("an operator's call", () => {
  it.each<[string, Partial<AuditRow>]>([
    ["/admin/members/shard-1/drain", { what: "drain-member", target: "members/shard-1/drain", session: "", status: 200 }],
    ["/admin/members/missing/drain", { what: "drain-member", target: "members/missing/drain", status: 404 }],
    // A malformed name may be anything, even a phone number, so it is not recorded.
    ["/admin/members/missing+4917212345/drain", { what: "drain-member", target: "", status: 404 }],
    [`/admin/sessions/${session}/undelete`, { what: "undelete-session", target: `sessions/${session}/undelete`, session }],
    ["/admin/sessions/nobody/undelete", { what: "undelete-session", session: "" }],
    ["/admin/members/a/drain?q=text", { target: "members/a/drain" }],
  ])("%s", async (path, row) => {
    await get(path, { "x-api-key": "right" });
    expect(rows).toMatchObject([{ who: "key-1", ...row }]);
  });
});

describe("calls that a key repeats", () => {
  const send = async (method: string, path: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await (await fetch(`http://127.0.0.1:${app.port}${path}`, { method })).text();
  };

  it("are one row and one with their count, where they only read or failed", async () => {
    await send("GET", "/admin/members/a/drain", 50);
    await send("POST", "/admin/members/missing/drain", 20);
    expect(rows.map(({ what, count, status }) => [what, count, status])).toEqual([
      ["drain-member", 1, 200],
      ["drain-member", 1, 404],
    ]);
    await audit.stop();
    expect(rows.slice(2).map(({ who, what, target, requestId, count, status }) => [who, what, target, requestId, count, status])).toEqual([
      ["key-1", "drain-member", "", "", 49, 200],
      ["key-1", "drain-member", "members/missing/drain", "", 19, 404],
    ]);
    expect(reads).toEqual(rows);
  });

  it("are a row each where they changed something, apart from the reads", async () => {
    await send("POST", "/admin/members/a/drain", 5);
    await send("DELETE", "/admin/members/a/drain", 5);
    expect(rows.map(({ count }) => count)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(reads).toEqual([]);
  });
});

describe("a valid key that requests another tenant's resources", () => {
  it("is named, where its role never may", async () => {
    await get("/admin/tenants", { "x-api-key": "right" });
    expect(rows).toMatchObject([{ who: "key-2", what: "list-tenants", tenant: "acme", from: "127.0.0.1", status: 403 }]);
  });

  it("is named, where the call itself is not on record", async () => {
    await get("/group", { "x-api-key": "right" });
    expect(rows).toMatchObject([{ who: "key-2", what: "refused-call", tenant: "acme", status: 403 }]);
    await audit.stop();
    expect(rows).toHaveLength(1);
  });
});

describe("credentials that are not right", () => {
  it("are one row for each address and period, however many there were", async () => {
    for (let i = 0; i < 5; i++) expect((await get("/admin/keys", { "x-api-key": "wrong" })).status).toBe(401);
    for (let i = 0; i < 5; i++) expect((await get("/stranger", { "session-id": "wrong", id: session })).status).toBe(404);
    expect(rows).toEqual([]);
    await audit.stop();
    expect(rows).toEqual([
      {
        ...{
          at: expect.any(String) as string,
          who: "unknown",
          what: "failed-authentication",
          target: "",
          tenant: "",
          session: "",
          from: "127.0.0.1",
        },
        ...{ requestId: "", status: 401, count: 10 },
      },
    ]);
  });

  it("are absent without attempts, or when the session exists", async () => {
    await get("/nothing", { "session-id": "s" });
    await get("/stranger");
    await get("/admin/members/missing/drain", { "x-api-key": "right" });
    rows = [];
    await audit.stop();
    expect(rows).toEqual([]);
  });
});
