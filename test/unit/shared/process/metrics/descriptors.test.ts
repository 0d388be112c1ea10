import { closeSync, openSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { createRegistry } from "../../../../../shared/process/metrics/registry.js";
import { Descriptors } from "../../../../../shared/process/metrics/descriptors.js";
import { eventually } from "../../../../harness/eventually.js";

const opened: number[] = [];
let descriptors: Descriptors | undefined;
afterEach(() => {
  descriptors?.stop();
  for (const one of opened.splice(0)) closeSync(one);
});

it("says that descriptors are exhausted while few are left, in readiness and metrics, and not any more when some are free again", async () => {
  const registry = createRegistry("shard", "s");
  const first = openSync("/dev/null", "r");
  opened.push(first);
  descriptors = new Descriptors({ registry, limit: () => first + 100 });
  const metric = async (): Promise<string | undefined> => /descriptors_exhausted\{.*\} (\d)/.exec(await registry.metrics())?.[1];
  descriptors.start();
  expect([descriptors.problems(), await metric()]).toEqual([[], "0"]);
  while (opened.length < 90) opened.push(openSync("/dev/null", "r"));
  await eventually("exhaustion", () => descriptors?.problems().length === 1);
  expect(await metric()).toBe("1");
  for (const one of opened.splice(0)) closeSync(one);
  await eventually("free ones", () => descriptors?.problems().length === 0);
  expect(await metric()).toBe("0");
});
