import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keys } from "../../shared/redis/keys.js";
import type { Courier } from "../../shard/webhook/courier.js";
import { aCourier } from "../harness/courier.js";
import { eventually } from "../harness/eventually.js";
import { HalfOpenRelay } from "../harness/half-open-relay.js";
import { ownedSession, takeOver, type OwnedSession } from "../harness/owned-session.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { signatureFits, WebhookReceiver } from "../harness/webhook-receiver.js";
import { testToken, WebhookSender } from "../harness/webhook-sender.js";

/** The delays are as short as a test can distinguish. The attempt's time-out of 20 s never passes on a working machine. */
const timing = {
  attemptMs: 20_000,
  answerMs: 500,
  delaysMs: [20, 40, 60],
  delayMaxMs: 80,
  retryAfterMaxMs: 3_000,
  circuitMs: 300,
  redisPauseMs: 50,
  closeMs: 300,
};
/** For receivers that let an attempt time out. */
const impatient = { ...timing, attemptMs: 1_000 };
const token = testToken;

let redis: TestRedis;
let receiver: WebhookReceiver;
const couriers: Courier[] = [];
const receivers: WebhookReceiver[] = [];
const seen: { attempts: string[]; dead: string[] } = { attempts: [], dead: [] };
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  seen.attempts = [];
  seen.dead = [];
  receiver = await started();
});
afterEach(async () => {
  for (const courier of couriers.splice(0)) await courier.stop();
  for (const one of receivers.splice(0)) await one.stop();
});

async function started(...how: Parameters<typeof WebhookReceiver.start>): Promise<WebhookReceiver> {
  const made = await WebhookReceiver.start(...how);
  receivers.push(made);
  return made;
}

function courier(change: Parameters<typeof aCourier>[0] = {}): Courier {
  const made = aCourier({
    timing,
    metrics: {
      attempt: (outcome) => seen.attempts.push(outcome),
      delivered: () => undefined,
      dead: (reason, count) => seen.dead.push(...Array.from({ length: count }, () => reason)),
    },
    ...change,
  });
  couriers.push(made);
  return made;
}

/** Starts one session with its delivery, on a courier that is recorded. */
const start = async (on: Courier = courier()): Promise<WebhookSender> => WebhookSender.start(redis.client, on);

const idsAt = (at = receiver): string[] => at.requests.map(({ id }) => id);
const takenAt = (at = receiver): string[] => at.taken.map(({ id }) => id);

