import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../../../shared/redis/connect.js";
import { FencedError, script, type Script } from "../../../../shared/redis/script.js";
import {
  integer,
  list,
  oneOf,
  text,
  textOrNull,
  tuple,
  UnknownReply,
  literal,
  type Decode,
} from "../../../../shared/redis/script-reply.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";

let server: TestRedis;
let redis: RedisClient;
let folder: string;
let scripts = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scripts-"));
  server = await startRedis();
  redis = await connectRedis(server.url, "writer", silentLog);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => server.client.script("FLUSH"));

function made<Reply>(lua: string, decode: Decode<Reply>): Script<string[], (string | Buffer)[], Reply> {
  const file = join(folder, `${(scripts += 1)}.lua`);
  writeFileSync(file, lua);
  return script(pathToFileURL(file), decode);
}

it("gives keys and arguments to the script, also when the server has lost it meanwhile", async () => {
  const echo = made("return {KEYS[1], ARGV[1], #ARGV[2]}", tuple(text, text, integer));
  for (let round = 0; round < 2; round++) {
    expect(await echo(redis, ["key"], ["a", Buffer.from([0, 255, 13, 10])])).toEqual(["key", "a", 4]);
    expect(await echo(redis, ["key"], ["b", ""])).toEqual(["key", "b", 0]);
    await server.client.script("FLUSH");
  }
});

// With more calls than a socket buffers, the reply to the script's text arrives with the last of the NOSCRIPT errors.
it.each([500, 20_000])("is loaded once where %i calls at the same time find it gone", async (calls) => {
  const one = made("return ARGV[1]", text);
  // A reader's commands have no timeout. On a busy machine, 20,000 calls exceed the timeout of a writer's.
  const reader = await connectRedis(server.url, "reader", silentLog);
  const evals = async (): Promise<number> => Number(/cmdstat_eval:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1] ?? 0);
  for (let round = 0; round < 2; round++) {
    const before = await evals();
    const many = Array.from({ length: calls }, (_, i) => `${i}`);
    expect(await Promise.all(many.map((value) => one(reader, ["key"], [value])))).toEqual(many);
    expect((await evals()) - before).toBe(1);
    await server.client.script("FLUSH");
  }
  reader.disconnect();
});

it("comes again where the call that was to load it failed", async () => {
  const refused = made("if ARGV[1] == 'bad' then return redis.error_reply('OOM no room') end return ARGV[1]", text);
  const [bad, good] = await Promise.allSettled([refused(redis, [], ["bad"]), refused(redis, [], ["good"])]);
  expect([bad.status, good]).toEqual(["rejected", { status: "fulfilled", value: "good" }]);
});

it("distinguishes a lost slot from other errors", async () => {
  for (let round = 0; round < 2; round++) {
    await expect(made("return redis.error_reply('FENCED')", text)(redis, [], [])).rejects.toBeInstanceOf(FencedError);
    await expect(made("return redis.error_reply('OOM no room')", text)(redis, [], [])).rejects.toThrow("OOM no room");
  }
});

it.each<[string, string, Decode<unknown>, unknown]>([
  ["one of some words", "return 'NEW'", literal("OLD", "NEW"), "NEW"],
  ["one of some numbers", "return 0", literal(0, 1), 0],
  [
    "lists in a list",
    "return {{'a', false}, {'b', 'c'}}",
    list(tuple(text, textOrNull)),
    [
      ["a", null],
      ["b", "c"],
    ],
  ],
  ["one of several forms", "return {'RETRY', 3}", oneOf(tuple(literal("NEW")), tuple(literal("RETRY"), integer)), ["RETRY", 3]],
])("takes %s", async (_, lua, decode, reply) => {
  expect(await made(lua, decode)(redis, [], [])).toEqual(reply);
});

it.each<[string, string, Decode<unknown>]>([
  ["another word", "return 'secret'", literal("OLD", "NEW")],
  ["a number for a text", "return 1", text],
  ["nothing for a text", "return false", text],
  ["a text for a number", "return '1'", integer],
  ["a longer list", "return {1, 2, 3}", tuple(integer, integer)],
  ["a list with one that does not fit", "return {1, 'secret'}", list(integer)],
  ["none of several forms", "return {'secret'}", oneOf(tuple(literal("NEW")), tuple(literal("RETRY"), integer))],
])("refuses %s, without repeating it", async (_, lua, decode) => {
  const failure = await made(lua, decode)(redis, [], []).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnknownReply);
  expect(String(failure)).not.toContain("secret");
});
