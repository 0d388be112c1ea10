import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { silentLog } from "../../../shared/log/logger.js";
import type { CatchParts } from "../../../router/endpoint/serve.js";
import type { CredentialGuard } from "../../../router/tenant/guard/credential-guard.js";
import { HttpApp } from "../../../router/http/app.js";
import type { HttpMetrics } from "../../../router/http/http-metrics.js";
import type { HttpLimits } from "../../../router/http/limits.js";
import type { ChunkMetrics } from "../../../router/media/chunk-loader.js";
import type { HttpRequest } from "../../../router/http/request.js";
import type { KeyPort } from "../../../router/tenant/principal.js";
import { newSessionId } from "../../../shared/contract/ids.js";
import type { StoredSession } from "../../../router/sessions/session-reader.js";
import type { Account } from "../../../shared/session/state.js";
import { defaultTenant } from "../../../shared/contract/tenant.js";

/** Records the router's metrics for assertions. */
export class RecordedMetrics implements HttpMetrics, ChunkMetrics {
  readonly requests: { route: string; status: number }[] = [];
  readonly streams: { end: string; bytes: number }[] = [];
  readonly sources: string[] = [];
  readonly ahead: Record<string, number> = {};
  readonly turned: Record<string, number> = {};
  readonly compressions: string[] = [];
  open = 0;
  running = 0;
  strangers = 0;
  mediaStreams = 0;
  readonly knownParts: string[] = [];
  /** Streams that have sent their first bytes. */
  started = 0;
  memory = 0;

  requestEnded(route: string, status: number): void {
    this.requests.push({ route, status });
  }
  connections(open: number): void {
    this.open = open;
  }
  requestsInProgress(count: number): void {
    this.running = count;
  }
  newcomers(count: number): void {
    this.strangers = count;
  }
  turnedAway(reason: string): void {
    this.turned[reason] = (this.turned[reason] ?? 0) + 1;
  }
  lookup(of: string, hit: boolean): void {
    this.knownParts.push(`${of} ${hit ? "hit" : "miss"}`);
  }
  compressed(outcome: string): void {
    this.compressions.push(outcome);
  }
  streamStarted(): void {
    this.started++;
  }
  streamEnded(end: string, bytes: number): void {
    this.streams.push({ end, bytes });
  }
  streamsOpen(count: number): void {
    this.mediaStreams = count;
  }
  chunkLoaded(source: string): void {
    this.sources.push(source);
  }
  readAhead(outcome: string, chunks: number): void {
    this.ahead[outcome] = (this.ahead[outcome] ?? 0) + chunks;
  }
  memoryBytes(bytes: number): void {
    this.memory = bytes;
  }
}

export function anApp(metrics: RecordedMetrics, limits: Partial<HttpLimits> = {}): HttpApp {
  return new HttpApp({ host: "127.0.0.1", port: 0, metrics, log: silentLog, limits });
}

export interface RawAnswer {
  readonly text: string;
  readonly status: number;
  readonly body: string;
  readonly closed: boolean;
}

/** Longest wait for the first byte of a response. */
const answerMs = 30_000;

/**
 * Sends bytes over a bare socket. Resolves with the received text at the close, or after `silenceMs` without data. `firstMs` limits the
 * wait for the first byte.
 */
export async function raw(
  port: number,
  parts: string | Buffer | readonly (string | Buffer)[],
  silenceMs = 300,
  firstMs = answerMs,
): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  let closed = false;
  socket.on("error", () => {}); // A reset is an expected outcome: `closed`.
  socket.on("close", () => (closed = true));
  await once(socket, "connect");
  for (const part of Array.isArray(parts) ? parts : [parts]) {
    socket.write(part);
    await pause(5);
  }
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    // The socket was closed while the parts were sent.
    if (closed) return resolve();
    timer = setTimeout(resolve, firstMs);
    socket.on("data", (data: Buffer) => {
      received.push(data);
      clearTimeout(timer);
      timer = setTimeout(resolve, silenceMs);
    });
    socket.on("close", () => resolve());
  });
  clearTimeout(timer);
  socket.destroy();
  const text = Buffer.concat(received).toString("latin1");
  return {
    text,
    closed,
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    body: text.split("\r\n\r\n").slice(1).join("\r\n\r\n"),
  };
}

/** `from` is one of this machine's 16 million loopback addresses. */
export async function openSocket(port: number, from = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Polls a condition that has no event. Throws after 30 s. */
export async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round > 3_000) throw new Error("condition did not come true");
    await pause(10);
  }
}

export function aRequest(headers: Readonly<Record<string, string | readonly string[]>>): HttpRequest {
  return {
    method: "GET",
    path: "/",
    query: "",
    params: {},
    headers: Object.assign(
      new Map(
        Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => [name, typeof value === "string" ? [value] : value]),
      ),
      {},
    ),
    requestId: "r",
    arrivedAt: 0,
    address: () => "127.0.0.1",
    identified: () => undefined,
    auditAlso: () => undefined,
    body: () => Promise.resolve(Buffer.alloc(0)),
  };
}

export const anAccount: Account = {
  generatedId: "777",
  name: "Ada",
  username: "ada",
  phone: "4915550001",
  picture: "data:image/jpeg;base64,AAAA",
};

/** Returns a connected session with a living owner. */
export function aSession(change: Partial<StoredSession> = {}): StoredSession {
  return {
    id: newSessionId(Date.now()),
    platform: "telegram",
    secretHash: "",
    tenant: defaultTenant,
    incarnation: "",
    active: true,
    owned: true,
    responsive: true,
    lastError: "",
    state: { kind: "connected", account: anAccount },
    qrPng: "",
    webhook: "",
    lastAccount: "77",
    owner: undefined,
    ...change,
    version: {},
  };
}

/** Returns the SHA-256 (hex) of the only response's body of `length` bytes. The reader pauses after each share `restShare` of the data. */
export async function digestOfBody(socket: Socket, length: number, restShare: number): Promise<string> {
  const hash = createHash("sha256");
  let received = 0;
  let head = true;
  for await (const data of socket) {
    const bytes: Buffer = data;
    const body = head ? bytes.subarray(bytes.indexOf("\r\n\r\n") + 4) : bytes;
    head = false;
    hash.update(body);
    received += body.length;
    if (Math.random() < restShare) await pause(5);
    if (received === length) break;
  }
  return hash.digest("hex");
}

/** A guard that reports wrong credentials and never slows them. The real guard has its own tests. */
export const toldAsTheyAre: Pick<CredentialGuard, "judge" | "isSlowed"> = { judge: (wrong) => wrong, isSlowed: () => false };

/** The parts of routes whose callers have no key. */
export const plainCatch: CatchParts = { keys: { learn: () => Promise.resolve() }, guard: toldAsTheyAre, log: silentLog };

/** Returns a directory that knows all of its keys. */
export function knownKeys(keys: Pick<KeyPort, "isOpen" | "find">): KeyPort {
  return { isOpen: keys.isOpen, isShared: false, find: (key) => keys.find(key), mayBeNew: () => false, learn: () => Promise.resolve() };
}