describe("a request", () => {
  it("carries the body, the token and a signature that fits", async () => {
    const sender = await start();
    await sender.set(`${receiver.url}?a=1`);
    const [id = ""] = await sender.emit();
    await sender.emptied();
    const [request] = receiver.requests;
    if (request === undefined) throw new Error("no request");
    expect(request).toMatchObject({
      method: "POST",
      path: "/hook?a=1",
      headers: { "content-type": "application/json", "x-token": token, "webhook-id": id },
    });
    expect(JSON.parse(request.body.toString())).toEqual({
      id,
      type: "message.new",
      session: sender.session.id,
      created: expect.any(String),
      data: { text: `text of ${id} ✓` },
    });
    expect(Math.abs(Number(request.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(30);
    expect(signatureFits(request, token)).toBe(true);
    expect(signatureFits(request, "another")).toBe(false);
  });
  it("is not sent to a server of our own, even where that became one after it was set", async () => {
    const sender = await start(courier({ guard: { allowPrivate: true, own: [new URL(receiver.url).host] } }));
    expect(await sender.delivery.refuses(receiver.url)).toBe(true);
    await sender.set(receiver.url);
    await sender.emit();
    await eventually("a blocked attempt", () => seen.attempts.includes("blocked"));
    expect(receiver.requests).toEqual([]);
  });
  it("sends name and password of the URL as every client does", async () => {
    const sender = await start();
    await sender.set(receiver.url.replace("http://", "http://me:pass%20word@"));
    await sender.emit();
    await sender.emptied();
    expect(receiver.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:pass word").toString("base64")}`);
  });
  it("is sent again on a new connection when a firewall has forgotten the kept ones", async () => {
    const relay = await HalfOpenRelay.start({ port: receiver.port });
    try {
      const on = courier({ timing: impatient });
      const senders = await Promise.all([start(on), start(on), start(on)]);
      receiver.respond = () => (response, request) => {
        request.status = 200;
        response.writeHead(200, { "keep-alive": "timeout=600" }).end();
      };
      for (const sender of senders) await sender.set(receiver.url.replace(String(receiver.port), String(relay.port)));
      await Promise.all(senders.map((sender) => sender.emit()));
      for (const sender of senders) await sender.emptied();
      expect(relay.open).toBeGreaterThan(0);
      relay.forget();
      receiver.requests.length = 0;
      const ids = (await Promise.all(senders.map((sender) => sender.emit()))).flat();
      for (const sender of senders) await sender.emptied();
      expect(receiver.requests.map(({ id }) => id).sort()).toEqual(ids.sort());
    } finally {
      await relay.stop();
    }
  });
  it("goes out in order, one at a time, over one kept connection", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    let running = 0;
    let most = 0;
    receiver.respond = () => (response, request) => {
      most = Math.max(most, ++running);
      setImmediate(() => {
        running -= 1;
        request.status = 200;
        response.writeHead(200).end("ok");
      });
    };
    const sent = [...(await sender.emit(30)), ...(await sender.emit(30))];
    await sender.emptied();
    expect(takenAt()).toEqual(sent);
    expect(most).toBe(1);
    expect(receiver.connections).toBe(1);
    expect(await redis.client.hget(keys.webhook(sender.session.id), "bytes")).toBe("0");
  });
});

/** Failures of a receiver, after each of which the event is retried until it is accepted. */
describe("a receiver that", () => {
  const failing: [string, (at: WebhookReceiver) => Promise<void> | void, string][] = [
    ["never answers", (at) => void (at.respond = () => () => undefined), "timeout"],
    [
      "answers too late",
      (at) => void (at.respond = () => (response) => void setTimeout(() => response.writeHead(200).end(), 3_000)),
      "timeout",
    ],
    ["cuts the connection", (at) => void (at.respond = () => (response) => response.socket?.resetAndDestroy()), "network"],
    ["answers half a head", (at) => void (at.respond = () => (response) => response.socket?.write("HTTP/1.1 200 O")), "timeout"],
    ["answers no HTTP", (at) => void (at.respond = () => (response) => response.socket?.end("SSH-2.0\r\n\r\n")), "network"],
    ["answers 199", (at) => void (at.respond = () => (response) => response.socket?.end("HTTP/1.1 199 X\r\n\r\n")), "network"],
    ["answers 301", (at) => void (at.respond = () => (response) => response.writeHead(301, { location: "/other" }).end()), "redirect"],
    [
      "redirects to metadata",
      (at) => void (at.respond = () => (response) => response.writeHead(302, { location: "http://169.254.169.254/latest" }).end()),
      "redirect",
    ],
    ["answers 400", (at) => void (at.respond = () => 400), "client-error"],
    ["answers 401", (at) => void (at.respond = () => 401), "client-error"],
    ["answers 410", (at) => void (at.respond = () => 410), "client-error"],
    ["answers 429", (at) => void (at.respond = () => 429), "client-error"],
    ["answers 500", (at) => void (at.respond = () => 500), "server-error"],
  ];
  it.each(failing)("%s gets the same bytes under the same id again", async (_, misbehave, outcome) => {
    const sender = await start(courier({ timing: outcome === "timeout" ? impatient : timing }));
    await sender.set(receiver.url);
    await misbehave(receiver);
    const sent = await sender.emit(2);
    await eventually("two failed attempts", () => receiver.requests.length >= 2);
    expect(new Set(idsAt())).toEqual(new Set([sent[0]]));
    receiver.respond = () => 200;
    await sender.emptied();
    expect(takenAt()).toEqual(sent);
    const bodies = new Set(receiver.requests.filter(({ id }) => id === sent[0]).map(({ body }) => body.toString("hex")));
    expect(bodies.size).toBe(1);
    expect(seen.attempts.slice(0, 2)).toEqual([outcome, outcome]);
    expect(receiver.requests.every((request) => request.path === "/hook" && signatureFits(request, token))).toBe(true);
    expect(seen.dead).toEqual([]);
  });

  it.each([
    [
      "200 just in time",
      (at: WebhookReceiver) =>
        void (at.respond = () => (response, request) =>
          void setTimeout(() => ((request.status = 200), response.writeHead(200).end()), 1_000)),
    ],
    ["204", (at: WebhookReceiver) => void (at.respond = () => 204)],
    [
      "200 before a body that never ends",
      (at: WebhookReceiver) =>
        void (at.respond = () => (response, request) => ((request.status = 200), response.writeHead(200).write("x"))),
    ],
    [
      "a status line and then a cut",
      (at: WebhookReceiver) =>
        void (at.respond = () => (response, request) => (
          (request.status = 200),
          response.writeHead(200, { "content-length": 10 }),
          response.write("abc", () => response.socket?.resetAndDestroy())
        )),
    ],
  ])("answers %s has taken the event", async (_, behave) => {
    const sender = await start(courier({ timing: { ...timing, attemptMs: 2_000 } }));
    await sender.set(receiver.url);
    behave(receiver);
    const sent = await sender.emit(3);
    await sender.emptied();
    expect(takenAt()).toEqual(sent);
    expect(idsAt()).toEqual(sent);
  });

  it("answers two gigabytes is read for 16 KiB and cut", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    let written = 0;
    receiver.respond = () => (response, request) => {
      request.status = 200;
      response.writeHead(200, { "content-length": 2 ** 31 });
      const part = Buffer.alloc(64 * 1024);
      const pour = (): void => {
        while (!response.destroyed && written < 2 ** 31 && response.write(part)) written += part.length;
      };
      response.on("drain", pour);
      pour();
    };
    const sent = await sender.emit();
    await sender.emptied();
    expect(idsAt()).toEqual(sent);
    // Allows for the bytes that both kernels buffer on loopback.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it("fails thirty times and then takes it", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    receiver.respond = () => (receiver.requests.length <= 30 ? 503 : 200);
    const sent = await sender.emit(3);
    await sender.emptied();
    expect(takenAt()).toEqual(sent);
    expect(receiver.requests.length).toBe(33);
    // Each event has one trace, and each attempt has its own span.
    const ofEvent = (wanted: string | undefined): IncomingHttpHeaders[] =>
      receiver.requests.filter(({ id }) => id === wanted).map(({ headers }) => headers);
    const tries = ofEvent(sent[0]);
    const [trace] = new Set(tries.map((headers) => headers["x-request-id"]));
    expect(trace).toMatch(/^[0-9a-f]{32}$/);
    const spans = tries.map(({ traceparent }) => new RegExp(`^00-${String(trace)}-([0-9a-f]{16})-00$`).exec(String(traceparent))?.[1]);
    expect(new Set(spans.filter((span) => span !== undefined)).size).toBe(31);
    expect(ofEvent(sent[1])[0]?.["x-request-id"]).not.toBe(trace);
  });

  it("is retried after its Retry-After", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    const at: number[] = [];
    receiver.respond = () => (response, request) => {
      at.push(performance.now());
      request.status = at.length === 1 ? 429 : 200;
      response.writeHead(request.status, { "retry-after": "1" }).end();
    };
    await sender.emit();
    await sender.emptied();
    // By another clock a timer may fire a millisecond early.
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(995);
  });

  it("is retried when its name does not exist or its port is closed", async () => {
    const sender = await start();
    const { port } = receiver;
    await receiver.stop();
    await sender.set(`http://127.0.0.1:${port}/hook`);
    const sent = await sender.emit(2);
    await eventually("failed attempts", () => seen.attempts.length >= 2);
    await sender.set("http://nowhere.invalid/hook");
    await eventually("more failed attempts", () => seen.attempts.length >= 4);
    expect(new Set(seen.attempts)).toEqual(new Set(["network"]));
    const back = await started(port);
    await sender.set(back.url);
    await sender.emptied();
    expect(takenAt(back)).toEqual(sent);
  });

  it("receives nothing when its certificate is not trusted", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tl-tls-"));
    const files = ["key.pem", "cert.pem"].map((name) => join(folder, name));
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=127.0.0.1",
        "-keyout",
        files[0] ?? "",
        "-out",
        files[1] ?? "",
      ],
      { stdio: "ignore" },
    );
    const [key, cert] = files.map((file) => readFileSync(file));
    rmSync(folder, { recursive: true });
    const secure = await started(0, (listener) => createTlsServer({ key, cert }, listener));
    const sender = await start();
    await sender.set(secure.url.replace("http:", "https:"));
    await sender.emit();
    await eventually("two failed attempts", () => seen.attempts.length >= 2);
    expect(new Set(seen.attempts)).toEqual(new Set(["tls"]));
    expect(secure.requests).toEqual([]);
  });

  it("shakes hands too slowly is given up in time", async () => {
    const silent = createTcpServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const sender = await start(courier({ timing: impatient }));
    await sender.set(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
    await sender.emit();
    await eventually("two failed attempts", () => seen.attempts.length >= 2);
    expect(new Set(seen.attempts)).toEqual(new Set(["timeout"]));
    await sender.delivery.close();
    silent.close();
  });
});

