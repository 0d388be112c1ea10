import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import { createSession, loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { receivedSpans, type ReceivedSpan } from "../harness/received-spans.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";

/** Checks the spans of a router and a shard at an OTLP endpoint. All other tests run without tracing. */
let gateway: Gateway;
let endpoint: WebhookReceiver;
let receiver: WebhookReceiver;
let alice: Caller;
let bob: Caller;
let phone: string;
const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
const token = "token-of-the-receiver";
const text = "a text that no trace may have";

beforeAll(async () => {
  [endpoint, receiver] = [await WebhookReceiver.start(), await WebhookReceiver.start()];
  gateway = await startGateway({
    ...{ routers: 1, shards: 1 },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url, OTEL_BSP_SCHEDULE_DELAY: "100" },
  });
  [alice, bob] = [await loggedIn(gateway, "alice"), await loggedIn(gateway, "bob")];
  phone = await new TelegramSide(gateway).phoneOf("bob");
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([endpoint.stop(), receiver.stop()]);
});

const ofTrace = (id: string): ReceivedSpan[] => receivedSpans(endpoint).filter(({ traceId }) => traceId === id);

/** Returns the chain of spans that starts below `parent`. */
function chainOf(spans: readonly ReceivedSpan[], parent: string): ReceivedSpan[] {
  const next = spans.find(({ parentSpanId }) => parentSpanId === parent);
  return next === undefined ? [] : [next, ...chainOf(spans, next.spanId)];
}

it("a message is one trace, from its caller's span over router, bus and shard to the platform", async () => {
  expect(await alice.send("POST", "/message", { phone, type: "text", text }, { traceparent })).toMatchObject({ status: 200 });
  const chain = await eventually("four spans", () => {
    const found = chainOf(ofTrace(trace), "00f067aa0ba902b7");
    return found.length === 4 && found;
  });
  expect(chain.map(({ service, name }) => `${service}: ${name}`)).toEqual([
    "trunkline-router: POST /telegram/message",
    "trunkline-router: send send-message",
    "trunkline-shard: run send-message",
    "trunkline-shard: telegram send-message",
  ]);
  expect(chain[0]?.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/telegram/message",
    "http.response.status_code": 200,
  });
  expect(chain[2]?.attributes).toMatchObject({ "gateway.outcome": "ok", "gateway.attempt": 0 });
  expect(chain.filter(({ failed }) => failed)).toEqual([]);
});

it("starts a trace for a request without one, under the id of its response", async () => {
  const response = await alice.get("/group");
  const id = response.headers.get("x-request-id") ?? "";
  await eventually("its chain", () => chainOf(ofTrace(id), "").length === 4);
});

it("a command that failed is a span that did, with its status and without its sentence", async () => {
  const waiting = await createSession(gateway);
  const failed = "5bd66ef5095369c7b0d1f8f4bd33716a";
  const response = await waiting.get("/group", { traceparent: `00-${failed}-c532cb4098ac3dd2-01` });
  expect(response).toMatchObject({ status: 500, body: { message: "session not connected" } });
  const chain = await eventually("its chain", () => {
    const found = chainOf(ofTrace(failed), "c532cb4098ac3dd2");
    return found.length >= 3 && found;
  });
  expect(chain[0]).toMatchObject({ name: "GET /telegram/group", failed: true });
  expect(chain[2]).toMatchObject({
    name: "run list-groups",
    failed: true,
    attributes: { "gateway.outcome": "error", "gateway.status": 500 },
  });
});

it("a webhook request names the span of its delivery, and so does each attempt in one trace", async () => {
  receiver.respond = () => (receiver.requests.length === 1 ? 503 : 200);
  expect(await bob.send("PUT", "/session/webhook", { url: receiver.url, token })).toMatchObject({ status: 200 });
  expect(await alice.send("POST", "/message", { phone, type: "text", text })).toMatchObject({ status: 200 });
  const requests = await eventually("two attempts", () => receiver.requests.length === 2 && receiver.requests);
  const ids = requests.map(({ headers }) => String(headers["traceparent"]).split("-"));
  const [, delivery = ""] = ids[0] ?? [];
  const spans = await eventually("their spans", () => ofTrace(delivery).length === 2 && ofTrace(delivery));
  expect(ids).toEqual(spans.map(({ traceId, spanId }) => ["00", traceId, spanId, "01"]));
  expect(requests.map(({ headers }) => headers["x-request-id"])).toEqual([delivery, delivery]);
  expect(spans.map(({ name, failed, attributes }) => [name, failed, attributes["http.response.status_code"]])).toEqual([
    ["deliver webhook", true, 503],
    ["deliver webhook", false, 200],
  ]);
});

it("a film is one trace, down to the chunk that was fetched", async () => {
  const doc = await new TelegramSide(gateway).media(({ size }) => size === 64 * 1024 * 1024);
  const listed = await alice.get(`/channel/message?channelId=${String(doc["chatId"])}&limit=100`);
  const { docs } = listed.body as { docs: ChannelMessage[] };
  const { pathname } = new URL(docs.find(({ size }) => size === doc["size"])?.url ?? "", gateway.telegram[0]);
  const film = "0af7651916cd43dd8448eb211c80319c";
  const headers = { range: "bytes=0-9", traceparent: `00-${film}-b7ad6b7169203331-01` };
  const response = await fetch(new URL(pathname, gateway.telegram[0]), { headers });
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([206, 10]);
  const upwards = await eventually("its way", () => {
    const spans = ofTrace(film);
    const found: string[] = [];
    let at = spans.find(({ name }) => name === "fetch chunk");
    for (; at !== undefined; at = spans.find(({ spanId }) => spanId === at?.parentSpanId)) found.push(at.name);
    return found.length === 5 && found;
  });
  expect(upwards.slice(0, 4)).toEqual(["fetch chunk", "telegram read-chunk", "run read-chunk", "send read-chunk"]);
  expect(upwards[4]).toMatch(/^GET \/telegram\/media\//);
});

it("no span has a text, a number, a link, a name or a secret", async () => {
  const { id, sessionId } = alice.credentials;
  const record = await bob.record();
  const all = Buffer.concat(endpoint.requests.map(({ body }) => body)).toString();
  expect(all.length).toBeGreaterThan(1_000);
  for (const secret of [text, phone, phone.replace(/\D/g, ""), id, sessionId, token, receiver.url, gateway.adminKey, record.username])
    expect(all).not.toContain(secret);
});

it("goes on as before when the endpoint is gone: its trouble is a count", async () => {
  await endpoint.stop();
  const before = await Promise.all(gateway.adminPorts.map(scrape));
  for (let n = 0; n < 50; n++) expect((await alice.get("/group")).status).toBe(200);
  for (const [index, port] of gateway.adminPorts.entries()) {
    const failedAt = (text: string): number => metricOf(text, "gateway_process_trace_spans_total", 'outcome="failed"');
    await eventually("spans that were not taken", async () => failedAt(await scrape(port)) > failedAt(before[index] ?? ""));
  }
});
