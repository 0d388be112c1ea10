import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { Agent, request, type RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chunkBytes } from "../../shared/limits.js";
import { LinkKeys } from "../../shared/media/link.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { HalfOpenRelay } from "../harness/half-open-relay.js";
import { channelFile, type LinkedFile } from "../harness/media-files.js";
import { memberPid } from "../harness/member-pid.js";
import { metricOf, scrape } from "../harness/metrics.js";
import { TelegramSide } from "../harness/telegram-side.js";

/**
 * Runs deploy/manifests/haproxy/haproxy.cfg in Debian's haproxy before two routers. Only ports, addresses and the certificate's path are
 * changed.
 */
const keyText = `a:${randomBytes(32).toString("base64")}`;
let gateway: Gateway;
let alice: Caller;
let film: LinkedFile;
let filmBytes: Buffer;
let ports: ClaimedPorts;
let folder: string;
let haproxy: ChildProcess;
let output = "";
let certificate: { ca: string; key: string; cert: string };
let agent: Agent;

beforeAll(async () => {
  gateway = await startGateway({ routers: 2, env: { MEDIA_KEYS: keyText, SHUTDOWN_DELAY_SECONDS: "5", SHUTDOWN_GRACE_SECONDS: "200" } });
  alice = await loggedIn(gateway, "alice");
  film = await channelFile(new TelegramSide(gateway), LinkKeys.parse(keyText), alice, 64 * 2 ** 20);
  filmBytes = Buffer.from(film.bytes(0, film.size));
  folder = await mkdtemp(join(tmpdir(), "tl-haproxy-"));
  ports = await claimPorts();
  // The sandbox's media server has a certificate for loopback.
  certificate = JSON.parse(await readFile(join(gateway.dataDir, "sandbox/whatsapp-media-certificate.json"), "utf8")) as typeof certificate;
  agent = new Agent({ keepAlive: true, ca: certificate.ca });
  await writeFile(join(folder, "site.pem"), certificate.cert + certificate.key);
  haproxy = await startProxy(ports.first, gateway.telegram.map(portOf));
  for (const stream of [haproxy.stdout, haproxy.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  await eventually("haproxy", async () => haproxy.exitCode !== null || (await call("/openapi.json")).status === 200);
  if (haproxy.exitCode !== null) throw new Error(output);
});

afterAll(async () => {
  agent?.destroy();
  if (haproxy?.exitCode === null) {
    haproxy.kill("SIGKILL");
    await once(haproxy, "exit");
  }
  ports?.release();
  await gateway?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("warns of nothing in the file as it is read", () => {
  expect(output).not.toMatch(/WARNING|ALERT/);
});

it("sends callers to TLS, and says errors as the gateway does", async () => {
  const { status, headers } = await fetch(`http://127.0.0.1:${ports.first}/telegram/session`, { redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([308, `https://127.0.0.1:${ports.first}/telegram/session`]);
});

it("restarts both routers one after the other under load, and loses no request and no byte of a stream", async () => {
  const failed: string[] = [];
  const served = { session: 0, typing: 0, range: 0 };
  const ended = new AbortController();
  const { id, sessionId } = alice.credentials;
  const credentials = { id, "session-id": sessionId };
  const works: Record<keyof typeof served, (turn: number) => Promise<string | undefined>> = {
    session: async () => trouble(await call("/telegram/session", { headers: credentials }), 200),
    // A request that only its caller may repeat.
    typing: async () =>
      trouble(
        await call(
          "/telegram/typing",
          { method: "POST", headers: { ...credentials, "content-type": "application/json" } },
          JSON.stringify({ username: "bob_sandbox" }),
        ),
        200,
      ),
    range: async (turn) => {
      const from = (turn % 100) * chunkBytes;
      const response = await call(film.path, { headers: { range: `bytes=${from}-${from + chunkBytes - 1}` } });
      return trouble(response, 206) ?? (response.body.equals(filmBytes.subarray(from, from + chunkBytes)) ? undefined : "other bytes");
    },
  };
  const load = Object.entries(works).flatMap(([name, work]) =>
    [0, 1].map(async (worker) => {
      for (let turn = worker * 50; !ended.signal.aborted; turn += 1) {
        const problem = await work(turn).catch((error: unknown) => String(error));
        if (problem !== undefined) failed.push(`${name}: ${problem}`);
        served[name as keyof typeof served] += 1;
      }
    }),
  );
  try {
    for (const name of ["router-1", "router-2"]) await restartWithStreams(name);
  } finally {
    ended.abort();
    await Promise.all(load);
  }
  expect(failed).toEqual([]);
  for (const count of Object.values(served)) expect(count).toBeGreaterThan(20);
});

it("retries requests of a killed router at another one when they are safe to repeat", async () => {
  const { id, sessionId } = alice.credentials;
  const statuses: number[] = [];
  const ended = new AbortController();
  const readers = Array.from({ length: 4 }, async () => {
    while (!ended.signal.aborted) statuses.push((await call("/telegram/session", { headers: { id, "session-id": sessionId } })).status);
  });
  const before = memberPid(gateway, "router-1");
  process.kill(before ?? 0, "SIGKILL");
  await eventually(
    "router-1 again",
    () => /routers\/router-1 is UP/.test(output.slice(output.lastIndexOf("router-1 is DOWN"))) && before !== memberPid(gateway, "router-1"),
  );
  ended.abort();
  await Promise.all(readers);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

it("sends no call on a connection to a router that a firewall has forgotten", async () => {
  const relays = await Promise.all(gateway.telegram.map((address) => HalfOpenRelay.start({ port: portOf(address) })));
  const proxy = await startProxy(
    ports.first + 2,
    relays.map(({ port }) => port),
  );
  const { id, sessionId } = alice.credentials;
  const request = async (): Promise<number> =>
    (await call("/telegram/session", { port: ports.first + 3, headers: { id, "session-id": sessionId } })).status;
  const several = (): Promise<number[]> => Promise.all(Array.from({ length: 8 }, request));
  try {
    await eventually("haproxy", async () => (await request()) === 200);
    await several();
    for (const relay of relays) relay.forget();
    expect(await several()).toEqual(Array.from({ length: 8 }, () => 200));
  } finally {
    proxy.kill("SIGKILL");
    await once(proxy, "exit");
    for (const relay of relays) await relay.stop();
  }
});

/** Stops the router while four films are half read. The router finishes its streams but takes no new request. */
async function restartWithStreams(name: string): Promise<void> {
  const index = Number(name.slice(-1)) - 1;
  const pid = memberPid(gateway, name);
  const streams = await Promise.all(Array.from({ length: 4 }, () => Film.begun()));
  const lengthBefore = output.length;
  process.kill(pid ?? 0, "SIGTERM");
  await eventually(`${name} takes no more`, async () => {
    // haproxy cuts a stream that is silent for 10 s. The kernel buffers some megabytes, so every stream keeps reading.
    for (const stream of streams) await stream.sip();
    return refuses(new URL(gateway.telegram[index] ?? ""));
  });
  expect(metricOf(await scrape(gateway.adminPorts[index] ?? 0), "gateway_router_media_streams_open")).toBeGreaterThan(0);
  expect(memberPid(gateway, name)).toBe(pid);
  // The streams end at the same time, because a waiting stream would be silent for too long.
  await Promise.all(streams.map((stream) => stream.seen()));
  await eventually(`${name} is back`, () => new RegExp(`routers/${name} is UP`).test(output.slice(lengthBefore)));
  expect(memberPid(gateway, name)).not.toBe(pid);
}

/** A client that reads the whole film and pauses in its middle. */
class Film {
  private taken = 0;
  private constructor(private readonly parts: AsyncIterator<Buffer, undefined>) {}

  static async begun(): Promise<Film> {
    const response = await open(film.path, { agent: false, ca: certificate.ca });
    expect(response.statusCode).toBe(200);
    const stream = new Film(response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>);
    await stream.sip();
    return stream;
  }

  async sip(): Promise<void> {
    await this.take(this.taken + 256 * 1024);
  }

  /** Reads to the end and compares every byte. */
  async seen(): Promise<void> {
    await this.take(film.size);
    expect(this.taken).toBe(film.size);
  }

  private async take(upTo: number): Promise<void> {
    while (this.taken < upTo) {
      const { value: part, done } = await this.parts.next();
      if (done === true) throw new Error(`the film ended after ${this.taken} bytes`);
      if (!part.equals(filmBytes.subarray(this.taken, this.taken + part.length))) throw new Error(`other bytes at ${this.taken}`);
      this.taken += part.length;
    }
  }
}

interface Response {
  readonly status: number;
  readonly body: Buffer;
}

function trouble({ status, body }: Response, expected: number): string | undefined {
  return status === expected ? undefined : `${status} ${body.toString().slice(0, 200)}`;
}

/** Sends a request through haproxy. */
async function call(path: string, options: RequestOptions = {}, body?: string): Promise<Response> {
  const response = await open(path, { agent, ...options }, body);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts) };
}

async function open(path: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  const sent = request({ host: "127.0.0.1", port: ports.first + 1, path, ...options });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function refuses(router: URL): Promise<boolean> {
  return fetch(router).then(
    () => false,
    () => true,
  );
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

/** Listens on the port `first`, and with TLS on the next port. */
async function startProxy(first: number, routers: readonly number[]): Promise<ChildProcess> {
  const file = join(folder, `haproxy-${first}.cfg`);
  await writeFile(file, await configuration(first, routers));
  return spawn("haproxy", ["-db", "-f", file], {
    env: { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function configuration(first: number, routers: readonly number[]): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, "../../deploy/manifests/haproxy/haproxy.cfg"), "utf8");
  const ours: [string, string][] = [
    ["bind :80\n", `bind 127.0.0.1:${first}\n`],
    ["bind :443 ssl crt /etc/haproxy/certs/ ", `bind 127.0.0.1:${first + 1} ssl crt ${folder}/site.pem `],
    ...routers.map((port, i): [string, string] => [
      `server router-${i + 1} 10.0.0.1${i + 1}:8080 check port 9090\n`,
      `server router-${i + 1} 127.0.0.1:${port} check port ${gateway.adminPorts[i] ?? 0}\n`,
    ]),
  ];
  return ours.reduce((made, [from, to]) => {
    if (!made.includes(from)) throw new Error(`haproxy.cfg has no ${from}`);
    return made.replace(from, to);
  }, text);
}
