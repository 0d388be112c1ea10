import { createHash } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import typia from "typia";
import { serveParent } from "../child.js";
import type { Downloaded, DownloadPlan, DownloadResult, PlannedDownload } from "./download-plan.js";

/** Runs downloads that autocannon cannot do: whole large bodies, seeks, and connections that are closed early. */
serveParent(async (message) => await run(isPlan(message)));

const isPlan = typia.createAssert<DownloadPlan>();
/** A download without a byte for this long has failed. */
const silentMs = 60_000;

async function run({ lanes }: DownloadPlan): Promise<DownloadResult> {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const results = await Promise.all(lanes.map(runLane));
  const { user, system } = process.cpuUsage(cpuAtStart);
  return { lanes: results, elapsedSeconds: (performance.now() - startedAt) / 1000, cpuSeconds: (user + system) / 1e6 };
}

async function runLane(lane: readonly PlannedDownload[]): Promise<Downloaded[]> {
  const done: Downloaded[] = [];
  for (const download of lane) done.push(await fetchOne(download));
  return done;
}

function fetchOne({ url, range, closeAfterBytes = Number.POSITIVE_INFINITY, digest = false }: PlannedDownload): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const since = (): number => (performance.now() - startedAt) / 1000;
    const hash = digest ? createHash("sha256") : undefined;
    const request = get(url, { agent: false, headers: range === undefined ? {} : { range } }, (response: IncomingMessage) => {
      let bytes = 0;
      let firstByteSeconds = 0;
      const finish = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          bytes,
          seconds: since(),
          firstByteSeconds,
          ...(hash && { sha256: hash.digest("hex") }),
        });
      response.on("data", (part: Buffer) => {
        if (bytes === 0) firstByteSeconds = since();
        bytes += part.length;
        hash?.update(part);
        if (bytes < closeAfterBytes) return;
        finish();
        request.destroy();
      });
      response.on("end", finish);
      // After an early close by this process, the promise is already settled.
      response.on("error", reject);
      response.on("close", () => reject(new Error(`the answer ended after ${bytes} bytes`)));
    });
    request.setTimeout(silentMs, () => request.destroy(new Error(`no byte for ${silentMs} ms`)));
    request.on("error", reject);
  });
}
