import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer, get, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getWAUploadToServer, DEFAULT_CONNECTION_CONFIG } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Egress } from "../../../../shard/egress/egress.js";
import { MediaTransports, type MediaTransport } from "../../../../shard/whatsapp/network/media-transports.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";
import { makeCertificates } from "../../../harness/certificates.js";

/** A media host that closes an idle connection when the next request arrives on it, without a response. */
const guard = { addresses: () => Promise.reject(new Error("no proxy here")) };
let folder: string;
let server: Server;
let transport: MediaTransport;
let ca: string;
let host: string;
/** The address of each request. */
const from: (string | undefined)[] = [];
/** For each connection, whether it resumed an earlier TLS session. */
const resumed: boolean[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tl-media-transports-"));
  const made = makeCertificates(folder);
  ca = made.ca;
  const own = made.server;
  const rested = new WeakSet<Socket>();
  server = createServer({ cert: own.cert, key: own.key }, (request, response) => {
    if (rested.has(request.socket)) return void request.socket.destroy();
    rested.add(request.socket);
    from.push(request.socket.remoteAddress);
    request.resume().once("end", () => response.end(JSON.stringify({ url: `https://${host}/file`, direct_path: "/file" })));
  });
  server.on("secureConnection", (socket) => resumed.push(socket.isSessionReused()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = new MediaTransports(ca).take(new Egress({ guard }).route(undefined));
  await writeFile(join(folder, "file"), "a picture");
});
afterAll(async () => {
  transport.close();
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

it("each file is uploaded on a connection that no host has ended meanwhile", async () => {
  const upload = getWAUploadToServer({ ...DEFAULT_CONNECTION_CONFIG, logger: silentLogger, fetchAgent: transport.agent }, () =>
    Promise.resolve({ auth: "", ttl: 300, hosts: [{ hostname: host, maxContentLengthBytes: 1_000_000 }], fetchDate: new Date() }),
  );
  for (let file = 0; file < 3; file++) {
    const given = { mediaType: "image", fileEncSha256B64: "aGFzaA==" } as const;
    expect(await upload(join(folder, "file"), given)).toMatchObject({ directPath: "/file" });
  }
  expect(resumed).toEqual([false, true, true]);
});

it("so is each picture read", async () => {
  for (let picture = 0; picture < 3; picture++) {
    const [response] = (await once(get(`https://${host}/`, { agent: transport.agent }), "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    await once(response.resume(), "end");
  }
});

it("and each blob of a history or an app state", async () => {
  for (let blob = 0; blob < 3; blob++) {
    const response = await fetch(`https://${host}/`, { dispatcher: transport.dispatcher });
    expect(await response.json()).toMatchObject({ direct_path: "/file" });
  }
});

it("pictures and blobs leave from the address that was given", async () => {
  const own = new MediaTransports(ca).take(new Egress({ guard, localAddress: "127.0.0.5" }).route(undefined));
  from.length = 0;
  const [picture] = (await once(get(`https://${host}/`, { agent: own.agent }), "response")) as [IncomingMessage];
  await once(picture.resume(), "end");
  await (await fetch(`https://${host}/`, { dispatcher: own.dispatcher })).text();
  expect(from).toEqual(["127.0.0.5", "127.0.0.5"]);
});
