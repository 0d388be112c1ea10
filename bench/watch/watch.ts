import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startGateway, type Gateway } from "../../test/harness/gateway.js";
import { drawCharts } from "../chart/draw-charts.js";
import { replaceFile, resultsFolder } from "../results.js";
import { dashboardCharts, pictures } from "./dashboard-charts.js";
import { MixedLoad } from "./mixed-load.js";
import { PrometheusServer } from "./prometheus-server.js";

const shape = { routers: 2, shards: 2 };
const pollMs = 5_000;
const stepSeconds = 10;

/**
 * Runs a gateway under steady mixed load, monitored by Debian's Prometheus with the configuration of deploy/, until the signal ends.
 * Prints alerts as they begin and end. With `charts`, draws the dashboards into bench/results/watch.
 */
export async function watch(charts: boolean, signal: AbortSignal): Promise<void> {
  const gateway = await startGateway(shape);
  try {
    console.log("watch: logging accounts in ...");
    const load = await MixedLoad.start(gateway, signal);
    try {
      const prometheus = await PrometheusServer.start(targetsOf(gateway));
      try {
        const startedAt = Math.ceil(Date.now() / 1000 / stepSeconds) * stepSeconds;
        console.log(await intro(gateway, prometheus));
        await printAlerts(prometheus, signal);
        for (const failure of load.failed()) console.log(`watch: requests failed ${failure}`);
        if (charts) await draw(prometheus, startedAt, Math.floor(Date.now() / 1000 / stepSeconds) * stepSeconds);
      } finally {
        await prometheus.stop();
      }
    } finally {
      await load.stop();
    }
  } finally {
    await gateway.stop();
  }
}

function targetsOf({ adminPorts }: Gateway) {
  const at = (ports: readonly number[]): string[] => ports.map((port) => `127.0.0.1:${port}`);
  return {
    routers: at(adminPorts.slice(0, shape.routers)),
    shards: at(adminPorts.slice(shape.routers)),
    supervisors: at([(adminPorts.at(-1) ?? 0) + 1]),
  };
}

async function intro(gateway: Gateway, prometheus: PrometheusServer): Promise<string> {
  return [
    "",
    "A gateway under steady mixed load, until Ctrl-C.",
    "",
    `  prometheus  ${prometheus.url}/alerts and /graph, such as`,
    `              ${prometheus.url}/graph?g0.expr=${encodeURIComponent("trunkline:media_first_byte_seconds:p99_5m")}&g0.tab=0&g0.range_input=15m`,
    `  metrics     ${gateway.adminPorts.map((port) => `http://127.0.0.1:${port}/metrics`).join(" ")}`,
    `  gateway     ${gateway.telegram.join(" ")}`,
    `  sandbox     ${gateway.sandbox}`,
    `  see an alert: kill -9 ${await gateway.shardPid("shard-1")} (shard-1)`,
    "",
  ].join("\n");
}

/** Prints alerts until the signal ends. If Prometheus does not respond, polls again. */
async function printAlerts(prometheus: PrometheusServer, signal: AbortSignal): Promise<void> {
  // Keyed by labels, because the text of an alert has a value that changes.
  let last = new Map<string, string>();
  const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    try {
      const now = new Map<string, string>();
      for (const { labels, state } of await prometheus.alerts()) now.set(Object.values(labels).join(" "), state);
      for (const rule of await prometheus.failedRules()) now.set(`a rule cannot be evaluated: ${rule}`, "firing");
      for (const [what, state] of now) if (last.get(what) !== state) say(`${state}: ${what}`);
      for (const what of last.keys()) if (!now.has(what)) say(`over: ${what}`);
      last = now;
    } catch (error) {
      say(`prometheus does not answer: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

async function draw(prometheus: PrometheusServer, from: number, to: number): Promise<void> {
  const folder = join(resultsFolder, "watch");
  await mkdir(folder, { recursive: true });
  for (const picture of pictures) {
    const file = join(folder, `${picture.dashboard}.svg`);
    await replaceFile(file, drawCharts(await dashboardCharts(prometheus, picture, from, to, stepSeconds)));
    console.log(`watch: ${file} written`);
  }
}
