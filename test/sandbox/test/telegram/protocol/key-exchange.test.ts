import { createDiffieHellman, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import bigInt from "big-integer";
import { Api } from "telegram";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generator, prime } from "../../../telegram/protocol/crypto/diffie-hellman.js";
import { gramClient } from "./gramjs-client.js";
import { RawClient } from "./raw-client.js";
import { startServer, type StartedServer } from "./test-backend.js";

let started: StartedServer;

beforeAll(async () => {
  started = await startServer();
});
afterAll(async () => await started.stop());

async function withClient<T>(run: (client: RawClient) => Promise<T>): Promise<T> {
  const client = await RawClient.connect(started.server);
  try {
    return await run(client);
  } finally {
    client.close();
  }
}

describe("the key exchange", () => {
  it("makes keys that both sides agree on, also those that begin with a zero byte", async () => {
    await withClient(async (client) => {
      for (let round = 0; round < 300; round += 1) {
        const key = await client.makeKey();
        expect(key?.authKey).toHaveLength(256);
      }
    });
    // All keys were made on one connection and never used, so the server keeps only the last one.
    expect(started.server.keys.size).toBe(1);
  });

  it("takes the padding of older clients: SHA-1, data, random bytes", async () => {
    await withClient(async (client) => {
      const key = await client.makeKey({ old: true });
      if (!key) throw new Error("no key");
      client.say(key, new Api.Ping({ pingId: bigInt(5) }));
      expect(await client.object(key)).toBeInstanceOf(Api.NewSessionCreated);
      expect(await client.object(key)).toBeInstanceOf(Api.Pong);
    });
  });

  it("remembers the keys of its data centre only", async () => {
    const key = await withClient((client) => client.makeKey());
    const other = await RawClient.connect(started.server, { dcId: 2 });
    other.say(key ?? { authKey: Buffer.alloc(256), salt: 0n }, new Api.Ping({ pingId: bigInt(1) }));
    expect((await other.packet())?.readInt32LE(0)).toBe(-404);
    other.close();
  });

  it.each([
    ["a temporary key", { temporary: true }],
    ["a wrong server nonce", { serverNonce: true }],
    ["padding with a wrong hash", { hash: true }],
    ["older padding with a wrong hash", { old: true, hash: true }],
    ["a retry id out of turn", { retryId: 7 }],
    ["a public value of one", { b: Buffer.alloc(256) }],
  ])("closes the connection on %s", async (_name, tamper) => {
    await withClient(async (client) => {
      expect(await client.makeKey(tamper).catch(() => undefined)).toBeUndefined();
      expect(await client.packet()).toBeUndefined();
    });
  });

  it("refuses a key for another data centre by number, and takes the numbers of test and media servers", async () => {
    await withClient(async (client) => {
      expect(await client.makeKey({ dc: 3 })).toBeUndefined();
      expect(await client.packet()).toBeUndefined();
    });
    for (const dc of [-1, 10_001]) expect(await withClient((client) => client.makeKey({ dc }))).toBeDefined();
  });

  it("asks for another secret when the key exists already", async () => {
    const secret = randomBytes(256);
    const fixed = await startServer({ fixedExponent: secret });
    try {
      const first = await RawClient.connect(fixed.server);
      const b = randomBytes(256);
      const key = await first.makeKey({ b });
      expect(key).toBeDefined();
      first.say(key ?? { authKey: Buffer.alloc(256), salt: 0n }, new Api.help.GetConfig());
      await first.packet();
      const second = await RawClient.connect(fixed.server);
      expect(await second.makeKey({ b })).toBeUndefined();
      first.close();
      second.close();
    } finally {
      await fixed.stop();
    }
  });

  it("lets GramJS start over on the same connection, as it does with a key that begins with a zero byte", async () => {
    const secret = randomBytes(256);
    const fixed = await startServer({ fixedExponent: secret });
    // GramJS draws its secret through this function. The first draw of 256 bytes yields a key with a leading zero byte.
    const helpers: { generateRandomBytes(count: number): Buffer } = createRequire(import.meta.url)("telegram/Helpers.js");
    const { generateRandomBytes } = helpers;
    const draws = [secretForZero(secret)];
    helpers.generateRandomBytes = (count) => (count === 256 ? draws.shift() : undefined) ?? generateRandomBytes(count);
    const client = gramClient(fixed.server);
    try {
      expect(await client.connect()).toBe(true);
      expect(draws).toHaveLength(0);
      expect((await client.invoke(new Api.help.GetNearestDc())).thisDc).toBe(1);
      expect([...fixed.server.keys.values()].map(({ initialised }) => initialised)).toEqual([true]);
    } finally {
      helpers.generateRandomBytes = generateRandomBytes;
      await client.destroy();
      await fixed.stop();
    }
  });
});

/** Returns a client secret that makes a key with a leading zero byte. */
function secretForZero(serverSecret: Buffer): Buffer {
  const half = createDiffieHellman(prime, generator);
  half.setPrivateKey(serverSecret);
  const serverValue = half.generateKeys();
  for (;;) {
    const secret = randomBytes(256);
    half.setPrivateKey(secret);
    const shared = half.computeSecret(serverValue);
    if (shared.length < 256 || shared[0] === 0) return secret;
  }
}
