import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { LinkKeys } from "../../shared/media/link.js";
import { keys } from "../../shared/redis/keys.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { sentFile, type LinkedFile } from "../harness/media-files.js";
import { memberPid } from "../harness/member-pid.js";
import { monitorRedis } from "../harness/monitor-redis.js";
import { ownerOf } from "../harness/owner-of.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";

/**
 * Tests quotas of concurrent work and of media over two routers and two shards. Quotas change at run time, and killed processes release
 * their places.
 */
let gateway: Gateway;
let platform: TelegramSide;
let receiver: WebhookReceiver;
let files: WebhookReceiver;
let file: LinkedFile;
/** Each caller has its own account, in the order of the accounts. */
const callers: Caller[] = [];
const owners: string[] = [];
const accountOf = (index: number): string => `quota-${index}`;
const keyText = `a:${randomBytes(32).toString("base64")}`;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  files = await WebhookReceiver.start();
  const env = { MEDIA_KEYS: keyText, DOWNLOAD_ALLOW: [receiver, files].map(({ url }) => new URL(url).host).join() };
  gateway = await startGateway({ routers: 2, shards: 2, env });
  platform = new TelegramSide(gateway);
  // Each shard owns at least two of the sessions.
  while (callers.length < 12 && !["shard-1", "shard-2"].every((name) => owners.filter((owner) => owner === name).length >= 2)) {
    const account = accountOf(callers.length);
    expect((await platform.post("/accounts", { account, contacts: 2, groups: 0, channels: 0 })).status).toBeLessThan(300);
    const caller = await loggedIn(gateway, account);
    callers.push(caller);
    owners.push(await ownerOf(gateway, caller));
  }
  file = await sentFile(platform, LinkKeys.parse(keyText), callerOf(0), accountOf(0), 3_000_000);
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
  await files.stop();
});

function callerOf(index: number): Caller {
  const caller = callers[index];
  if (caller === undefined) throw new Error("no such caller");
  return caller;
}

let changes = 0;

