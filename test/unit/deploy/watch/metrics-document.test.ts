import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { privateWords } from "../../../words/style.js";
import { declaredMetrics, type DeclaredMetric } from "./declared-metrics.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

it("deploy/docs/metrics.md lists the metrics of every process, with types, labels and meanings (write it anew: npm test -- test/unit/deploy/watch -u)", async () => {
  await expect(documentOf(declaredMetrics(redis))).toMatchFileSnapshot(resolve(import.meta.dirname, "../../../../deploy/docs/metrics.md"));
});

it("names metrics after the process and counts in units, and never labels by what tenants bring", () => {
  const { router, shard, supervisor } = declaredMetrics(redis);
  for (const [role, metrics] of Object.entries({ router, shard, supervisor })) {
    for (const { name, labels } of metrics.filter((metric) => metric.name.startsWith("gateway_"))) {
      expect(name).toMatch(new RegExp(`^gateway_(${role}|process)_[a-z0-9_]+$`));
      expect(labels.filter((label) => /session|account|phone|chat|url|address|host|path|id$/.test(label))).toEqual([]);
    }
  }
});

it("explains each metric in one sentence of at most 160 characters in the field's words", () => {
  const helps = Object.values(declaredMetrics(redis)).flatMap((metrics) => metrics.filter(({ name }) => name.startsWith("gateway_")));
  expect(helps.filter(({ help }) => help.length > 160 || /[.;:](\s|$)/.test(help) || privateWords.test(help))).toEqual([]);
});

function documentOf(metrics: ReturnType<typeof declaredMetrics>): string {
  const own = (role: keyof typeof metrics): DeclaredMetric[] => metrics[role].filter(({ name }) => name.startsWith(`gateway_${role}_`));
  const everywhere = metrics.router.filter(({ name }) => name.startsWith("gateway_process_"));
  return [
    "# Metrics",
    "",
    "The metrics of `/metrics` on each process's admin port. A test writes this page from the metrics that the processes declare",
    "(`test/unit/deploy/watch`), so it is complete.",
    "",
    "* Every series has the labels `role` (`router`, `shard`, `supervisor`) and `member` (`shard-1`).",
    "* Label values come from closed sets. They never name a session, an account, a phone number, an address or a link.",
    "* A histogram has the series `_bucket`, `_sum` and `_count`.",
    "",
    ...section("Router", own("router")),
    ...section("Shard", own("shard")),
    ...section("Supervisor", own("supervisor")),
    ...section("Every process", everywhere),
    "There are also `process_…` and `nodejs_…`: Node's own figures, as prom-client collects them.",
    "",
  ].join("\n");
}

function section(title: string, metrics: readonly DeclaredMetric[]): string[] {
  const rows = [...metrics]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`);
  return [`## ${title}`, "", "| metric | type | labels | says |", "|---|---|---|---|", ...rows, ""];
}
