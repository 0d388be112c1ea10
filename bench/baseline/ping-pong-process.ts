import { setTimeout as sleep } from "node:timers/promises";
import typia from "typia";
import { parseStreamReply } from "../../shared/bus/stream-reader.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { serveParent } from "../child.js";
import { quantile } from "../quantile.js";
import { pingGroup, pingStream, pongStream, type Asked, type PingPongMessage } from "./ping-pong.js";

const isMessage = typia.createAssert<PingPongMessage>();
/** The same batch size and blocking time as in the product. */
const [batch, blockMs] = [200, 2_000];
const pongMost = 20_000;
/** A process that is this many replies behind will never catch up. */
const behindMost = 5_000;

let connections: Promise<{ writer: RedisClient; reader: RedisClient }> | undefined;
let answering: Promise<void> | undefined;
let reply = "";
const waiting = new Map<string, (at: number) => void>();

serveParent(async (message) => {
  const told = isMessage(message);
  if (told.kind === "cpu") {
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6 };
  }
  if (told.kind === "idle") {
    await atRate(told.ratePerSecond, told.seconds, () => undefined);
    return {};
  }
  connections ??= connect(told.redisUrl);
  const { writer, reader } = await connections;
  if (told.kind === "ask") return await ask(writer, reader, told);
  ({ reply } = told);
  if (answering === undefined) {
    await writer.xgroup("CREATE", pingStream, pingGroup, "$", "MKSTREAM");
    answering = answerAll(writer, reader);
    answering.catch(failed);
  }
  return {};
});

async function connect(url: string): Promise<{ writer: RedisClient; reader: RedisClient }> {
  const [writer, reader] = await Promise.all([connectRedis(url, "writer", silentLog), connectRedis(url, "reader", silentLog)]);
  return { writer, reader };
}

/** The end of this process rejects the parent's next request. */
function failed(error: unknown): void {
  console.error(error);
  process.exit(1);
}

/** Replies to, acknowledges and deletes each command, as the product does, until this process ends. */
async function answerAll(writer: RedisClient, reader: RedisClient): Promise<void> {
  for (;;) {
    const answer: unknown = await reader.xreadgroupBuffer(
      "GROUP",
      pingGroup,
      "pong",
      "COUNT",
      batch,
      "BLOCK",
      blockMs,
      "STREAMS",
      pingStream,
      ">",
    );
    for (const { id, fields } of parseStreamReply(answer)) {
      const command = String(fields.get("e"));
      const text = `${command.slice(0, command.indexOf(" "))} ${reply}`;
      writer.xadd(pongStream, "NOMKSTREAM", "MAXLEN", "~", pongMost, "*", "r", text).catch(failed);
      Promise.all([writer.xack(pingStream, pingGroup, id), writer.xdel(pingStream, id)]).catch(failed);
    }
  }
}

let hearing: Promise<void> | undefined;

async function ask(
  writer: RedisClient,
  reader: RedisClient,
  { command, load, seconds }: PingPongMessage & { kind: "ask" },
): Promise<Asked> {
  if (hearing === undefined) {
    const first = await writer.xadd(pongStream, "*", "r", "");
    hearing = hearAll(reader, first ?? "$");
    hearing.catch(failed);
  }
  const latencies: number[] = [];
  let next = 0;
  const exchange = async (dueAt: number): Promise<void> => {
    const id = String(next++);
    const answered = new Promise<number>((resolve) => waiting.set(id, resolve));
    await writer.xadd(pingStream, "NOMKSTREAM", "*", "e", `${id} ${command}`);
    latencies.push((await answered) - dueAt);
  };
  const startedAt = performance.now();
  if ("inFlight" in load) {
    const endsAt = startedAt + seconds * 1000;
    const player = async (): Promise<void> => {
      while (performance.now() < endsAt) await exchange(performance.now());
    };
    await Promise.all(Array.from({ length: load.inFlight }, player));
  } else {
    const exchanges: Promise<void>[] = [];
    await atRate(load.ratePerSecond, seconds, (dueAt) => {
      if (waiting.size > behindMost) throw new Error(`${waiting.size} answers behind at ${load.ratePerSecond.toFixed(0)} a second`);
      const exchanged = exchange(dueAt);
      exchanged.catch(failed);
      exchanges.push(exchanged);
    });
    await Promise.all(exchanges);
  }
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  return { requests: latencies.length, elapsedSeconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

/**
 * Calls `onDue` at a fixed rate. Calls that are due within one millisecond, the resolution of timers, run together, as in the other loads.
 */
async function atRate(ratePerSecond: number, seconds: number, onDue: (dueAt: number) => void): Promise<void> {
  const startedAt = performance.now();
  const most = Math.round(seconds * ratePerSecond);
  for (let told = 0; told < most; ) {
    const dueAt = startedAt + (told / ratePerSecond) * 1000;
    const early = dueAt - performance.now();
    if (early > 0) {
      await sleep(Math.ceil(early));
      continue;
    }
    onDue(dueAt);
    told += 1;
  }
}

async function hearAll(reader: RedisClient, from: string): Promise<void> {
  for (let last = from; ; ) {
    const answer: unknown = await reader.xreadBuffer("COUNT", batch, "BLOCK", blockMs, "STREAMS", pongStream, last);
    for (const { id, fields } of parseStreamReply(answer)) {
      last = id;
      const text = String(fields.get("r"));
      const name = text.slice(0, text.indexOf(" "));
      waiting.get(name)?.(performance.now());
      waiting.delete(name);
    }
  }
}