describe("an event", () => {
  it("is given up after 100 attempts, and the next one goes", async () => {
    const sender = await start(courier({ timing: { ...timing, delaysMs: [1], delayMaxMs: 2, circuitMs: 1 } }));
    await sender.set(receiver.url);
    receiver.respond = ({ id }) => (id === "e00000" ? 400 : 200);
    await sender.emit(2);
    await sender.emptied();
    expect(receiver.requests.filter(({ id }) => id === "e00000").length).toBe(100);
    expect(takenAt()).toEqual(["e00001"]);
    expect(seen.dead).toEqual(["attempts"]);
    // Operators who watch the live events see each failure.
    expect(sender.counts).toEqual({ delivered: 1, failed: 100, dead: 1, replayed: 0 });
    expect((await sender.delivery.listDeadLetters({ after: "", limit: 10 })).docs).toMatchObject([
      { id: "e00000", type: "message.new", attempts: 100, reason: "attempts", body: { id: "e00000", data: { text: "text of e00000 ✓" } } },
    ]);
  });
  it("is given up when it is older than a day, also while it waits for its next attempt", async () => {
    let ageMs = 0;
    const sender = await start(courier({ clock: { ageOf: () => ageMs }, timing: { ...timing, eventMs: 24 * 3_600_000 } }));
    await sender.set(receiver.url);
    receiver.respond = () => 500;
    await sender.emit(2);
    await eventually("an attempt", () => receiver.requests.length >= 1);
    ageMs = 24 * 3_600_000 + 1;
    await eventually("dead letters", () => seen.dead.length === 2);
    expect(seen.dead).toEqual(["expired", "expired"]);
    const before = receiver.requests.length;
    expect((await sender.delivery.listDeadLetters({ after: "", limit: 1 })).docs).toMatchObject([
      { id: "e00000", attempts: expect.any(Number), reason: "expired" },
    ]);
    expect(receiver.requests.length).toBe(before);
  });
  it("that was altered in Redis holds up nobody", async () => {
    const session = await ownedSession(redis.client);
    const [outbox, updates] = [session.writer.outbox(session), session.writer.updates(session)];
    await outbox.configure({ url: receiver.url, token });
    const event = (id: string) => ({ id, type: "message.new", created: new Date().toISOString(), data: {} });
    await updates.advance({ cursor: "1", events: [event("a")], messages: new Map() });
    const stream = keys.outbox(session.id);
    const [[entry, fields] = [Buffer.alloc(0), []]] = await redis.client.xrangeBuffer(stream, "-", "+");
    await redis.client.xdel(stream, entry.toString());
    await redis.client.xadd(stream, "*", ...fields.slice(0, 9), Buffer.alloc(fields[9]?.length ?? 0));
    await updates.advance({ cursor: "2", events: [event("b")], messages: new Map() });
    const sender = new WebhookSender(session, courier());
    sender.delivery.wake();
    await sender.emptied();
    expect(takenAt()).toEqual(["b"]);
    expect(seen.dead).toEqual(["unreadable"]);
    expect((await sender.delivery.listDeadLetters({ after: "", limit: 5 })).docs).toMatchObject([
      { id: "a", reason: "unreadable", body: null },
    ]);
  });
});

