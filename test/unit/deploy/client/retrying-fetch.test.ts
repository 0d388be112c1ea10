import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { retryingFetch } from "../../../../deploy/client/retrying-fetch.js";

/** A server that responds with the entries of `answers` in turn, and repeats the last one. */
let server: Server;
let base: string;
let answers: ((response: ServerResponse) => void)[];
let got: { method: string | undefined; body: string; key: string | undefined }[];

beforeEach(async () => {
  got = [];
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => void server.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const part of request) body += String(part);
  got.push({ method: request.method, body, key: request.headers["idempotency-key"]?.toString() });
  (answers.length > 1 ? answers.shift() : answers[0])?.(response);
}

const says =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(JSON.stringify({ status }));
const breaks = (response: ServerResponse): void => void response.destroy();
const send = retryingFetch({ firstWaitMs: 1 });
const post = (headers: Record<string, string> = {}): Request => new Request(base, { method: "POST", body: '{"a":1}', headers });

describe("a request", () => {
  it("that was not begun is sent again whole, until it is", async () => {
    answers = [says(429, { "retry-after": "0" }), says(503, { "x-error-code": "busy", "retry-after": "0" }), says(200)];
    expect((await send(post())).status).toBe(200);
    expect(got.map(({ body }) => body)).toEqual(Array(3).fill('{"a":1}'));
  });

  it("whose connection broke is sent again under its key", async () => {
    answers = [breaks, breaks, says(200)];
    expect((await send(post({ "idempotency-key": "k" }))).status).toBe(200);
    expect(got).toEqual(Array(3).fill({ method: "POST", body: '{"a":1}', key: "k" }));
  });

  it("is not retried without a key, because it may have been done", async () => {
    answers = [breaks, says(200)];
    await expect(send(post())).rejects.toThrow("fetch failed");
    expect(got).toHaveLength(1);
  });

  it("returns the last response when all tries are used", async () => {
    answers = [says(503, { "x-error-code": "busy" })];
    const last = await send(post());
    expect([last.status, await last.json(), got.length]).toEqual([503, { status: 503 }, 4]);
  });

  it("ends with its signal, also in a wait", async () => {
    const controller = new AbortController();
    answers = [
      (response) => {
        says(429, { "retry-after": "50" })(response);
        response.on("close", () => controller.abort());
      },
    ];
    await expect(send(new Request(base, { signal: controller.signal }))).rejects.toMatchObject({ name: "AbortError" });
    expect(got).toHaveLength(1);
  });
});
