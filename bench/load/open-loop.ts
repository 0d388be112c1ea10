import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadPlan, PlannedRequest } from "./plan.js";

/** What a load came to, before anything is made of it. Latencies in milliseconds, as many of them as are kept. */
export interface Loaded {
  readonly requests: number;
  readonly latencies: number[];
  readonly bytes: number;
  readonly refused: number;
  readonly elapsedSeconds: number;
}

/** A server that is so many requests behind does not keep up, and never will. */
const behindMost = 5_000;
/** Above the 30 s that a command may take. */
const requestMs = 45_000;

/**
 * Requests at a constant rate, whether the former ones are answered or not: what autocannon cannot do, whose `overallRate` sends each connection's share of a second
 * at the second's beginning. A latency counts from the moment at which its request was due. Rejects at the first answer that is no 2xx (nor, where it is allowed, 503), and when the server
 * does not keep up.
 */
export async function openLoop(
  { origin, connections, seconds, lanes, mayBeRefused = false }: LoadPlan,
  ratePerSecond: number,
): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const asked = lanes.slice(0, connections);
  const latencies: number[] = [];
  const running = new Set<Promise<void>>();
  let [bytes, sent, refused, failure]: [number, number, number, unknown] = [0, 0, 0, undefined];
  const startedAt = performance.now();
  const most = Math.round(seconds * ratePerSecond);
  try {
    while (sent < most && failure === undefined) {
      // The first one is due at once.
      const due = Math.min(most, 1 + Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond));
      for (; sent < due; sent++) {
        const dueAt = startedAt + (sent / ratePerSecond) * 1000;
        const lane = asked[sent % asked.length] ?? [];
        const planned = lane[Math.floor(sent / asked.length) % lane.length];
        if (planned === undefined) throw new Error("a lane without requests");
        const answered = send(agent, origin, planned).then(
          ({ status, length }) => {
            if (status === 503 && mayBeRefused) return void (refused += 1);
            if (status < 200 || status >= 300) return void (failure ??= new Error(`an answer of ${status}`));
            latencies.push(performance.now() - dueAt);
            bytes += length;
          },
          (error: unknown) => void (failure ??= error),
        );
        running.add(answered);
        void answered.finally(() => running.delete(answered));
      }
      if (running.size > behindMost)
        throw new Error(`the server is ${running.size} requests behind at ${ratePerSecond.toFixed(0)} a second`);
      await sleep(1);
    }
    await Promise.all(running);
    if (failure !== undefined) throw failure instanceof Error ? failure : new Error("a request failed");
    return { requests: latencies.length, latencies, bytes, refused, elapsedSeconds: (performance.now() - startedAt) / 1000 };
  } finally {
    agent.destroy();
  }
}

/** Resolves with the answer's status and the length of its body. */
function send(agent: Agent, origin: string, planned: PlannedRequest): Promise<{ status: number; length: number }> {
  const { path, headers, body } = planned;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sending = request(
      `${origin}${path}`,
      { agent, method: body === undefined ? "GET" : "POST", headers: { ...headers, ...length }, timeout: requestMs },
      (answer) => {
        let bytes = 0;
        answer.on("data", (part: Buffer) => (bytes += part.length));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, length: bytes }));
        answer.on("error", reject);
      },
    );
    sending.on("timeout", () => sending.destroy(new Error(`no answer within ${requestMs} ms`)));
    sending.on("error", (error: NodeJS.ErrnoException) => {
      // A kept connection that its server ended just then: the server has not seen the request.
      if (sending.reusedSocket && error.code === "ECONNRESET") send(agent, origin, planned).then(resolve, reject);
      else reject(error);
    });
    sending.end(body);
  });
}
