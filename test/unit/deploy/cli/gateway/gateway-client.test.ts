import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exitCodes } from "../../../../../deploy/cli/exit-code.js";
import { GatewayClient } from "../../../../../deploy/cli/gateway/gateway-client.js";
import { ndjson } from "../../../../../deploy/cli/gateway/ndjson.js";

/**
 * A server whose response each test chooses, called by Node's own fetch. Each test has its own server, because an aborted request may
 * arrive late.
 */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[];
let server: Server;
beforeEach(async () => {
  const heard: string[] = [];
  asked = heard;
  server = createServer((request, response) => {
    heard.push(String(request.headers["x-api-key"]));
    answer(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const client = (keys: readonly string[] = ["key"], signal = new AbortController().signal): GatewayClient =>
  new GatewayClient(
    {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      paths: { whatsapp: "/whatsapp", telegram: "/telegram" },
      sandbox: undefined,
      keys,
    },
    signal,
  );
const isId = (body: unknown): body is { id: string } => typeof body === "object" && body !== null && "id" in body;

describe("a response", () => {
  it("is the body, when it has the expected shape", async () => {
    answer = json(200, { id: "1" });
    expect(await client().request({ path: "/x" }, isId)).toEqual({ id: "1" });
  });
  it.each<[number, unknown, string, number]>([
    [400, { message: "limit must be an integer" }, "limit must be an integer (400, request r1)", exitCodes.usage],
    [401, { message: "invalid api key" }, "invalid api key (401, request r1)", exitCodes.refused],
    [403, { message: "not allowed" }, "not allowed (403, request r1)", exitCodes.refused],
    [404, { message: "session not found" }, "session not found (404, request r1)", exitCodes.notFound],
    [409, { message: "tenant exists" }, "tenant exists (409, request r1)", exitCodes.conflict],
    [429, { message: "too many requests" }, "too many requests (429, request r1)", exitCodes.conflict],
    [500, { message: "session not connected" }, "session not connected (500, request r1)", exitCodes.failed],
    [502, "<html>", "Bad Gateway (502, request r1)", exitCodes.failed],
  ])("of %i is the gateway's sentence and an exit code", async (status, body, message, exitCode) => {
    answer = json(status, body, { "x-request-id": "r1" });
    await expect(client().request({ path: "/x" }, isId)).rejects.toMatchObject({ message, exitCode });
  });
  it("of another shape is said to be of another version", async () => {
    answer = json(200, { other: 1 });
    await expect(client().request({ path: "/x" }, isId)).rejects.toThrow("check that the gateway and the CLI have the same version");
  });
  it("that does not come ends with the time-out, and without a server at once", async () => {
    answer = () => undefined;
    await expect(client().request({ path: "/x", timeoutMs: 50 }, isId)).rejects.toMatchObject({
      exitCode: exitCodes.unreachable,
      message: expect.stringContaining("time-out") as string,
    });
    const nobody = new GatewayClient({ ...client().address, origin: "http://127.0.0.1:1" }, new AbortController().signal);
    await expect(nobody.request({ path: "/x" }, isId)).rejects.toMatchObject({ exitCode: exitCodes.unreachable });
  });
  it("that redirects is not followed: the key would go along", async () => {
    answer = (_, response) => void response.writeHead(302, { location: "/elsewhere" }).end();
    await expect(client().request({ path: "/x" }, isId)).rejects.toMatchObject({ exitCode: exitCodes.unreachable });
    expect(asked).toEqual(["key"]);
  });
});

describe("keys", () => {
  const only = (right: string) => (request: IncomingMessage, response: ServerResponse) =>
    json(
      request.headers["x-api-key"] === right ? 200 : 401,
      request.headers["x-api-key"] === right ? { id: "1" } : { message: "invalid api key" },
    )(request, response);
  it("are tried until one is taken, which is kept to", async () => {
    answer = only("of-compose");
    const asking = client(["of-a-trial", "of-compose"]);
    await asking.request({ path: "/x" }, isId);
    await asking.request({ path: "/x" }, isId);
    expect(asked).toEqual(["of-a-trial", "of-compose", "of-compose"]);
  });
  it("that none is taken of are told", async () => {
    answer = only("another");
    await expect(client(["a", "b"]).request({ path: "/x" }, isId)).rejects.toThrow("invalid api key");
    await expect(client([]).request({ path: "/x" }, isId)).rejects.toMatchObject({
      exitCode: exitCodes.refused,
      message: expect.stringContaining("TRUNKLINE_KEY") as string,
    });
  });
});

describe("a stream", () => {
  it("is read line by line, also where lines are torn, and says where it broke off", async () => {
    answer = (_, response) => {
      response.writeHead(200);
      response.write('{"id":"1"}\n{"i');
      setImmediate(() => response.end('d":"ü"}\n{"statusCode":503,"message":"server busy"}\n'));
    };
    const found: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { id } of ndjson(await client().stream({ path: "/x" }), isId)) found.push(id);
    };
    await expect(read()).rejects.toThrow("the list broke off: server busy");
    expect(found).toEqual(["1", "ü"]);
  });
  it("ends with Ctrl-C", async () => {
    answer = (_, response) => void response.writeHead(200).write("{}\n");
    const interrupted = new AbortController();
    const response = await client(["key"], interrupted.signal).stream({ path: "/x" });
    interrupted.abort(new Error("interrupted"));
    await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
  });
});
