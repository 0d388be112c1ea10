import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { readsOf } from "./promql.js";
import { manifestsFolder, type Rule } from "./watched-names.js";

interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}
interface AlertTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly eval_time: string }[];
}
interface TestFile<Test> {
  readonly evaluation_interval: string;
  readonly tests: readonly Test[];
}

/**
 * Writes one promtool file per alert, with only the rules it needs, because promtool evaluates each rule at every step. The last file has
 * everything at few steps.
 */
export function writeTestsApart(folder: string): string[] {
  const groups = (["records.yml", "alerts.yml"] as const).flatMap((file) => read<{ groups: RuleGroup[] }>(`rules/${file}`).groups);
  const all = read<TestFile<AlertTest>>("tests/alerts.yml");
  const write = (name: string, kept: readonly RuleGroup[], tests: TestFile<object>): string => {
    writeFileSync(join(folder, `${name}.rules.json`), JSON.stringify({ groups: kept }));
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ ...tests, rule_files: [`${name}.rules.json`] }));
    return file;
  };
  const byAlerts = new Map<string, AlertTest[]>();
  for (const test of all.tests) {
    const alerts = [...new Set(test.alert_rule_test.map(({ alertname }) => alertname))].sort().join("+");
    byAlerts.set(alerts, [...(byAlerts.get(alerts) ?? []), test]);
  }
  const files = [...byAlerts].map(([alerts, tests]) => {
    const needed = rulesFor(alerts.split("+"), groups);
    const kept = groups.map((group) => ({ ...group, rules: group.rules.filter((rule) => needed.has(rule)) }));
    return write(alerts, kept, { ...all, tests });
  });
  // Expressions without rules make promtool run to the last time of each test.
  const seen = all.tests.map(({ alert_rule_test, ...test }) => ({
    ...test,
    promql_expr_test: alert_rule_test.map(({ eval_time }) => ({ expr: "vector(1)", eval_time, exp_samples: [{ labels: "{}", value: 1 }] })),
  }));
  return [...files, write("all", groups, { ...all, evaluation_interval: "5m", tests: seen })];
}

/** Returns the rules of these alerts, and all records that they need. */
function rulesFor(alerts: readonly string[], groups: readonly RuleGroup[]): Set<Rule> {
  const rules = groups.flatMap((group) => group.rules);
  const needed = new Set<Rule>();
  const take = (rule: Rule): void => {
    if (needed.has(rule)) return;
    needed.add(rule);
    for (const { metric } of readsOf(rule.expr).selectors) {
      // A rule that reads pending or firing alerts would need those alerts, too.
      if (metric.startsWith("ALERTS")) throw new Error(`${rule.record ?? rule.alert} reads other alerts`);
      rules.filter(({ record }) => record === metric).forEach(take);
    }
  };
  for (const alert of alerts) {
    const rule = rules.find((rule) => rule.alert === alert);
    if (rule === undefined) throw new Error(`there is no alert ${alert}`);
    take(rule);
  }
  return needed;
}

function read<T>(path: string): T {
  return parse(readFileSync(resolve(manifestsFolder, "prometheus", path), "utf8")) as T;
}
