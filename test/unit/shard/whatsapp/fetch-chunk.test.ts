import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proto, type BinaryNode } from "@whiskeysockets/baileys";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FileFacts } from "../../../../shared/media/file-facts.js";
import { chunkBytes } from "../../../../shared/limits.js";
import { Egress } from "../../../../shard/egress/egress.js";
import { fetchChunk, type FileSource } from "../../../../shard/whatsapp/media/fetch-chunk.js";
import { withMediaErrors } from "../../../../shard/whatsapp/media/media-errors.js";
import { WholeChecks } from "../../../../shard/whatsapp/media/whole-checks.js";
import { readStored } from "../../../../shard/whatsapp/media/read-stored.js";
import { Reuploads, type GoneFile } from "../../../../shard/whatsapp/media/reuploads.js";
import { MediaTransports, type MediaTransport } from "../../../../shard/whatsapp/network/media-transports.js";
import { makeCertificates } from "../../../harness/certificates.js";
import { eventually } from "../../../harness/eventually.js";
import { encryptedFile } from "./encrypted-file.js";

const plain = randomBytes(2 * chunkBytes + 1_000);
const { stored, facts } = encryptedFile(plain, "video", "Video");
const never = new AbortController().signal;
const guard = { addresses: () => Promise.reject(new Error("no proxy here")) };

let folder: string;
let server: Server;
let transport: MediaTransport;
let host: string;
/** Connections that the media host has accepted. */
let connections = 0;
/** Ranges and URLs that reached the media host. */
let asked: { range: string; url: string }[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "media-host-"));
  const { ca, server: pair } = makeCertificates(folder);
  server = createServer({ key: pair.key, cert: pair.cert }, (request, response) => {
    asked.push({ range: request.headers.range ?? "", url: request.url ?? "" });
    respond(request, response);
  });
  server.on("secureConnection", () => connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = new MediaTransports(ca).take(new Egress({ guard }).route(undefined));
});
afterAll(() => {
  transport.rangeAgent.destroy();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Serves ranges as a media host does. */
function serve({ headers }: IncomingMessage, response: ServerResponse): void {
  const [, from = "0", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const body = stored.subarray(Number(from), Number(to) + 1);
  response.writeHead(206, { "content-range": `bytes ${from}-${Number(from) + body.length - 1}/${stored.length}` }).end(body);
}

const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, headers).end();

/** A connection whose phone responds to requests for uploads. */
class Phone {
  readonly ev = new EventEmitter();
  readonly requests: BinaryNode[] = [];
  readonly authState = { creds: { me: { id: "1:2@s.whatsapp.net" } } };
  responds: (id: string) => object | undefined = () => undefined;

  sendNode(node: BinaryNode): Promise<void> {
    this.requests.push(node);
    const { id = "" } = node.attrs;
    const update = this.responds(id);
    if (update !== undefined) setImmediate(() => this.ev.emit("messages.media-update", [update]));
    return Promise.resolve();
  }
}

function uploaded(id: string, directPath: string, mediaKey = facts.mediaKey): object {
  const key = Buffer.from(hkdfSync("sha256", mediaKey, "", "WhatsApp Media Retry Notification", 32));
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(id));
  const result = proto.MediaRetryNotification.ResultType.SUCCESS;
  const bytes = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result }).finish();
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return { key: { id, remoteJid: "9@g.us" }, media: { ciphertext, iv } };
}

let phone: Phone;
let reuploads: Reuploads;
let wholeChecks: WholeChecks;

beforeEach(() => {
  asked = [];
  respond = serve;
  phone = new Phone();
  reuploads = new Reuploads(300);
  wholeChecks = new WholeChecks();
});
afterEach(() => {
  expect(phone.ev.listenerCount("messages.media-update")).toBe(0);
});

const fileWith = (change: Partial<FileFacts> = {}): GoneFile => ({
  fileKey: "f",
  address: { chatId: "9@g.us", messageId: "3EB0", variant: "file" },
  facts: { ...facts, author: "5@lid", ...change },
});