describe("who tries a receiver", () => {
  it("sends queued events at once and in order, whatever wait the receiver requested", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    receiver.respond = () => (response) => void response.writeHead(503, { "retry-after": "3" }).end();
    const sent = await sender.emit(3);
    await eventually("a deferred event", async () => (await sender.outbox.read()).waitMs > 0);
    receiver.respond = () => 200;
    const requestedAt = performance.now();
    expect(await sender.delivery.retry()).toEqual({ waiting: 3 });
    await sender.emptied();
    expect(takenAt()).toEqual(sent);
    expect(performance.now() - requestedAt).toBeLessThan(3_000);
  });
  it("counts the attempts on", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    receiver.respond = () => (response) => void response.writeHead(503, { "retry-after": "3" }).end();
    await sender.emit();
    await eventually("one attempt", async () => (await sender.outbox.read()).attempts === 1);
    await sender.delivery.retry();
    await eventually("another", async () => (await sender.outbox.read()).attempts === 2);
  });
  it("has a test event of the same form queued behind the others, once for each command", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    let holding = true;
    receiver.respond = () => (holding ? 500 : 200);
    const sent = await sender.emit(2);
    const { id, waiting } = await sender.delivery.sendTest("command-1", "order-7");
    expect(waiting).toBe(3);
    expect(await sender.delivery.sendTest("command-1", "order-7")).toEqual({ id, waiting: 3 });
    holding = false;
    await sender.emptied();
    expect(takenAt()).toEqual([...sent, id]);
    const request = receiver.taken.at(-1);
    if (request === undefined) throw new Error("no request");
    expect(JSON.parse(request.body.toString())).toEqual({
      id,
      type: "test",
      session: sender.session.id,
      created: expect.any(String),
      data: { text: "This is a test event. Nothing happened." },
    });
    expect(request.headers["x-request-id"]).toBe("order-7");
    expect(signatureFits(request, token)).toBe(true);
    expect(await redis.client.hget(keys.webhook(sender.session.id), "bytes")).toBe("0");
  });
  it("is refused while the webhook is off, and where a test event would push out a real one", async () => {
    const sender = await start();
    const off = { status: 409, message: "webhook is off" };
    await expect(sender.delivery.retry()).rejects.toMatchObject(off);
    await expect(sender.delivery.sendTest("command-1", "")).rejects.toMatchObject(off);
    receiver.respond = () => 500;
    await sender.set(receiver.url);
    await sender.emit();
    await redis.client.hset(keys.webhook(sender.session.id), "bytes", 16 * 1024 * 1024);
    await expect(sender.delivery.sendTest("command-2", "")).rejects.toMatchObject({
      status: 409,
      message: "too many events wait for the webhook",
    });
  });
});

