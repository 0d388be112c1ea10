import autocannon from "autocannon";
import typia from "typia";
import { serveParent } from "../child.js";
import { quantile } from "../quantile.js";
import { openLoop, type Loaded } from "./open-loop.js";
import type { LoadPlan, LoadResult } from "./plan.js";

/** Sends load from a process of its own, which stays warm between measurements. */
serveParent(async (message) => await run(isPlan(message)));

const isPlan = typia.createAssert<LoadPlan>();

/** Limit for the stored latencies. They give finer quantiles than autocannon's, which are in whole milliseconds. */
const latenciesMax = 1_000_000;

async function run(plan: LoadPlan): Promise<LoadResult> {
  const cpuAtStart = process.cpuUsage();
  const { requests, latencies, bytes, refused, elapsedSeconds } =
    plan.ratePerSecond === undefined ? await closedLoop(plan) : await openLoop(plan, plan.ratePerSecond);
  const { user, system } = process.cpuUsage(cpuAtStart);
  latencies.sort((a, b) => a - b);
  return {
    requests,
    requestsPerSecond: requests / elapsedSeconds,
    bytesPerSecond: bytes / elapsedSeconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ...(plan.mayBeRefused === true && { refused }),
    loadCpuShare: (user + system) / 1e6 / elapsedSeconds,
    ...(plan.keepLatencies === true && { latencies }),
  };
}

/** Uses autocannon: each connection sends its next request after the last response. */
async function closedLoop({ origin, connections, seconds, lanes, requests: amount }: LoadPlan): Promise<Loaded> {
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const setupClient = (client: autocannon.Client): void => {
      const lane = lanes[next++ % lanes.length] ?? [];
      dropBodies(client);
      client.setRequests(
        lane.map(({ path, headers, body }) => ({
          path,
          headers: { ...headers },
          ...(body === undefined ? { method: "GET" as const } : { method: "POST" as const, body }),
        })),
      );
    };
    const instance = autocannon(
      {
        url: origin,
        connections,
        ...(amount === undefined ? { duration: seconds } : { amount }),
        sampleInt: 100,
        timeout: 10,
        setupClient,
      },
      (error: Error | null, value) => (error === null ? resolve(value) : reject(error)),
    );
    instance.on("response", (_client, _status, _bytes, ms) => {
      if (latencies.length < latenciesMax) latencies.push(ms);
    });
  });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const requests = result["2xx"];
  if (result.errors > 0 || result.non2xx > 0 || requests === 0)
    throw new Error(`${requests} good answers, ${result.non2xx} others ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  return { requests, latencies, bytes: result.throughput.total, refused: 0, elapsedSeconds };
}

/**
 * autocannon turns every body into a string, which takes longer than serving 512 KiB. Bytes and statuses are counted elsewhere, and
 * `requireSameResponse` compares bodies before the load.
 */
function dropBodies(client: object): void {
  const queue: unknown = "pipelinedRequests" in client ? client.pipelinedRequests : undefined;
  if (typeof queue !== "object" || queue === null || !("addBody" in queue))
    throw new Error("autocannon has changed inside: bodies cannot be dropped");
  queue.addBody = () => undefined;
}
