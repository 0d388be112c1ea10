import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ProvisionedDashboard } from "../../../harness/grafana-dashboard.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { declaredMetrics } from "./declared-metrics.js";
import { madeUpSeries } from "./made-up-series.js";
import { manifestsFolder, rulesOf } from "./watched-names.js";

/** The panels' queries as Grafana sends them to Prometheus when all members are selected. */
const folder = resolve(manifestsFolder, "grafana/dashboards");
const asked = readdirSync(folder).flatMap((file) => {
  const { panels } = JSON.parse(readFileSync(resolve(folder, file), "utf8")) as ProvisionedDashboard;
  return panels.flatMap((panel) => ("targets" in panel ? (panel.targets ?? []) : []).map(({ expr }) => expr));
});
/** Removes `or vector(0)`, which would hide an empty result. Alerts have their own tests. */
const filledIn = (expression: string): string =>
  expression
    .replaceAll("$__rate_interval", "1m")
    .replaceAll(/\$(router|shard)\b/g, ".*")
    .replace(/^(?!.*\bALERTS\b)(.*) or vector\(0\)$/, "$1");

let redis: TestRedis;
let scratch: string;
beforeAll(async () => {
  redis = await startRedis();
  scratch = mkdtempSync(join(tmpdir(), "tl-panels-"));
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await redis.stop();
});

/** Returns the expressions that Prometheus rejects, or that find no series although every metric is reported. */
function unanswered(expressions: readonly string[]): string[] {
  const readers = [...expressions, ...rulesOf("records.yml").map(({ expr }) => expr)];
  const series = Object.entries(declaredMetrics(redis)).flatMap(([role, metrics]) => madeUpSeries(role, metrics, readers));
  const file = join(scratch, "panels.yml");
  // promtool reads YAML, and JSON is valid YAML.
  writeFileSync(
    file,
    JSON.stringify({
      rule_files: [resolve(manifestsFolder, "prometheus/rules/records.yml")],
      evaluation_interval: "10s",
      tests: [
        {
          interval: "10s",
          input_series: series.map((one) => ({ series: one, values: "1+10x60" })),
          promql_expr_test: expressions.map((expr) => ({
            expr: `count(${expr}) > bool 0`,
            eval_time: "9m",
            exp_samples: [{ labels: "{}", value: 1 }],
          })),
        },
      ],
    }),
  );
  const { status, stdout, stderr, error } = spawnSync("promtool", ["test", "rules", file], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw new Error("promtool cannot be run; npm test installs it (Debian's prometheus)", { cause: error });
  const failed = [...(stdout + stderr).matchAll(/expr: "(?:count\()(.*)\) > bool 0", time/g)].map(([, expr = ""]) =>
    expr.replaceAll('\\"', '"'),
  );
  return status === 0 || failed.length > 0 ? failed : [stdout + stderr];
}

it("every panel of every dashboard shows data when Prometheus has all metrics", () => {
  expect(asked.length).toBeGreaterThan(150);
  expect(unanswered(asked.map(filledIn))).toEqual([]);
});

it("one that would stay empty, and one that is no PromQL, are found", () => {
  const empty = "gateway_shard_slots_owned_slots / gateway_router_requests_running";
  expect(unanswered(["sum(up) or vector(1)", empty])).toEqual([empty]);
  const joinedWrongly = "process_resident_memory_bytes / on (role) gateway_process_memory_limit_bytes";
  expect(unanswered([joinedWrongly])[0]).toContain("memory_limit_bytes");
  expect(unanswered(["sum(rate(up[5m])"])[0]).toContain("sum(rate(up[5m])");
});
