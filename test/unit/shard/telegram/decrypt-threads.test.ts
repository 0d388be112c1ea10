import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DecryptThreads, type DecryptThreadsOptions } from "../../../../shard/telegram/network/decrypt-threads.js";
import { encryptIge } from "../../../../shard/telegram/network/ige.js";
import { type SealedMessage } from "../../../../shard/telegram/network/message-decryption.js";

const root = resolve(import.meta.dirname, "../../../..");
let folder: string;
let entry: URL;
const pools: DecryptThreads[] = [];

/** A thread's entry is a compiled file; only what it imports is compiled here. */
beforeAll(async () => {
  await mkdir(join(root, ".cache"), { recursive: true });
  folder = await mkdtemp(join(root, ".cache/decrypt-test-"));
  for (const name of ["decrypt-thread", "message-decryption", "ige"]) {
    const source = await readFile(join(root, `shard/telegram/network/${name}.ts`), "utf8");
    await writeFile(join(folder, `${name}.js`), ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } }).outputText);
  }
  entry = pathToFileURL(join(folder, "decrypt-thread.js"));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

function aPool(options: Partial<DecryptThreadsOptions> = {}): { pool: DecryptThreads; times: number[] } {
  const times: number[] = [];
  const pool = new DecryptThreads({ threads: 2, idleMs: 60_000, taskMs: 10_000, onDecrypted: (seconds) => times.push(seconds), entry, ...options });
  pools.push(pool);
  return { pool, times };
}

function aMessage(bytes = 524_288): { message: SealedMessage; plainText: Buffer } {
  const [key, iv, salt, plainText] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(bytes)];
  const messageKey = createHash("sha256").update(salt).update(plainText).digest().subarray(8, 24);
  return { message: { cipherText: encryptIge(key, iv, plainText), key, iv, salt, messageKey }, plainText };
}

describe("DecryptThreads", () => {
  test("decrypts several messages at once, each to its own text", async () => {
    const { pool, times } = aPool();
    const messages = Array.from({ length: 12 }, (_, index) => aMessage(16 * (index + 1) * 1_000));
    const results = await Promise.all(messages.map(({ message }) => pool.decrypt(message)));
    expect(results.every((result, index) => result?.equals(messages[index]?.plainText ?? Buffer.alloc(0)))).toBe(true);
    expect(times).toHaveLength(12);
  }, 60_000);

  test("says when a text is not what its key says, and goes on", async () => {
    const { pool } = aPool();
    const { message } = aMessage();
    message.cipherText.writeUInt8(message.cipherText.readUInt8(7) ^ 1, 7);
    expect(await pool.decrypt(message)).toBeUndefined();
    const good = aMessage();
    expect((await pool.decrypt(good.message))?.equals(good.plainText)).toBe(true);
  }, 60_000);

  test("takes memory that is the message's own, and copies from any other", async () => {
    const { pool } = aPool();
    const own = aMessage();
    await pool.decrypt(own.message);
    expect(own.message.cipherText.byteLength).toBe(0);
    const { message, plainText } = aMessage();
    const large = Buffer.concat([randomBytes(1_000), message.cipherText]);
    expect((await pool.decrypt({ ...message, cipherText: large.subarray(1_000) }))?.equals(plainText)).toBe(true);
    expect(large.length).toBe(1_000 + plainText.length);
  }, 60_000);

  test("fails what a thread was working on when it ends, and starts another", async () => {
    const { pool } = aPool({ threads: 1 });
    await pool.decrypt(aMessage().message);
    const lost = pool.decrypt(aMessage().message);
    await Promise.all([expect(lost).rejects.toThrow("ended"), pool.stop()]);
    const { message, plainText } = aMessage();
    expect((await pool.decrypt(message))?.equals(plainText)).toBe(true);
  }, 60_000);

  test("decrypts in this thread where others cannot begin", async () => {
    const { pool } = aPool({ entry: pathToFileURL(join(folder, "missing.js")) });
    await expect(pool.decrypt(aMessage().message)).rejects.toThrow();
    const { message, plainText } = aMessage();
    expect((await pool.decrypt(message))?.equals(plainText)).toBe(true);
  }, 60_000);
});