describe("dead letters", () => {
  it("go out again in order, with their ids and bytes, behind what waits", async () => {
    let dying = true;
    const sender = await start(courier({ clock: { ageOf: () => (dying ? 25 * 3_600_000 : 0) } }));
    await sender.set(receiver.url);
    const sent = await sender.emit(5);
    await eventually("dead letters", () => seen.dead.length === 5);
    dying = false;
    expect(await sender.delivery.replayDeadLetters("order-7")).toEqual({ replayed: 5, left: 0 });
    await sender.emptied();
    expect(takenAt()).toEqual(sent);
    expect(receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id)).toEqual(sent);
    expect(new Set(receiver.requests.map(({ headers }) => headers["x-request-id"]))).toEqual(new Set(["order-7"]));
    expect(await sender.delivery.replayDeadLetters("order-7")).toEqual({ replayed: 0, left: 0 });
    expect(sender.counts).toEqual({ delivered: 5, failed: 0, dead: 5, replayed: 5 });
  });
  it("are listed page by page", async () => {
    const sender = await start(courier({ clock: { ageOf: () => 25 * 3_600_000 } }));
    await sender.set(receiver.url);
    const sent = await sender.emit(5);
    await eventually("dead letters", () => seen.dead.length === 5);
    const pages: string[][] = [];
    for (let after = "", first = true; first || after !== ""; first = false) {
      const page = await sender.delivery.listDeadLetters({ after, limit: 2 });
      pages.push(page.docs.map(({ id }) => id));
      after = page.next;
    }
    expect(pages).toEqual([sent.slice(0, 2), sent.slice(2, 4), sent.slice(4)]);
  });
  it("of before the webhook was turned on stay where they are, and nothing is replayed while it is off", async () => {
    let dying = true;
    const sender = await start(courier({ clock: { ageOf: () => (dying ? 25 * 3_600_000 : 0) } }));
    await sender.set(receiver.url);
    await sender.emit(2);
    await eventually("dead letters", () => seen.dead.length === 2);
    dying = false;
    await sender.set("");
    await expect(sender.delivery.replayDeadLetters("order-7")).rejects.toMatchObject({ status: 409, message: "webhook is off" });
    await sender.set(receiver.url);
    expect(await sender.delivery.replayDeadLetters("order-7")).toEqual({ replayed: 0, left: 2 });
    expect(receiver.requests).toEqual([]);
  });
});

