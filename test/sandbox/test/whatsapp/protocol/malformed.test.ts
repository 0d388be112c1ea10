import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { Curve, DEFAULT_CONNECTION_CONFIG, encodeBinaryNode, initAuthCreds, NOISE_WA_HEADER, proto } from "@whiskeysockets/baileys";
import { generateRegistrationNode } from "@whiskeysockets/baileys/lib/Utils/validate-connection.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { framed, RawClient } from "./raw-client.js";
import { startServer, type StartedServer } from "./test-backend.js";

let started: StartedServer;
const clients: RawClient[] = [];

beforeAll(async () => {
  started = await startServer();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  // After any malformed input, the server must still work and must have no unexpected error.
  expect(started.backend.errors).toEqual([]);
  await (await aClient()).hello();
});
afterAll(async () => await started.stop());

async function aClient(): Promise<RawClient> {
  const client = await RawClient.open(started.server);
  clients.push(client);
  return client;
}

function registration(change: Partial<proto.ClientPayload.IDevicePairingRegistrationData> = {}): Uint8Array {
  const payload = generateRegistrationNode(initAuthCreds(), {
    ...DEFAULT_CONNECTION_CONFIG,
    auth: { creds: initAuthCreds(), keys: { get: () => ({}), set: () => undefined } },
  });
  return proto.ClientPayload.encode({ ...payload, devicePairingData: { ...payload.devicePairingData, ...change } }).finish();
}

/** Returns a client after its handshake, with the QR references. */
async function registered(): Promise<RawClient> {
  const client = await aClient();
  await client.hello();
  client.finish(registration(), Curve.generateKeyPair());
  expect(await client.message()).toBeDefined();
  return client;
}

const hello = (ephemeral: Uint8Array) => proto.HandshakeMessage.encode({ clientHello: { ephemeral } }).finish();

