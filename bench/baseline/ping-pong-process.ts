import { setTimeout as sleep } from "node:timers/promises";
import typia from "typia";
import { parseStreamReply } from "../../shared/bus/stream-reader.js";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { serveParent } from "../child.js";
import { quantile } from "../quantile.js";
import { pingGroup, pingStream, pongStream, type PingPongResult, type PingPongMessage } from "./ping-pong.js";

const isMessage = typia.createAssert<PingPongMessage>();
/** The same batch size and blocking time as in the product. */
const [batch, blockMs] = [200, 2_000];
const pongMost = 20_000;
/** A process that is this many replies behind will never catch up. */
const behindMost = 5_000;

let connections: Promise<{ writer: RedisClient; reader: RedisClient }> | undefined;
let replying: Promise<void> | undefined;
let reply = "";
const waiting = new Map<string, (at: number) => void>();

serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "cpu") {
    const { user, system } = process.cpuUsage();
    return { cpuSeconds: (user + system) / 1e6 };
  }
  if (order.kind === "idle") {
    await atRate(order.ratePerSecond, order.seconds, () => undefined);
    return {};
  }
  connections ??= connect(order.redisUrl);
  const { writer, reader } = await connections;
  if (order.kind === "measure") return await measure(writer, reader, order);
  ({ reply } = order);
  if (replying === undefined) {
    await writer.xgroup("CREATE", pingStream, pingGroup, "$", "MKSTREAM");
    replying = replyToAll(writer, reader);
    replying.catch(failed);
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
async function replyToAll(writer: RedisClient, reader: RedisClient): Promise<void> {
  for (;;) {
    const batchRead: unknown = await reader.xreadgroupBuffer(
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
    for (const { id, fields } of parseStreamReply(batchRead)) {
      const command = String(fields.get("e"));
      const text = `${command.slice(0, command.indexOf(" "))} ${reply}`;
      writer.xadd(pongStream, "NOMKSTREAM", "MAXLEN", "~", pongMost, "*", "r", text).catch(failed);
      Promise.all([writer.xack(pingStream, pingGroup, id), writer.xdel(pingStream, id)]).catch(failed);
    }
  }
}

let receiving: Promise<void> | undefined;

async function measure(
  writer: RedisClient,
  reader: RedisClient,
  { command, load, seconds }: PingPongMessage & { kind: "measure" },
): Promise<PingPongResult> {
  if (receiving === undefined) {
    const first = await writer.xadd(pongStream, "*", "r", "");
    receiving = receiveAll(reader, first ?? "$");
    receiving.catch(failed);
  }
  const latencies: number[] = [];
  let next = 0;
  const exchange = async (dueAt: number): Promise<void> => {
    const id = String(next++);
    const replied = new Promise<number>((resolve) => waiting.set(id, resolve));
    await writer.xadd(pingStream, "NOMKSTREAM", "*", "e", `${id} ${command}`);
    latencies.push((await replied) - dueAt);
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
  for (let sent = 0; sent < most; ) {
    const dueAt = startedAt + (sent / ratePerSecond) * 1000;
    const early = dueAt - performance.now();
    if (early > 0) {
      await sleep(Math.ceil(early));
      continue;
    }
    onDue(dueAt);
    sent += 1;
  }
}

async function receiveAll(reader: RedisClient, from: string): Promise<void> {
  for (let last = from; ; ) {
    const batchRead: unknown = await reader.xreadBuffer("COUNT", batch, "BLOCK", blockMs, "STREAMS", pongStream, last);
    for (const { id, fields } of parseStreamReply(batchRead)) {
      last = id;
      const text = String(fields.get("r"));
      const name = text.slice(0, text.indexOf(" "));
      waiting.get(name)?.(performance.now());
      waiting.delete(name);
    }
  }
}