describe("turning off and on", () => {
  it("drops queued events, aborts the request in flight, and delivers only later events", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    let cut = false;
    receiver.respond = () => (response) => void response.on("close", () => (cut = true));
    await sender.emit(3);
    await eventually("a request in flight", () => receiver.requests.length === 1);
    await sender.set("");
    await eventually("its end", () => cut);
    expect(await sender.outbox.length()).toBe(0);
    await sender.emit(2);
    receiver.respond = () => 200;
    await sender.set(receiver.url);
    const [last] = await sender.emit(1);
    await sender.emptied();
    expect(idsAt()).toEqual(["e00000", last]);
    expect(seen.attempts).toEqual(["ended", "delivered"]);
  });
  it("changes URL and token without starting over: what was not taken goes to the new one, at once", async () => {
    const other = await started();
    const sender = await start(courier({ timing: { ...timing, delaysMs: [60_000], delayMaxMs: 60_000 } }));
    await sender.set(receiver.url);
    receiver.respond = () => 500;
    const sent = await sender.emit(3);
    await eventually("a failed attempt", () => seen.attempts.length === 1);
    await sender.set(other.url, "another-token");
    await sender.emptied();
    expect(takenAt(other)).toEqual(sent);
    expect(
      other.requests.every((request) => signatureFits(request, "another-token") && request.headers["x-token"] === "another-token"),
    ).toBe(true);
    expect(idsAt()).toEqual([sent[0]]);
  });
  it("lets a request in flight to the old URL come to its end", async () => {
    const other = await started();
    const sender = await start();
    await sender.set(receiver.url);
    let finish: () => void = () => undefined;
    receiver.respond = () => (response, request) => {
      finish = () => {
        request.status = 200;
        response.writeHead(200).end();
      };
    };
    const sent = await sender.emit(2);
    await eventually("a request in flight", () => receiver.requests.length === 1);
    await sender.set(other.url);
    finish();
    await sender.emptied();
    expect([takenAt(), takenAt(other)]).toEqual([[sent[0]], [sent[1]]]);
  });
});

