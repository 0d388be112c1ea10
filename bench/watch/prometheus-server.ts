import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import typia from "typia";
import { eventually } from "../../test/harness/eventually.js";
import { freePort } from "../free-port.js";

/** One line of a graph: Unix seconds and values; a gap is a missing point. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: "pending" | "firing";
}

/** Jobs of prometheus.yml, and where their processes are. */
export type Targets = Readonly<Record<"routers" | "shards" | "supervisors", readonly string[]>>;

/** The checkout's deploy/manifests/prometheus, from dist/bench/watch. */
const configuration = fileURLToPath(new URL("../../../deploy/manifests/prometheus", import.meta.url));
const answerMs = 30_000;

/** Debian's Prometheus on loopback with the configuration and rules of deploy/, unchanged; only the lists of targets are others. Its data goes with it. */
export class PrometheusServer {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** To be stopped by who started it. */
  static async start(targets: Targets): Promise<PrometheusServer> {
    const folder = await mkdtemp(join(tmpdir(), "tl-prometheus-"));
    const port = await freePort();
    await cp(configuration, folder, { recursive: true });
    await mkdir(join(folder, "targets"), { recursive: true });
    for (const [job, hosts] of Object.entries(targets))
      await writeFile(join(folder, "targets", `${job}.yml`), JSON.stringify([{ targets: hosts }]));
    const args = [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ];
    // Of a group of its own: Ctrl-C in the terminal must not end it before it has been asked what happened.
    const child = spawn("prometheus", args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
    const server = new PrometheusServer(`http://127.0.0.1:${port}`, child, folder);
    const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
    const ready = eventually("prometheus ready", async () => (await fetch(`${server.url}/-/ready`)).ok, answerMs);
    try {
      await Promise.race([ready, failed]);
    } catch (error) {
      ready.catch(() => undefined); // It has nothing more to say.
      await server.stop();
      throw error;
    }
    failed.catch(() => undefined);
    return server;
  }

  /** `query_range` of an expression. */
  async range(query: string, fromSeconds: number, toSeconds: number, stepSeconds: number): Promise<Series[]> {
    const parameters = new URLSearchParams({ query, start: String(fromSeconds), end: String(toSeconds), step: String(stepSeconds) });
    return isMatrix(await this.ask(`/api/v1/query_range?${parameters.toString()}`)).data.result;
  }

  async alerts(): Promise<FiringAlert[]> {
    return isAlerts(await this.ask("/api/v1/alerts")).data.alerts;
  }

  /** Rules whose last evaluation failed, with the reason. */
  async failedRules(): Promise<string[]> {
    const rules = isRules(await this.ask("/api/v1/rules")).data.groups.flatMap((group) => group.rules);
    return rules.filter(({ health }) => health === "err").map(({ name, lastError = "" }) => `${name}: ${lastError}`);
  }

  /** Targets that do not answer a scrape. */
  async downTargets(): Promise<string[]> {
    const { activeTargets } = isTargets(await this.ask("/api/v1/targets?state=active")).data;
    return activeTargets.filter(({ health }) => health !== "up").map(({ scrapeUrl, lastError }) => `${scrapeUrl} ${lastError}`);
  }

  async stop(): Promise<void> {
    if (this.process.pid !== undefined && this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, "exit");
      this.process.kill("SIGKILL");
      await exit;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ask(path: string): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    if (!response.ok) throw new Error(`prometheus: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

const isMatrix = typia.createAssert<{ data: { result: Series[] } }>();
const isAlerts = typia.createAssert<{ data: { alerts: FiringAlert[] } }>();
const isRules = typia.createAssert<{ data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] } }>();
const isTargets = typia.createAssert<{ data: { activeTargets: { scrapeUrl: string; health: string; lastError: string }[] } }>();