describe("a connection is closed on", () => {
  it.each<[string, Buffer]>([
    ["random bytes", Buffer.concat([Buffer.from("XX"), randomBytes(500)])],
    ["another version of the protocol", Buffer.concat([Buffer.from([0x57, 0x41, 0x05, 0x02]), framed(hello(randomBytes(32)))])],
    ["routing info without an end", Buffer.from([0x45, 0x44, 0x00, 0x01, 0xff, 0xff, 0xff])],
    ["routing info before a wrong header", Buffer.from([0x45, 0x44, 0x00, 0x01, 0x00, 0x00, 0x01, 0x07, 0x00])],
    ["an empty frame", Buffer.concat([NOISE_WA_HEADER, framed(Buffer.alloc(0))])],
    ["a handshake frame of 16 MiB", Buffer.concat([NOISE_WA_HEADER, Buffer.from([0xff, 0xff, 0xff])])],
    ["a hello that is no message", Buffer.concat([NOISE_WA_HEADER, framed(Buffer.from([0xff, 0xff, 0xff, 0xff]))])],
    ["a hello without a key", Buffer.concat([NOISE_WA_HEADER, framed(hello(Buffer.alloc(0)))])],
    ["a hello with a short key", Buffer.concat([NOISE_WA_HEADER, framed(hello(randomBytes(31)))])],
    ["a hello with a key of zeros", Buffer.concat([NOISE_WA_HEADER, framed(hello(Buffer.alloc(32)))])],
  ])("%s", async (_name, bytes) => {
    const client = await aClient();
    client.write(bytes);
    expect(await client.message()).toBeUndefined();
  });

  it("text", async () => {
    const client = await aClient();
    client.write("WA");
    expect(await client.message()).toBeUndefined();
  });

  it.each<[string, (client: RawClient) => void]>([
    ["random bytes in place of the last handshake message", (client) => client.frame(randomBytes(200))],
    [
      "keys that do not decrypt",
      (client) =>
        client.frame(proto.HandshakeMessage.encode({ clientFinish: { static: randomBytes(48), payload: randomBytes(60) } }).finish()),
    ],
    ["a client payload that is none", (client) => client.finish(Buffer.from([0xff, 0xff, 0xff]), Curve.generateKeyPair())],
    ["a registration with a short key", (client) => client.finish(registration({ eIdent: randomBytes(31) }), Curve.generateKeyPair())],
    [
      "a registration whose prekey is signed by another",
      (client) => client.finish(registration({ eSkeySig: randomBytes(64) }), Curve.generateKeyPair()),
    ],
    [
      "device properties that are none",
      (client) => client.finish(registration({ deviceProps: Buffer.from([0xff, 0xff]) }), Curve.generateKeyPair()),
    ],
  ])("%s", async (_name, send) => {
    const client = await aClient();
    await client.hello();
    send(client);
    expect(await client.message()).toBeUndefined();
  });

  it.each<[string, (client: RawClient) => void]>([
    ["a frame that is not encrypted", (client) => client.frame(randomBytes(60))],
    ["a frame whose counter was used", (client) => client.sealed(encodeBinaryNode({ tag: "ib", attrs: {} }), 1)],
    ["a stanza of nothing", (client) => client.sealed(Buffer.alloc(0))],
    ["a stanza that ends early", (client) => client.sealed(Buffer.from([0, 0xf8, 0x05, 0x01]))],
    ["random bytes as a stanza", (client) => client.sealed(Buffer.concat([Buffer.from([0, 1]), randomBytes(100)]))],
    ["packed bytes that do not unpack", (client) => client.sealed(Buffer.concat([Buffer.from([2]), randomBytes(50)]))],
    [
      "packed bytes that become 64 MiB",
      (client) => client.sealed(Buffer.concat([Buffer.from([2]), deflateSync(Buffer.alloc(64 * 1_024 * 1_024))])),
    ],
    ["an IQ without an id", (client) => client.stanza({ tag: "iq", attrs: { type: "get", xmlns: "w:p" } })],
  ])("%s", async (_name, send) => {
    const client = await registered();
    send(client);
    for (let message = await client.message(); message; message = await client.message()) {
      // The server may send a last stanza first.
    }
    await client.closed;
  });

  it("random stanzas, whatever their length", async () => {
    for (let round = 0; round < 30; round += 1) {
      const client = await registered();
      client.sealed(Buffer.concat([Buffer.from([0]), randomBytes(1 + Math.floor(Math.random() * 300))]));
      // Some random bytes are valid stanzas, which are ignored.
      client.frame(Buffer.from([1]));
      await client.closed;
    }
  });
});

describe("what is no WebSocket", () => {
  it("is answered or dropped", async () => {
    for (const bytes of [randomBytes(400), Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n")]) {
      const socket = RawClient.tcp(started.server);
      socket.write(bytes);
      await new Promise((resolve) => socket.once("data", resolve).once("close", resolve).on("error", resolve));
      socket.destroy();
    }
  });
});

describe("bytes may arrive in any pieces", () => {
  it("one by one", async () => {
    const client = await aClient();
    const key = Curve.generateKeyPair();
    const routing = Buffer.from([0x45, 0x44, 0x00, 0x01, 0x00, 0x00, 0x02, 0x07, 0x08]);
    for (const byte of Buffer.concat([routing, NOISE_WA_HEADER, framed(hello(key.public))])) client.write(Buffer.from([byte]));
    expect(await client.message()).toBeDefined();
  });
});

describe("a client that is not linked", () => {
  it("may only ask what linking needs", async () => {
    const client = await registered();
    client.stanza({ tag: "iq", attrs: { id: "1", type: "get", xmlns: "w:g2", to: "@g.us" } });
    client.stanza({ tag: "message", attrs: { id: "2", to: "62811@s.whatsapp.net" } });
    expect(await client.message()).toBeDefined();
    expect(started.backend.sent).toEqual([]);
  });

  it("is refused when the platform takes no connections", async () => {
    started.backend.accepts = false;
    await expect(RawClient.open(started.server)).rejects.toThrow();
    started.backend.accepts = true;
  });
});
