import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { matchRoute } from "../../../../router/console/app/route/match-route.js";
import { validateDashboard, type ChartPanel, type ProvisionedDashboard } from "../../../harness/grafana-dashboard.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { declaredMetrics, type DeclaredMetric } from "./declared-metrics.js";
import { manifestsFolder, rulesOf, unknownNames } from "./watched-names.js";

const folder = resolve(manifestsFolder, "grafana/dashboards");
const dashboards = readdirSync(folder).map(
  (file) => [file, JSON.parse(readFileSync(resolve(folder, file), "utf8")) as ProvisionedDashboard] as const,
);
/** Reads the paths from the source, because loading the table needs a browser. */
const consolePages = [
  ...readFileSync(resolve(manifestsFolder, "../../router/console/app/pages/pages.ts"), "utf8").matchAll(/^ {4}path: "([^"]+)"/gm),
].map(([, path = ""]) => ({ path }));
const records = rulesOf("records.yml");
let redis: TestRedis;
let declared: DeclaredMetric[];
beforeAll(async () => {
  redis = await startRedis();
  declared = Object.values(declaredMetrics(redis)).flat();
});
afterAll(() => redis.stop());

it("what is checked is the Grafana that runs", () => {
  const { services } = parse(readFileSync(resolve(manifestsFolder, "compose.yaml"), "utf8")) as {
    services: { grafana: { image: string } };
  };
  const { devDependencies } = JSON.parse(readFileSync(resolve(manifestsFolder, "../../package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(services.grafana.image).toBe(`grafana/grafana:${devDependencies["@grafana/schema"] ?? ""}`);
});

it("no panel shows the event loop of a supervisor, whose timer measures in steps of 100 ms", () => {
  const asked = dashboards.flatMap(([, { panels }]) => panels.flatMap((panel) => ("targets" in panel ? (panel.targets ?? []) : [])));
  const unselected = asked.filter(({ expr }) => /nodejs_eventloop_lag_\w+(?!\w*\{)/.test(expr));
  expect(unselected).toEqual([]);
});

describe.each(dashboards)("%s", (file, dashboard) => {
  const { uid, panels, templating, links = [] } = dashboard;
  const variables = templating?.list ?? [];
  const charts = panels.filter((panel): panel is ChartPanel => panel.type === "stat" || panel.type === "timeseries");

  it("is a dashboard by Grafana's own types, and has nothing that they do not know", () => {
    const result = validateDashboard(dashboard);
    expect(result.success ? [] : result.errors.map(({ path, expected }) => `${path}: ${expected}`)).toEqual([]);
    expect(uid).toBe(`trunkline-${file.replace(".json", "")}`);
  });

  it("that Grafana does not know is found", () => {
    const [first, ...others] = charts;
    for (const broken of [
      { ...dashboard, panels: [{ ...first, gridPos: { x: 0, y: 0, w: 4 } }, ...others] },
      { ...dashboard, panels: [{ ...first, options: {} }, ...others] },
      { ...dashboard, panels: [{ ...first, colour: "red" }, ...others] },
      { ...dashboard, schemaVersion: "39" },
    ])
      expect(validateDashboard(broken).success).toBe(false);
  });

  it("reads what processes and rules give", () => {
    const asked = charts.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.flatMap(({ title, expr }) => unknownNames(expr, declared, records).map((name) => `${title}: ${name}`))).toEqual([]);
    const queries = variables.filter(({ type }) => type === "query").map(({ query }) => JSON.stringify(query));
    expect(
      queries.flatMap((query) => unknownNames(/label_values\((\w+), member\)/.exec(query)?.[1] ?? "no query", declared, records)),
    ).toEqual([]);
  });

  it("gives every panel a description and a unit and every line a name, and queries the provisioned data source", () => {
    const { datasources } = parse(readFileSync(resolve(manifestsFolder, "grafana/provisioning/datasources/prometheus.yml"), "utf8")) as {
      datasources: { uid: string }[];
    };
    for (const { title, description, type, fieldConfig, targets = [] } of charts) {
      expect(title).toMatch(/\S/);
      expect(description, title).toMatch(/\S/);
      expect(fieldConfig.defaults.unit, title).toMatch(/\S/);
      for (const { legendFormat, datasource } of targets) {
        if (type !== "stat") expect(legendFormat, title).toMatch(/\S/);
        expect(datasource.uid).toBe(datasources[0]?.uid);
      }
    }
  });

  it("uses only its own variables, and leads to dashboards that exist and to the console", () => {
    const used = [...JSON.stringify(panels).matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
    expect(used.filter((name) => !name.startsWith("__") && !variables.some((variable) => variable.name === name))).toEqual([]);
    const ways = [...links, ...panels.flatMap((panel) => ("links" in panel ? (panel.links ?? []) : []))].map(({ url = "" }) => url);
    expect(dashboards.map(([, other]) => `/d/${other.uid}`).filter((way) => way !== `/d/${uid}` && !ways.includes(way))).toEqual([]);
    const toConsole = ways.filter((way) => !dashboards.some(([, other]) => way === `/d/${other.uid}`));
    expect(toConsole.length).toBeGreaterThan(0);
    const places = toConsole.map((way) => /^\$\{console\}\/console#(\/.+)$/.exec(way)?.[1] ?? "");
    expect(places.filter((place) => matchRoute(consolePages, place) === undefined)).toEqual([]);
  });

  it("has no two panels in one place", () => {
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_cell, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});
