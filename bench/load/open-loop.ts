import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadPlan, PlannedRequest } from "./plan.js";

/** Raw result of a load. Latencies are in milliseconds, up to the number that is kept. */
export interface Loaded {
  readonly requests: number;
  readonly latencies: number[];
  readonly bytes: number;
  readonly refused: number;
  readonly elapsedSeconds: number;
}

/** A server that is this many requests behind will never catch up. */
const behindMost = 5_000;
/** More than the 30 s that a command may take. */
const requestMs = 45_000;

/**
 * Sends requests at a constant rate, whether or not earlier ones have a response. Latencies count from the due time. Rejects on a status
 * other than 2xx (or an allowed 503), and when the server falls behind.
 */
export async function openLoop(
  { origin, connections, seconds, lanes, mayBeRefused = false }: LoadPlan,
  ratePerSecond: number,
): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  const used = lanes.slice(0, connections);
  const latencies: number[] = [];
  const running = new Set<Promise<void>>();
  let [bytes, sent, refused, failure]: [number, number, number, unknown] = [0, 0, 0, undefined];
  const startedAt = performance.now();
  const most = Math.round(seconds * ratePerSecond);
  try {
    while (sent < most && failure === undefined) {
      // The first request is due at once.
      const due = Math.min(most, 1 + Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond));
      for (; sent < due; sent++) {
        const dueAt = startedAt + (sent / ratePerSecond) * 1000;
        const lane = used[sent % used.length] ?? [];
        const planned = lane[Math.floor(sent / used.length) % lane.length];
        if (planned === undefined) throw new Error("a lane without requests");
        const settled = send(agent, origin, planned).then(
          ({ status, length }) => {
            if (status === 503 && mayBeRefused) return void (refused += 1);
            if (status < 200 || status >= 300) return void (failure ??= new Error(`an answer of ${status}`));
            latencies.push(performance.now() - dueAt);
            bytes += length;
          },
          (error: unknown) => void (failure ??= error),
        );
        running.add(settled);
        void settled.finally(() => running.delete(settled));
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

/** Resolves with the status of the response and the length of its body. */
function send(agent: Agent, origin: string, planned: PlannedRequest): Promise<{ status: number; length: number }> {
  const { path, headers, body } = planned;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sending = request(
      `${origin}${path}`,
      { agent, method: body === undefined ? "GET" : "POST", headers: { ...headers, ...length }, timeout: requestMs },
      (response) => {
        let bytes = 0;
        response.on("data", (part: Buffer) => (bytes += part.length));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, length: bytes }));
        response.on("error", reject);
      },
    );
    sending.on("timeout", () => sending.destroy(new Error(`no answer within ${requestMs} ms`)));
    sending.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed a kept connection at that moment, so it has not seen the request.
      if (sending.reusedSocket && error.code === "ECONNRESET") send(agent, origin, planned).then(resolve, reject);
      else reject(error);
    });
    sending.end(body);
  });
}
