import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BulkConnection } from "../../../../../router/bus/redis/bulk-connection.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import type { movedAway } from "../../../../../shared/media/chunk-cache.js";
import { parseRedisAddress, type RedisAddress } from "../../../../../shared/redis/address.js";
import { makeCertificates } from "../../../../harness/certificates.js";
import { claimPorts } from "../../../../harness/claimed-ports.js";
import { startRedisNode } from "../../../../harness/redis-node.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

let server: TestRedis;
let readers: BulkConnection[] = [];
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(() => server.client.flushall());
afterEach(() => {
  for (const reader of readers) reader.stop();
  readers = [];
});

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round > 1_000) throw new Error("condition did not come true");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function opening(address: RedisAddress): Promise<BulkConnection> {
  const reader = new BulkConnection(address, silentLog);
  readers.push(reader);
  await reader.start();
  return reader;
}

async function opened(address: RedisAddress = parseRedisAddress(server.url)): Promise<BulkConnection> {
  const reader = await opening(address);
  await until(() => reader.ready);
  return reader;
}

const put = (key: string, a: Buffer, b: Buffer): Promise<number> => server.client.hset(key, "a", a, "b", b);
const get = async (reader: BulkConnection, key: string, length: number): Promise<Buffer | undefined> =>
  atHome(await read(reader, key, length));
const read = (reader: BulkConnection, key: string, length: number): Promise<Buffer | typeof movedAway | undefined> =>
  reader.read({ key, fields: ["a", "b"], length, lifetimeSeconds: 3_600 });

function atHome(bytes: Buffer | typeof movedAway | undefined): Buffer | undefined {
  if (typeof bytes === "symbol") throw new Error("there is one server");
  return bytes;
}

