import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import bigInt from "big-integer";
import { Api } from "telegram";
import { serializeBytes } from "telegram/tl/generationHelpers.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { obfuscatedStart, RawClient, type RawKey } from "./raw-client.js";
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
  const client = await aClient();
  expect(await client.makeKey()).toBeDefined();
});
afterAll(async () => await started.stop());

async function aClient(): Promise<RawClient> {
  const client = await RawClient.connect(started.server);
  clients.push(client);
  return client;
}

async function keyed(): Promise<{ client: RawClient; key: RawKey }> {
  const client = await aClient();
  const key = await client.makeKey();
  if (!key) throw new Error("no key");
  return { client, key };
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

const fullOf = (length: number) => words(length, 0);

describe("a connection is closed on", () => {
  it.each<[string, Buffer]>([
    ["random bytes", Buffer.concat([Buffer.from([0x17, 0x22, 0x33, 0x44]), randomBytes(996)])],
    ["a web browser", Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\n${"x".repeat(64)}\r\n\r\n`)],
    ["an obfuscated stream of an unknown transport", obfuscatedStart(0x12345678)],
    ["a full packet that is too short", fullOf(8)],
    ["a full packet whose length is no multiple of four", fullOf(1_001)],
    ["an intermediate packet of 2 GiB", words(0xeeeeeeee, 0x7fffffff)],
    ["an intermediate packet of nothing", words(0xeeeeeeee, 0)],
    ["a padded packet of 4 GiB", words(0xdddddddd, 0xffffffff)],
    ["an abridged packet of 64 MiB", Buffer.from([0xef, 0x7f, 0xff, 0xff, 0xff])],
    ["an abridged packet that wants a quick acknowledgement", Buffer.from([0xef, 0x81])],
    ["an abridged packet of nothing", Buffer.from([0xef, 0])],
  ])("%s", async (_name, bytes) => {
    const client = await aClient();
    client.socket.write(bytes);
    expect(await client.packet()).toBeUndefined();
  });

  it("a wrong checksum", async () => {
    const client = await aClient();
    const packet = client.frame(Buffer.alloc(40));
    packet.writeInt32LE(packet.readInt32LE(48) ^ 1, 48);
    client.socket.write(packet);
    expect(await client.packet()).toBeUndefined();
  });

  it("a packet with a number out of turn", async () => {
    const client = await aClient();
    client.plain(new Api.ReqPqMulti({ nonce: bigInt(1) }));
    expect(await client.packet()).toBeDefined();
    client.frame(Buffer.alloc(4));
    client.plain(new Api.ReqPqMulti({ nonce: bigInt(1) }));
    expect(await client.packet()).toBeUndefined();
  });

  it.each<[string, Buffer]>([
    ["too short", Buffer.alloc(16)],
    ["with a length beyond its end", Buffer.concat([Buffer.alloc(16), words(4_000), Buffer.alloc(40)])],
    ["with an unknown constructor", Buffer.concat([Buffer.alloc(16), words(4), words(0xdeadbeef)])],
    ["that may only be encrypted", Buffer.concat([Buffer.alloc(16), words(12), new Api.Ping({ pingId: bigInt(1) }).getBytes()])],
    ["with a truncated object", Buffer.concat([Buffer.alloc(16), words(8), words(Api.ReqPqMulti.CONSTRUCTOR_ID, 1)])],
    ["of the exchange's second step", Buffer.concat([Buffer.alloc(16), plainBody(aReqDh())])],
  ])("an unencrypted message %s", async (_name, payload) => {
    const client = await aClient();
    client.write(payload);
    expect(await client.packet()).toBeUndefined();
  });

  it("random packets, whatever their length", async () => {
    for (let round = 0; round < 50; round += 1) {
      const client = await aClient();
      const payload = randomBytes(8 + 4 * Math.floor(Math.random() * 100));
      payload.writeBigUInt64LE(0n, 0);
      client.write(payload);
      expect(await client.packet()).toBeUndefined();
    }
  });

  it("a wrong message key, and on any changed bit of a message", async () => {
    const { key } = await keyed();
    for (let round = 0; round < 20; round += 1) {
      const client = await aClient();
      const packet = client.seal(key, new Api.Ping({ pingId: bigInt(1) }).getBytes());
      const position = 8 + Math.floor(Math.random() * (packet.length - 8));
      packet.writeUInt8(packet.readUInt8(position) ^ (1 << round % 8), position);
      client.write(packet);
      expect(await client.packet()).toBeUndefined();
    }
  });

  it.each([24, 40, 60, 72, 88])("an encrypted message cut to %d bytes", async (length) => {
    const { client, key } = await keyed();
    client.write(client.seal(key, randomBytes(64)).subarray(0, length));
    expect(await client.packet()).toBeUndefined();
  });

  it("packed data that is none, or far more than a message", async () => {
    for (const bytes of [randomBytes(40), gzipSync(Buffer.alloc(64 * 1_024 * 1_024))]) {
      const { client, key } = await keyed();
      client.say(key, Buffer.concat([words(0x3072cfa1), serializeBytes(bytes)]));
      expect(await client.packet()).toBeUndefined();
    }
  });
});

describe("a key that the server does not know", () => {
  it("is answered by transport error 404, over and over", async () => {
    const client = await aClient();
    for (let round = 0; round < 2; round += 1) {
      client.write(randomBytes(120));
      const packet = await client.packet();
      expect(packet).toHaveLength(4);
      expect(packet?.readInt32LE(0)).toBe(-404);
    }
  });
});

describe("bytes may arrive in any pieces", () => {
  it("one by one", async () => {
    const client = await aClient();
    const body = new Api.ReqPqMulti({ nonce: bigInt(1) }).getBytes();
    const packet = client.frame(Buffer.concat([Buffer.alloc(16), words(body.length), body]));
    for (const byte of packet) {
      client.socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.packet())?.readUInt32LE(20)).toBe(Api.ResPQ.CONSTRUCTOR_ID);
  });

  it("many packets at once", async () => {
    const client = await aClient();
    const body = new Api.ReqPqMulti({ nonce: bigInt(1) }).getBytes();
    const packets = Array.from({ length: 100 }, () => client.frame(Buffer.concat([Buffer.alloc(16), words(body.length), body])));
    client.socket.write(Buffer.concat(packets));
    for (let count = 0; count < 100; count += 1) expect((await client.packet())?.readUInt32LE(20)).toBe(Api.ResPQ.CONSTRUCTOR_ID);
  });
});

function plainBody(body: Buffer): Buffer {
  return Buffer.concat([words(body.length), body]);
}

function aReqDh(): Buffer {
  const zero = bigInt(0);
  const empty = Buffer.alloc(4);
  return new Api.ReqDHParams({
    nonce: zero,
    serverNonce: zero,
    p: empty,
    q: empty,
    publicKeyFingerprint: zero,
    encryptedData: empty,
  }).getBytes();
}
