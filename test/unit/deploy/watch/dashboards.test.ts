import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { declaredMetrics, type DeclaredMetric } from "./declared-metrics.js";
import { deployFolder, rulesOf, unknownNames } from "./watched-names.js";

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string; readonly datasource: { readonly uid: string } }[];
}
interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly links: readonly { readonly url: string }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition: string }[] };
}

const folder = resolve(deployFolder, "grafana/dashboards");
const dashboards = readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(resolve(folder, file), "utf8")) as Dashboard] as const);
const records = rulesOf("records.yml");
let redis: TestRedis;
let declared: DeclaredMetric[];
beforeAll(async () => {
  redis = await startRedis();
  declared = Object.values(declaredMetrics(redis)).flat();
});
afterAll(() => redis.stop());

describe.each(dashboards)("%s", (_, { panels, templating, links }) => {
  const charts = panels.filter(({ type }) => type !== "row");

  it("reads what processes and rules give", () => {
    const asked = charts.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.flatMap(({ title, expr }) => unknownNames(expr, declared, records).map((name) => `${title}: ${name}`))).toEqual([]);
    expect(
      templating.list.flatMap(({ definition }) =>
        unknownNames(/label_values\((\w+),/.exec(definition)?.[1] ?? "no query", declared, records),
      ),
    ).toEqual([]);
  });

  it("gives every panel a unit and every line a name, and asks the provisioned data source", () => {
    const { datasources } = parse(readFileSync(resolve(deployFolder, "grafana/provisioning/datasources/prometheus.yml"), "utf8")) as {
      datasources: { uid: string }[];
    };
    for (const { title, type, fieldConfig, targets = [] } of charts) {
      expect(title).toMatch(/\S/);
      expect(fieldConfig?.defaults.unit, title).toMatch(/\S/);
      for (const { legendFormat, datasource } of targets) {
        if (type !== "stat") expect(legendFormat, title).toMatch(/\S/);
        expect(datasource.uid).toBe(datasources[0]?.uid);
      }
    }
  });

  it("uses only its own variables, and leads to dashboards that exist", () => {
    const used = charts.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = ""]) => name)),
    );
    expect(used.filter((name) => !name.startsWith("__") && !templating.list.some((variable) => variable.name === name))).toEqual([]);
    expect(links.map(({ url }) => url).filter((url) => !dashboards.some(([, { uid }]) => url === `/d/${uid}`))).toEqual([]);
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