describe("BulkConnection", () => {
  it("reads fields of every length, one after the other in one buffer", async () => {
    const reader = await opened();
    for (const [a, b] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
      [509, 3],
      [511, 1],
      [512, 0],
      [513, 600],
      [65_535, 1],
      [524_224, 64],
      [524_224, 0],
      [1, 524_287],
      [3_000_000, 5],
    ] as const) {
      const [first, second] = [randomBytes(a), randomBytes(b)];
      await put("key", first, second);
      expect((await get(reader, "key", a + b))?.equals(Buffer.concat([first, second])) ?? a + b === 0, `${a} ${b}`).toBe(true);
    }
  });

  it("keeps 400 reads at once apart, whatever they find", async () => {
    const reader = await opened();
    const values = Array.from(
      { length: 40 },
      () => [randomBytes(Math.floor(Math.random() * 200_000) + 1), randomBytes(Math.floor(Math.random() * 700))] as const,
    );
    await Promise.all(values.map(([a, b], index) => put(`key${index}`, a, b)));
    await server.client.set("text", "no hash");
    await server.client.hset("half", "a", "x");
    const reads = Array.from({ length: 400 }, async (_, index) => {
      if (index % 10 === 1) {
        expect(await get(reader, "missing", 5)).toBeUndefined();
        return;
      }
      if (index % 10 === 2) {
        expect(await get(reader, "half", 1)).toBeUndefined();
        return;
      }
      if (index % 10 === 3) {
        await expect(get(reader, "text", 5)).rejects.toThrow("WRONGTYPE");
        return;
      }
      const [a, b] = values[index % values.length] ?? [];
      if (a === undefined || b === undefined) throw new Error("no value");
      const all = Buffer.concat([a, b]);
      const name = `key${index % values.length}`;
      if (index % 10 === 4) {
        expect(await get(reader, name, all.length - 1)).toBeUndefined();
        return;
      }
      if (index % 10 === 5) {
        expect(await get(reader, name, all.length + 1)).toBeUndefined();
        return;
      }
      expect((await get(reader, name, all.length))?.equals(all)).toBe(true);
    });
    await Promise.all(reads);
  });

  it("gives every buffer memory of its own", async () => {
    const reader = await opened();
    await put("key", Buffer.alloc(10, 1), Buffer.alloc(5, 2));
    const [one, other] = [await get(reader, "key", 15), await get(reader, "key", 15)];
    expect([one?.buffer.byteLength, one?.buffer === other?.buffer]).toEqual([15, false]);
  });

  it("starts a new lifetime with every read", async () => {
    const reader = await opened();
    await put("key", Buffer.alloc(10), Buffer.alloc(0));
    await get(reader, "key", 10);
    expect(await server.client.ttl("key")).toBeGreaterThan(3_590);
  });

  it("logs in and finds its database, also over TCP", async () => {
    const { first: port, release } = await claimPorts();
    await server.client.config("SET", "port", String(port));
    await server.client.acl("SETUSER", "reader", "on", ">a:b@c", "+@all", "~*");
    try {
      await server.client.select(3);
      await put("key", Buffer.from("there"), Buffer.alloc(0));
      await server.client.select(0);
      const reader = await opened(parseRedisAddress(`redis://reader:${encodeURIComponent("a:b@c")}@127.0.0.1:${port}/3`));
      expect((await get(reader, "key", 5))?.toString()).toBe("there");
      const wrong = await opening(parseRedisAddress(`redis://reader:wrong@127.0.0.1:${port}/3`));
      // A rejected reader retries without an event. Several attempts pass.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(wrong.ready).toBe(false);
    } finally {
      await server.client.config("SET", "port", "0");
      release();
    }
  });

  it("speaks TLS, with a certificate of its own, and reads there what it reads elsewhere", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tl-bulk-tls-"));
    const { ca, caFile, server: own, client } = makeCertificates(folder);
    const ports = await claimPorts();
    const tls = { ca, cert: client.cert, key: client.key };
    const node = await startRedisNode({
      port: ports.first,
      config: [`tls-ca-cert-file ${caFile}`, `tls-cert-file ${own.certFile}`, `tls-key-file ${own.keyFile}`, "tls-auth-clients yes"],
      client: { tls },
    });
    try {
      const address = parseRedisAddress(`rediss://127.0.0.1:${node.port}`);
      const reader = await opened({ ...address, access: { tls } });
      for (const length of [1, 511, 16_384, 524_224, 3_000_000]) {
        const bytes = randomBytes(length);
        await node.client.hset("key", "a", bytes, "b", "tail");
        expect((await get(reader, "key", length + 4))?.equals(Buffer.concat([bytes, Buffer.from("tail")])), `${length}`).toBe(true);
      }
      const stranger = await opening({ ...address, access: { tls: { cert: client.cert, key: client.key } } });
      // A reader that trusts no server retries without an event. Several attempts pass.
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(stranger.ready).toBe(false);
    } finally {
      for (const reader of readers) reader.stop();
      await node.stop();
      ports.release();
      rmSync(folder, { recursive: true });
    }
  });

  it("reads the master from Sentinels on each connect", async () => {
    const ports = await claimPorts();
    const [one, other, watcher] = [ports.first, ports.first + 1, ports.first + 2];
    const nodes = [await startRedisNode({ port: one }), await startRedisNode({ port: other })];
    try {
      nodes.push(await startRedisNode({ port: watcher, config: [`sentinel monitor chunks 127.0.0.1 ${one} 1`], isSentinel: true }));
      const [first, second, sentinel] = nodes.map(({ client }) => client);
      await first?.hset("key", "a", "first", "b", "");
      await second?.hset("key", "a", "other", "b", "");
      // The first address has no listener.
      const reader = await opened(parseRedisAddress(`redis+sentinel://127.0.0.1:${ports.first + 3},127.0.0.1:${watcher}/chunks`));
      expect((await get(reader, "key", 5))?.toString()).toBe("first");
      await sentinel?.call("SENTINEL", "REMOVE", "chunks");
      await sentinel?.call("SENTINEL", "MONITOR", "chunks", "127.0.0.1", String(other), "1");
      await nodes[0]?.kill();
      await until(() => !reader.ready);
      await until(() => reader.ready);
      expect((await get(reader, "key", 5))?.toString()).toBe("other");
    } finally {
      for (const reader of readers) reader.stop();
      await Promise.all(nodes.map((node) => node.stop()));
      ports.release();
    }
  });

  it("fails what it waits for when the connection is lost, and comes back", async () => {
    const reader = await opened();
    await put("key", Buffer.alloc(500_000), Buffer.alloc(0));
    const reads = Array.from({ length: 50 }, () =>
      get(reader, "key", 500_000).then(
        () => "read",
        () => "lost",
      ),
    );
    await server.client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await Promise.all(reads);
    await until(() => reader.ready);
    expect((await get(reader, "key", 500_000))?.length).toBe(500_000);
  });

  it("times out when Redis does not respond", async () => {
    const reader = await opened();
    await put("key", Buffer.alloc(1), Buffer.alloc(0));
    process.kill(server.pid, "SIGSTOP");
    try {
      await expect(get(reader, "key", 1)).rejects.toThrow("redis does not answer");
      expect(reader.ready).toBe(false);
      await expect(get(reader, "key", 1)).rejects.toThrow("not there");
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
    await until(() => reader.ready);
  });

  it.each(["!5\r\n", "*2\r\n*1\r\n", "$x\r\n", "+".padEnd(600, "x"), "$1\r\nab\r\n"])(
    "ends a connection on which something else speaks: %#",
    async (nonsense) => {
      const sockets: Socket[] = [];
      const other = createServer((socket) => {
        sockets.push(socket);
        socket.on("error", () => undefined);
        socket.once("data", () => {
          socket.write("+OK\r\n");
          socket.once("data", () => socket.write(nonsense));
        });
      });
      other.listen(0, "127.0.0.1");
      await once(other, "listening");
      const reader = await opened(parseRedisAddress(`redis://127.0.0.1:${(other.address() as AddressInfo).port}`));
      await expect(get(reader, "key", 1)).rejects.toThrow("redis sent");
      reader.stop();
      for (const socket of sockets) socket.destroy();
      other.close();
    },
  );

  it("refuses more than it can remember", async () => {
    const reader = await opened();
    await put("key", Buffer.alloc(1), Buffer.alloc(0));
    const outcomes = await Promise.allSettled(Array.from({ length: 1_100 }, () => get(reader, "key", 1)));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1_100 - 1_024);
  });

  it("rejects once it is closed", async () => {
    const reader = await opened();
    reader.stop();
    await expect(get(reader, "key", 1)).rejects.toThrow();
  });
});
