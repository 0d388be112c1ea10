import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { crc32 } from "node:zlib";
import { Logger } from "telegram/extensions/index.js";
import { LogLevel } from "telegram/extensions/Logger.js";
import { FullPacketCodec } from "telegram/network/connection/TCPFull.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Egress } from "../../../../shard/egress/egress.js";
import { fencedSocketClass } from "../../../../shard/telegram/network/fenced-socket.js";
import { FullConnection } from "../../../../shard/telegram/network/full-connection.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";

let server: Server;
let holds = true;
let connection: FullConnection;
/** The server's side of the connection, and all that has arrived there. */
let peer: Socket;
let arrived: Buffer;

beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  holds = true;
  const socket = fencedSocketClass({
    fence: { holds: () => holds },
    dcMap: new Map([["dc", `127.0.0.1:${port}`]]),
    route: new Egress({ guard: { addresses: () => Promise.reject(new Error("no proxy here")) } }).route(undefined),
    connectMs: 60_000,
    signal: new AbortScope(),
  });
  connection = new FullConnection({ ip: "dc", port: 443, dcId: 1, loggers: new Logger(LogLevel.NONE), socket, testServers: false });
  const accepted = once(server, "connection");
  await connection.connect();
  [peer] = (await accepted) as [Socket];
  arrived = Buffer.alloc(0);
  peer.on("data", (bytes) => (arrived = Buffer.concat([arrived, bytes])));
});

afterEach(async () => {
  await connection.disconnect();
  peer.destroy();
  server.close();
});

/** A packet as the platform sends it. */
function packet(payload: Buffer): Buffer {
  const bytes = Buffer.alloc(payload.length + 12);
  bytes.writeInt32LE(bytes.length, 0);
  payload.copy(bytes, 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

const [first, second] = [Buffer.alloc(40, "a"), Buffer.alloc(1_000, "b")];

test("sends that do not wait for each other arrive whole and in order", async () => {
  await Promise.all([connection.send(first), connection.send(second)]);
  const codec = new FullPacketCodec(undefined);
  const expected = Buffer.concat([codec.encodePacket(first), codec.encodePacket(second)]);
  await expect.poll(() => arrived.length).toBe(expected.length);
  expect(arrived.equals(expected)).toBe(true);
});

test("a packet beyond the bytes that may wait is read", async () => {
  const payload = Buffer.alloc(5 * 1024 * 1024, "large");
  peer.write(packet(payload));
  peer.write(packet(first));
  expect((await connection.recv()).equals(payload)).toBe(true);
  expect(await connection.recv()).toEqual(first);
});

test("packets of which more wait than may are all read", async () => {
  const payload = Buffer.alloc(1024 * 1024, "part");
  let taken = 0;
  for (let part = 0; part < 12; part++) peer.write(packet(payload), () => taken++);
  for (let part = 0; part < 12; part++) expect((await connection.recv()).length).toBe(payload.length);
  await expect.poll(() => taken).toBe(12);
});

test("a whole packet is read although the server has closed the connection, and a part of one ends it", async () => {
  peer.end(Buffer.concat([packet(first), packet(second).subarray(0, 500)]));
  expect(await connection.recv()).toEqual(first);
  await expect(connection.recv()).rejects.toThrow("connection is closed");
  expect(connection.isConnected()).toBe(false);
  await expect(connection.send(first)).rejects.toThrow("Not connected");
  await expect(connection.recv()).rejects.toThrow("Not connected");
});

test.each([
  ["an altered packet", packet(first).fill("c", 20, 21), "Invalid checksum"],
  ["a length below that of an empty packet", packet(first).fill(0, 0, 4), "out of range"],
  ["an error number", Buffer.from("6cfeffff6cfeffff6cfeffff", "hex"), "404"],
])("%s ends the connection, and the read says why", async (_what, bytes, why) => {
  const closed = once(peer, "close");
  peer.write(bytes);
  await expect(connection.recv()).rejects.toThrow(why);
  await closed;
  await expect(connection.recv()).rejects.toThrow("Not connected");
});

test("a read that waits ends with the connection", async () => {
  const reading = connection.recv();
  await connection.disconnect();
  await expect(reading).rejects.toThrow("connection is closed");
});

test("a send without the slot is refused, writes nothing and ends the read", async () => {
  const closed = once(peer, "close");
  const reading = connection.recv();
  reading.catch(() => undefined);
  holds = false;
  await expect(connection.send(first)).rejects.toThrow("no longer ours");
  await expect(reading).rejects.toThrow("connection is closed");
  await closed;
  expect(arrived.length).toBe(0);
});
