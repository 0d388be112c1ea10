import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import typia from "typia";
import { eventually } from "../../test/harness/eventually.js";
import { freePort } from "../free-port.js";

/** One line of a graph: Unix seconds and values. A missing point is a gap. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: "pending" | "firing";
}

/** Jobs of prometheus.yml and the addresses of their processes. */
export type Targets = Readonly<Record<"routers" | "shards" | "supervisors", readonly string[]>>;

/** The repository's deploy/manifests/prometheus, from dist/bench/watch. */
const configuration = fileURLToPath(new URL("../../../deploy/manifests/prometheus", import.meta.url));
const responseTimeoutMs = 30_000;

/**
 * Debian's Prometheus on loopback with the configuration and rules of deploy/. Only the lists of targets differ. Its data is removed with
 * it.
 */
export class PrometheusServer {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** The caller must stop it. */
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
    // Detached, so that Ctrl-C in the terminal does not end Prometheus before its results are read.
    const child = spawn("prometheus", args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });
    const server = new PrometheusServer(`http://127.0.0.1:${port}`, child, folder);
    const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
    const ready = eventually("prometheus ready", async () => (await fetch(`${server.url}/-/ready`)).ok, responseTimeoutMs);
    try {
      await Promise.race([ready, failed]);
    } catch (error) {
      ready.catch(() => undefined); // The promise is no longer needed.
      await server.stop();
      throw error;
    }
    failed.catch(() => undefined);
    return server;
  }

  /** Runs `query_range` for an expression. */
  async range(query: string, fromSeconds: number, toSeconds: number, stepSeconds: number): Promise<Series[]> {
    const parameters = new URLSearchParams({ query, start: String(fromSeconds), end: String(toSeconds), step: String(stepSeconds) });
    return isMatrix(await this.query(`/api/v1/query_range?${parameters.toString()}`)).data.result;
  }

  async alerts(): Promise<FiringAlert[]> {
    return isAlerts(await this.query("/api/v1/alerts")).data.alerts;
  }

  /** Returns the rules whose last evaluation failed, with the reason. */
  async failedRules(): Promise<string[]> {
    const rules = isRules(await this.query("/api/v1/rules")).data.groups.flatMap((group) => group.rules);
    return rules.filter(({ health }) => health === "err").map(({ name, lastError = "" }) => `${name}: ${lastError}`);
  }

  /** Returns the targets that do not respond to a scrape. */
  async downTargets(): Promise<string[]> {
    const { activeTargets } = isTargets(await this.query("/api/v1/targets?state=active")).data;
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

  private async query(path: string): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(responseTimeoutMs) });
    const text = await response.text();
    if (!response.ok) throw new Error(`prometheus: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

const isMatrix = typia.createAssert<{ data: { result: Series[] } }>();
const isAlerts = typia.createAssert<{ data: { alerts: FiringAlert[] } }>();
const isRules = typia.createAssert<{ data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] } }>();
const isTargets = typia.createAssert<{ data: { activeTargets: { scrapeUrl: string; health: string; lastError: string }[] } }>();