function clientOf(hosts: readonly string[]): FileSource["client"] {
  const mediaHosts = { find: () => Promise.resolve({ hosts: hosts.map((hostname) => ({ hostname })) }) };
  return { mediaHosts, rangeAgent: transport.rangeAgent, sock: phone } as unknown as FileSource["client"];
}

function fetchOf(chunk: number, file = fileWith(), signal: AbortSignal = never, hosts = [host]): Promise<Buffer> {
  const client = clientOf(hosts);
  const source: FileSource = { client, reuploads, wholeChecks };
  return withMediaErrors(() => fetchChunk(source, file, chunk, signal));
}

describe("fetchChunk", () => {
  it("waits a limited time for a media host that is silent on a new connection", async () => {
    transport.rangeAgent.destroy();
    respond = () => undefined;
    const ending = new AbortController();
    const fetching = fetchOf(0, fileWith(), ending.signal);
    fetching.catch(() => undefined);
    await eventually("the request", () => asked.length === 1);
    const sockets = Object.values(transport.rangeAgent.sockets).flatMap((some) => some ?? []);
    expect(sockets.map(({ timeout }) => timeout)).toEqual([10_000]);
    ending.abort(new Error("over"));
    await expect(fetching).rejects.toThrow();
  });

  it("requests only the stored bytes of the chunk", async () => {
    for (const chunk of [0, 1, 2])
      expect((await fetchOf(chunk)).equals(plain.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes))).toBe(true);
    expect(asked.map(({ range }) => range)).toEqual([
      `bytes=0-${chunkBytes - 1}`,
      `bytes=${chunkBytes - 16}-${2 * chunkBytes - 1}`,
      `bytes=${2 * chunkBytes - 16}-${stored.length - 1}`,
    ]);
    expect(asked[0]?.url).toBe(`/v/file.enc?ccb=11-4&hash=${facts.encryptedHash.toString("base64url")}&mms-type=video&__wa-mms=`);
  });

  it("reads the ranges of a file over one connection", async () => {
    await fetchOf(0);
    const before = connections;
    for (let round = 0; round < 3; round++) for (const chunk of [0, 1, 2]) await fetchOf(chunk);
    expect(connections - before).toBe(0);
  });

  it("uses another connection at once when the host closes a kept one as the range is requested", async () => {
    const used = new WeakSet<Socket>();
    respond = (request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      serve(request, response);
    };
    const range = { from: 0, to: 1_000 };
    for (let reads = 0; reads < 3; reads++)
      expect(await readStored(clientOf([host]), facts, range, never)).toEqual(stored.subarray(0, 1_000));
    expect(asked).toHaveLength(5);
  });

  it("fails when the host closes a new connection", async () => {
    respond = (request) => void request.socket.destroy();
    await expect(readStored(clientOf([host]), facts, { from: 0, to: 1_000 }, never)).rejects.toThrow("media hosts cannot be reached");
  });

  it("reads a file of a host that ignores ranges", async () => {
    respond = (_, response) => void response.writeHead(200).end(stored);
    expect((await fetchOf(1)).equals(plain.subarray(chunkBytes, 2 * chunkBytes))).toBe(true);
  });

  it("tries the next host", async () => {
    expect((await fetchOf(0, fileWith(), never, ["127.0.0.1:1", host])).length).toBe(chunkBytes);
  });

  it("rejects altered bytes with 404", async () => {
    respond = (request, response) => {
      const [, from = "0", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      const body = Buffer.from(stored.subarray(Number(from), Number(to) + 1));
      body[100] = (body[100] ?? 0) ^ 1;
      response.writeHead(206).end(body);
    };
    await expect(fetchOf(1)).rejects.toMatchObject({ status: 404, message: "media not found" });
  });

  it.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ])("rejects the chunk that completes an altered file without a sidecar: %i, %i, %i", async (...order) => {
    const file = fileWith({ sidecar: Buffer.alloc(0), mediaKey: facts.mediaKey, kind: "video" });
    const read = async (): Promise<unknown[]> => {
      const results: unknown[] = [];
      for (const chunk of order)
        results.push(
          await fetchOf(chunk, file).then(
            ({ length }) => length,
            (error: unknown) => String(error),
          ),
        );
      return results;
    };
    const lengths = [chunkBytes, chunkBytes, 1_000];
    expect(await read()).toEqual(order.map((chunk) => lengths[chunk]));
    const original = stored[700_000] ?? 0;
    stored[700_000] = original ^ 1;
    expect((await read()).at(-1)).toMatch(/media not found$/);
    stored[700_000] = original;
    expect(await read()).toEqual(order.map((chunk) => lengths[chunk]));
  });

  it("tries a host that failed for a moment again", async () => {
    let failures = 1;
    respond = (request, response) => (failures-- > 0 ? refuse(500)(request, response) : serve(request, response));
    expect((await fetchOf(0)).length).toBe(chunkBytes);
  });

  it("passes on how long the host asks to wait", async () => {
    respond = refuse(429, { "retry-after": "7" });
    await expect(fetchOf(0)).rejects.toMatchObject({ status: 503, message: "whatsapp asked to wait 7s" });
  });

  it("stops when its signal aborts", async () => {
    const leaving = new AbortController();
    respond = () => leaving.abort(new Error("left"));
    await expect(fetchOf(0, fileWith(), leaving.signal)).rejects.toThrow();
  });

  it.each([403, 404, 410])("reads the path at which the phone uploaded the file again after a %i, and remembers it", async (status) => {
    respond = (request, response) =>
      request.url?.startsWith("/new") === true ? serve(request, response) : refuse(status)(request, response);
    phone.responds = (id) => uploaded(id, "/new?ccb=11-4");
    const [first, second] = await Promise.all([fetchOf(0), fetchOf(1)]);
    expect(first.equals(plain.subarray(0, chunkBytes)) && second.equals(plain.subarray(chunkBytes, 2 * chunkBytes))).toBe(true);
    await fetchOf(2);
    expect(phone.requests.map(({ attrs }) => attrs)).toEqual([{ id: "3EB0", to: "1@s.whatsapp.net", type: "server-error" }]);
    const rmr = (phone.requests[0]?.content as BinaryNode[]).find(({ tag }) => tag === "rmr");
    expect(rmr?.attrs).toEqual({ jid: "9@g.us", from_me: "false", participant: "5@lid" });
    expect(asked.at(-1)?.url).toMatch(/^\/new\?/);
  });

  it.each<[string, (id: string) => object]>([
    ["does not have the file", (id) => ({ key: { id, remoteJid: "9@g.us" }, error: new Error("404") })],
    ["does not know the media key", (id) => uploaded(id, "/new", randomBytes(32))],
    ["names a path elsewhere", (id) => uploaded(id, "https://other.example/")],
  ])("is 404 when the phone %s, and does not ask it again at once", async (_, responds) => {
    respond = refuse(404);
    phone.responds = responds;
    for (let tries = 0; tries < 2; tries++) await expect(fetchOf(0)).rejects.toMatchObject({ status: 404, message: "media not found" });
    expect(phone.requests).toHaveLength(1);
  });

  it("is 503 when the phone does not respond in time, and asks it again the next time", async () => {
    respond = refuse(410);
    for (let tries = 0; tries < 2; tries++)
      await expect(fetchOf(0)).rejects.toMatchObject({
        status: 503,
        message: "whatsapp did not answer the media request in time",
        retryAfterSeconds: 5,
      });
    expect(phone.requests).toHaveLength(2);
  });

  it("asks no phone for a thumbnail", async () => {
    respond = refuse(404);
    await expect(fetchOf(0, fileWith({ kind: "thumbnail-video", length: 0 }))).rejects.toMatchObject({ status: 404 });
    expect(phone.requests).toHaveLength(0);
  });
});