describe("another owner", () => {
  it("goes on where the last one stopped, counting and waiting included", async () => {
    const sender = await start(courier({ timing: { ...timing, delaysMs: [60_000], delayMaxMs: 60_000 } }));
    await sender.set(receiver.url);
    receiver.respond = () => 500;
    const sent = await sender.emit(3);
    await eventually(
      "a failed attempt written down",
      async () => (await redis.client.hget(keys.webhook(sender.session.id), "tries")) === "1",
    );
    sender.owned = false;
    await sender.delivery.close();
    const { session } = sender;
    const next = new WebhookSender({ ...session, token: await takeOver(redis.client, session.id) }, courier());
    expect(await next.outbox.read()).toMatchObject({ attempts: 1, settings: { url: receiver.url, token } });
    expect((await next.outbox.read()).waitMs).toBeGreaterThan(30_000);
    next.delivery.wake();
    receiver.respond = () => 200;
    await next.set(receiver.url);
    await next.emptied();
    expect(takenAt()).toEqual(sent);
  });
  it("repeats what was taken but not written off, byte by byte, and the former one is fenced", async () => {
    const sender = await start();
    await sender.set(receiver.url);
    let token2: OwnedSession["token"] | undefined;
    const { session } = sender;
    // The slot changes hands between the 2xx and the write.
    receiver.respond = () => (response, request) => {
      void (async () => {
        token2 ??= await takeOver(redis.client, session.id);
        request.status = 200;
        response.writeHead(200).end();
      })();
    };
    const sent = await sender.emit(3);
    await eventually("fenced", () => sender.fenced > 0);
    sender.owned = false;
    await sender.delivery.close();
    expect(idsAt()).toEqual([sent[0]]);
    receiver.respond = () => 200;
    const next = new WebhookSender({ ...session, token: token2 ?? session.token }, courier());
    next.delivery.wake();
    await next.emptied();
    expect(takenAt()).toEqual([sent[0], ...sent]);
    expect(receiver.requests[1]?.body.equals(receiver.requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
  });
  it("finds nothing to do when the webhook is off", async () => {
    const sender = await start();
    sender.delivery.wake();
    await eventually("rest", () => !sender.delivery.busy);
    expect(receiver.requests).toEqual([]);
  });
  it("does not wait: a closing session leaves its request a moment, a lost one none", async () => {
    for (const owned of [true, false]) {
      const sender = await start();
      await sender.set(receiver.url);
      receiver.requests.length = 0;
      receiver.respond = () => () => undefined;
      await sender.emit(2);
      await eventually("a request in flight", () => receiver.requests.length === 1);
      sender.owned = owned;
      await sender.delivery.close();
      expect(await sender.outbox.length()).toBe(2);
    }
  });
});

describe("a dead destination", () => {
  it("does not hold up the others", async () => {
    const shared = courier({ timing: { ...timing, attemptMs: 2_000 } });
    const dead = await started();
    dead.respond = () => () => undefined;
    const senders = await Promise.all(Array.from({ length: 60 }, () => start(shared)));
    await Promise.all(
      senders.map(async (sender, i) => {
        await sender.set(i < 50 ? dead.url : receiver.url);
        await sender.emit(20);
      }),
    );
    await Promise.all(senders.slice(50).map((sender) => sender.emptied()));
    expect(receiver.taken.length).toBe(200);
    // Ten attempts at a time hang for 2 s each. Without the limit all fifty would.
    expect(dead.requests.length).toBeLessThanOrEqual(10 * Math.ceil(seen.attempts.length / 10 + 2));
    await eventually("an open circuit", () => shared.openCircuits === 1);
    dead.respond = () => 200;
    await Promise.all(senders.map((sender) => sender.emptied()));
    expect(shared.openCircuits).toBe(0);
    expect(new Set(takenAt(dead)).size).toBe(20);
  });
});