/** Sets quotas. Resolves when both routers show the new, unreachable rate, and both shards have read the proxies, which they read last. */
async function setQuotas(quotas: Record<string, number | null>): Promise<ApiResponse> {
  const requestsPerSecond = 50_000 + ++changes;
  let shards = 0;
  const endMonitor = await monitorRedis(gateway.redisUrl, ([command = "", key]) => {
    if (command.toLowerCase() === "hgetall" && key === keys.tenantProxies) shards += 1;
  });
  const response = await request(`${new URL(gateway.telegram[0] ?? "").origin}/admin/tenants/default`, {
    method: "PATCH",
    headers: { "x-api-key": gateway.adminKey, "content-type": "application/json" },
    body: JSON.stringify({ quotas: { ...quotas, requestsPerSecond } }),
  });
  for (const router of [0, 1])
    await eventually("a router that goes by the quotas", async () =>
      (await session(router)).headers.get("ratelimit-policy")?.includes(`q=${requestsPerSecond};`),
    );
  if ("downloads" in quotas || "webhooks" in quotas) await eventually("both shards have read the quotas", () => shards >= 2);
  endMonitor();
  return response;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("mediaBytesPerSecond", () => {
  /** Reads the file repeatedly until the signal aborts. Resolves with the number of bytes and of 429 responses. */
  async function readOn(router: number, read: { bytes: number; refused: number }, signal: AbortSignal): Promise<void> {
    const url = new URL(file.path, gateway.telegram[router]);
    while (!signal.aborted) {
      try {
        const response = await fetch(url, { signal });
        if (response.status === 429) {
          read.refused += 1;
          expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
          expect(await response.json()).toEqual({ statusCode: 429, message: "too many requests" });
          await pause(100);
        } else {
          expect(response.status).toBe(200);
          for await (const part of response.body ?? []) read.bytes += (part as Uint8Array).length;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  it("is the tenant's over both routers, within a tenth, and what is sent is whole", async () => {
    const rate = 1_000_000;
    const whole = async (): Promise<void> => {
      for (const base of gateway.telegram) {
        const bytes = Buffer.from(await (await fetch(new URL(file.path, base))).arrayBuffer());
        expect(bytes.equals(Buffer.from(file.bytes(0, file.size)))).toBe(true);
      }
    };
    await whole();
    expect(await setQuotas({ mediaBytesPerSecond: rate })).toMatchObject({ status: 200, body: { quotas: { mediaBytesPerSecond: rate } } });
    await whole();
    const startedAt = performance.now();
    const ended = new AbortController();
    const reads = Array.from({ length: 24 }, () => ({ bytes: 0, refused: 0 }));
    const total = (count: "bytes" | "refused"): number => reads.reduce((sum, read) => sum + read[count], 0);
    const readers = Promise.all(reads.map((read, client) => readOn(client % 2, read, ended.signal)));
    try {
      // Six seconds' worth, in more time on a machine that cannot read as fast as the tenant may.
      await Promise.race([eventually("what the tenant may read", () => total("bytes") >= 6 * rate), readers]);
      const most = rate + (rate * (performance.now() - startedAt)) / 1_000;
      expect(total("bytes") / most).toBeLessThan(1.1);
      expect(total("refused")).toBeGreaterThan(0);
    } finally {
      ended.abort();
      await readers;
    }
    await setQuotas({ mediaBytesPerSecond: null });
    await eventually("no pace", async () => {
      await whole();
      return true;
    });
  });
});

/** File requests without a response. Each one keeps a send in flight. */
const openFiles = new Set<() => void>();

function respondWithoutFile(): void {
  files.respond = () => (response, received) => {
    const end = (): void => {
      received.status = 200;
      response.writeHead(200).end("a file");
    };
    openFiles.add(end);
    response.on("close", () => openFiles.delete(end));
  };
}

/** A send whose file is held back until the test releases it. */
interface Held {
  /** The response's status: `undefined` until it arrives, 0 when the connection ended without one. */
  status: number | undefined;
}

const isOpen = ({ status }: Held): boolean => status === undefined;

/**
 * Starts callers until the quota is used, and no more. A rejected caller retries, and surplus callers, let in because Redis was slow, are
 * ended.
 */
async function holdAll(quota: number, count: number, routers: readonly number[]): Promise<Held[]> {
  respondWithoutFile();
  const phone = await platform.phoneOf("bob");
  const document = { url: files.url, name: "a.bin", size: 1, mimetype: "application/octet-stream" };
  const held: Held[] = [];
  const next = (): void => {
    const one: Held = { status: undefined };
    const caller = callerOf(held.length % callers.length).through(routers[held.length % routers.length] ?? 0);
    void caller.send("POST", "/message", { phone, type: "document", text: "", document }).then(
      ({ status }) => (one.status = status),
      () => (one.status = 0),
    );
    held.push(one);
  };
  onTestFinished(() => endFiles(held, 0));
  while (held.length < count) next();
  await eventually("the quota used, by no more", async () => {
    // Rejections may still be in flight.
    await pause(500);
    const open = held.filter(isOpen).length;
    if (open < quota) next();
    if (open > quota) await endFiles(held, quota);
    const responses = await Promise.all([0, 1].map((router) => session(router)));
    return open === quota && responses.every(({ status }) => status === 429);
  });
  return held;
}

/** Releases files, one by one, until `left` sends remain. A session sends one message at a time. */
async function endFiles(held: readonly Held[], left: number): Promise<void> {
  for (;;) {
    const before = held.filter(isOpen).length;
    if (before <= left) return;
    await eventually("a file is asked for", () => Promise.resolve(openFiles.size > 0));
    for (const end of [...openFiles].slice(0, 1)) end();
    await eventually("a send ends", () => Promise.resolve(held.filter(isOpen).length < before));
  }
}

const session = (router: number): Promise<ApiResponse> => callerOf(0).through(router).get("/session");

/** A router whose Redis is slow lets a request in. */
async function refusal(router: number): Promise<ApiResponse> {
  return await eventually("a refusal", async () => {
    const response = await session(router);
    return response.status === 429 && response;
  });
}

describe("inFlight", () => {
  it("is the tenant's over both routers, and holds from the moment at which it is changed", async () => {
    const quota = 10;
    await setQuotas({ inFlight: quota });
    const held = await holdAll(quota, 30, [0, 1]);
    const refused = held.filter(({ status }) => status === 429).length;
    expect(refused).toBe(held.length - quota - held.filter(({ status }) => status === 200).length);
    for (const router of [0, 1]) {
      const { body, headers } = await refusal(router);
      expect([body, headers.get("retry-after")]).toEqual([{ statusCode: 429, message: "too many requests" }, "1"]);
    }
    // The new quota is below the current use, and applies at once.
    await setQuotas({ inFlight: 1 });
    await endFiles(held, 1);
    expect(held.filter(({ status }) => status === 200)).toHaveLength(held.length - refused - 1);
    // A router that has places of its own returns them within a moment and takes no new ones.
    for (const router of [0, 1]) await refusal(router);
    await setQuotas({ inFlight: 2 });
    for (const router of [0, 1]) await eventually("a place", async () => (await session(router)).status === 200);
    await endFiles(held, 0);
    await setQuotas({ inFlight: null });
    await eventually("no quota at the other router", async () => {
      const many = await Promise.all(Array.from({ length: 20 }, () => session(1)));
      return many.every(({ status }) => status === 200);
    });
  });
});

/** Webhook requests, and requests for files, without a response. */
const open = new Set<(body?: string) => void>();
let mostOpen = 0;

function holdResponses(): void {
  receiver.respond = () => (response, received) => {
    const end = (body = ""): void => {
      received.status = 200;
      response.writeHead(200).end(body);
    };
    open.add(end);
    mostOpen = Math.max(mostOpen, open.size);
    response.on("close", () => open.delete(end));
  };
}

async function sendToAll(text: string): Promise<void> {
  for (const index of callers.keys())
    expect((await platform.post("/people/send", { account: accountOf(index), chat: "bob", text })).status).toBe(200);
}

const reached = (text: string): number => new Set(receiver.taken.filter(({ body }) => body.includes(text)).map(({ id }) => id)).size;

describe("downloads", () => {
  it("is the tenant's over both shards; who is over it waits, and is done then", async () => {
    holdResponses();
    await setQuotas({ downloads: 2 });
    mostOpen = 0;
    const document = { url: receiver.url, name: "a.bin", size: 1, mimetype: "application/octet-stream" };
    const phone = await platform.phoneOf("bob");
    const sent = callers.map((caller) => caller.send("POST", "/message", { phone, type: "document", text: "", document }));
    await eventually("two files", () => Promise.resolve(open.size === 2));
    await pause(500);
    expect(mostOpen).toBe(2);
    const allSent = Promise.all(sent);
    const all = { settled: false };
    void allSent.then(() => (all.settled = true));
    while (!all.settled) {
      for (const end of open) end("a file");
      await pause(20);
    }
    expect((await allSent).map(({ status }) => status)).toEqual(callers.map(() => 200));
    expect(mostOpen).toBe(2);
    await setQuotas({ downloads: null });
  });
});

describe("sessions with a webhook", () => {
  beforeAll(async () => {
    for (const caller of callers)
      expect((await caller.send("PUT", "/session/webhook", { url: receiver.url, token: "quota-test" })).status).toBe(200);
  });

  it("webhooks: is the tenant's over both shards, and holds from the moment at which it is changed", async () => {
    holdResponses();
    await setQuotas({ webhooks: 2 });
    mostOpen = 0;
    await sendToAll("one");
    await eventually("two requests", () => Promise.resolve(open.size === 2));
    await pause(500);
    expect(mostOpen).toBe(2);
    await setQuotas({ webhooks: 3 });
    await eventually("three requests", () => Promise.resolve(open.size === 3));
    while (reached("one") < callers.length) {
      for (const end of open) end();
      await pause(20);
    }
    expect(mostOpen).toBe(3);
    await setQuotas({ webhooks: null });
    // A request that times out is retried later, when others may have ended. So each round ends all requests and starts new ones.
    let rounds = 0;
    await eventually("all at once", async () => {
      for (const end of open) end();
      await sendToAll("two");
      rounds += 1;
      for (let rounds = 0; rounds < 100 && open.size < callers.length; rounds += 1) await pause(50);
      return open.size === callers.length;
    });
    await eventually("all told", () => {
      for (const end of open) end();
      return Promise.resolve(reached("two") === rounds * callers.length);
    });
  });

  it("what killed processes held comes back", async () => {
    holdResponses();
    await setQuotas({ inFlight: 3, webhooks: 1 });
    await holdAll(3, 6, [1]);
    await sendToAll("three");
    await eventually("one request", () => Promise.resolve(open.size === 1));
    const teller = receiver.requests.at(-1);
    // Either shard may hold the place, so both die, and the place must be released each time.
    for (const name of ["shard-1", "shard-2"]) process.kill(memberPid(gateway, name) ?? 0, "SIGKILL");
    process.kill(memberPid(gateway, "router-2") ?? 0, "SIGKILL");
    expect(teller).toBeDefined();
    receiver.respond = () => 200;
    await eventually("a place for a request", async () => (await session(0)).status === 200);
    await eventually("all told", () => Promise.resolve(reached("three") >= callers.length));
    await setQuotas({ inFlight: null, webhooks: null });
  });
});
