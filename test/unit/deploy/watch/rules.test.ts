import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { writeTestsApart } from "./alert-tests-apart.js";
import { declaredMetrics, seriesAtStart, type DeclaredMetric } from "./declared-metrics.js";
import { manifestsFolder, rulesOf, unknownNames } from "./watched-names.js";

const [records, alerts] = [rulesOf("records.yml"), rulesOf("alerts.yml")];
let redis: TestRedis;
let declared: DeclaredMetric[];
beforeAll(async () => {
  redis = await startRedis();
  declared = Object.values(declaredMetrics(redis)).flat();
});
afterAll(() => redis.stop());

describe("promtool", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tl-rules-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function promtool(...args: string[]): { status: number | null; output: string; printed: string } {
    // With a larger heap promtool spends less time on garbage collection, which otherwise takes a sixth of its time.
    const env = { ...process.env, GOGC: "400" };
    const { status, stdout, stderr, error } = spawnSync("promtool", args, { cwd: manifestsFolder, encoding: "utf8", env });
    if (error !== undefined) throw new Error("promtool cannot be run; npm test installs it (Debian's prometheus)", { cause: error });
    return { status, output: status === 0 ? "" : stdout + stderr, printed: stdout };
  }

  it.each([
    ["check", "config", "prometheus/prometheus.yml"],
    ["check", "rules", "--lint=all", "--lint-fatal", "prometheus/rules/records.yml", "prometheus/rules/alerts.yml"],
  ])("%s %s", (...args) => {
    expect(promtool(...args)).toMatchObject({ status: 0, output: "" });
  });

  it("test rules", () => {
    const files = writeTestsApart(folder);
    const { status, output, printed } = promtool("test", "rules", ...files);
    expect({ status, output }).toEqual({ status: 0, output: "" });
    expect(printed.match(/SUCCESS$/gm)).toHaveLength(files.length);
  });
});

describe("rules", () => {
  it.each([...records, ...alerts].map((rule) => [rule.record ?? rule.alert ?? "", rule.expr]))(
    "%s reads what processes give",
    (_, expr) => {
      expect(unknownNames(expr, declared, records)).toEqual([]);
    },
  );

  it("that read something else are found", () => {
    const found = unknownNames(
      'sum by (kind) (rate(gateway_router_request_seconds_count{path="/"}[5m])) / gateway_router_nothing_total + gateway_router_request_seconds',
      declared,
      records,
    );
    expect(found).toEqual([
      "gateway_router_nothing_total",
      "gateway_router_request_seconds",
      "gateway_router_request_seconds_count{path}",
      "by (kind)",
    ]);
  });

  it("have a record for whoever reads it, and no other", () => {
    const readers = [
      ...alerts.map(({ expr }) => expr),
      ...readdirSync(resolve(manifestsFolder, "grafana/dashboards")).map((file) =>
        readFileSync(resolve(manifestsFolder, "grafana/dashboards", file), "utf8"),
      ),
    ].join("\n");
    expect(records.map(({ record = "" }) => record).filter((record) => !readers.includes(record))).toEqual([]);
  });
});

it("what an alert counts the increase of is there before it first grows", async () => {
  const there = await seriesAtStart(redis);
  const counted = alerts.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)(?:\{([^}]*)\})?\[/g)]);
  expect(counted.length).toBeGreaterThan(10);
  const missing = counted.filter(([, metric = "", labels = ""]) => {
    const wanted = [...labels.matchAll(/(\w+)(=~?|!~)"([^"]*)"/g)];
    return !there.some(
      (series) =>
        series.startsWith(`${metric}{`) &&
        wanted.every(([, label = "", operator, value = ""]) => {
          const has = new RegExp(`[{,]${label}="([^"]*)"`).exec(series)?.[1] ?? "";
          return new RegExp(`^(?:${value})$`).test(has) !== (operator === "!~");
        }),
    );
  });
  expect(missing.map(([all]) => all)).toEqual([]);
});

describe("an alert", () => {
  const tested = (
    parse(readFileSync(resolve(manifestsFolder, "prometheus/tests/alerts.yml"), "utf8")) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    }
  ).tests.flatMap((test) => test.alert_rule_test);
  const headings = [...readFileSync(resolve(manifestsFolder, "../docs/runbook.md"), "utf8").matchAll(/^### (\w+)$/gm)].map(
    ([, heading = ""]) => heading,
  );

  it.each(alerts.map((alert) => [alert.alert ?? "", alert]))(
    "%s has a severity, a summary, the first step and a link to the runbook, and has been seen to fire",
    (name, { labels, annotations }) => {
      expect(["page", "warn"]).toContain(labels?.["severity"]);
      expect(annotations?.["summary"]).toMatch(/\S/);
      expect(annotations?.["description"]).toMatch(/\S/);
      expect(annotations?.["runbook"]).toBe(`deploy/docs/runbook.md#${name.toLowerCase()}`);
      expect(tested.filter(({ alertname }) => alertname === name).map(({ exp_alerts }) => exp_alerts.length > 0)).toContain(true);
    },
  );

  it("has a place in the runbook, which has no others", () => {
    expect(headings).toEqual(alerts.map(({ alert }) => alert));
  });
});
