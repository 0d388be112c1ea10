import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readEvents } from "../../../../deploy/client/read-events.js";

/** A server that sends the streams of `streams` in turn. Each one ends its connection. */
let server: Server;
let baseUrl: string;
let streams: ((response: ServerResponse) => void)[];
let asked: (string | undefined)[];

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    expect([request.url, request.headers["x-api-key"]]).toEqual(["/admin/events", "key"]);
    asked.push(request.headers["last-event-id"]?.toString());
    const next = streams.shift();
    if (next === undefined) response.writeHead(401).end('{"statusCode":401,"message":"invalid api key"}');
    else next(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const stream =
  (text: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).write(text, () => response.destroy());

it("goes on behind the last event whenever the stream breaks off, and ends where its key is none any more", async () => {
  streams = [
    stream("retry: 1\nid: 1-0\n\nid: 1-1\nevent: session\ndata: a\n\n"),
    stream(": heartbeat\nid: 1-5\n\nid: 1-6\ndata: half"),
    (response) => void response.writeHead(503).end(),
    stream("id: 1-6\nevent: session\ndata: b\n\nevent: end\ndata: {}\n\n"),
  ];
  const read: string[] = [];
  const reading = (async () => {
    for await (const { id, type, data } of readEvents({ baseUrl, apiKey: "key", lastEventId: "0-9" })) read.push(`${id} ${type} ${data}`);
  })();
  await expect(reading).rejects.toMatchObject({ name: "EventsRefused", status: 401 });
  expect(read).toEqual(["1-1 session a", "1-6 session b"]);
  expect(asked).toEqual(["0-9", "1-1", "1-5", "1-5", "1-6"]);
});

it("ends when its stream says that the key is no longer valid", async () => {
  streams = [stream('event: end\ndata: {"reason":"api key is no longer valid"}\n\n')];
  await expect(readEvents({ baseUrl, apiKey: "key" }).next()).rejects.toMatchObject({ name: "EventsRefused", status: 401 });
});

it("ends with its signal, in the middle of a silent stream", async () => {
  const controller = new AbortController();
  streams = [(response) => void response.writeHead(200).write("id: 1-0\nevent: session\ndata: a\n\n")];
  const events = readEvents({ baseUrl, apiKey: "key", signal: controller.signal });
  expect(await events.next()).toMatchObject({ done: false, value: { data: "a" } });
  const next = events.next();
  controller.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
