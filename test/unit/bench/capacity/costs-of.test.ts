import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { costsOf } from "../../../../bench/capacity/costs-of.js";
import { figuresOf, emptyShardFigure, idleFigures, loginFigure } from "../../../../bench/capacity/cost-figures.js";
import { sourceOf } from "../../../../bench/capacity/write-costs.js";
import { storedFigure, type Figure } from "../../../../bench/figure.js";
import type { Results } from "../../../../bench/results.js";
import { measuredCosts } from "../../../../deploy/cli/capacity/measured-costs.js";
import { works, type WorkCosts } from "../../../../deploy/cli/capacity/unit-costs.js";

const work: WorkCosts = { shardCpuMs: 1.23456, routerCpuMs: 2, redisCpuMs: 3, cacheCpuMs: 4, fileBytes: 5, briefBytes: 6, dayBytes: -7 };
const results = (scenario: string, figures: readonly Figure[]): [string, Results] => [
  scenario,
  {
    scenario,
    about: "",
    date: "2026-11-22T00:00:00.000Z",
    machine: { cores: 2, cpu: "a processor", node: "v20", system: "" },
    notes: [],
    figures: figures.map(storedFigure),
  },
];
const figure = (what: string, value: number): Figure => ({ what, unit: "", how: "", value });
const idle = [
  figure(idleFigures.shardBytes.what, 2),
  figure(idleFigures.idleCpuMsPerHour.what, 0.1),
  figure(idleFigures.connectCpuMs.what, 40),
];
const kept = new Map([
  results("whatsapp-idle", idle),
  results("telegram-idle", idle),
  results("capacity", [
    figure(emptyShardFigure, 105_000_000),
    figure(loginFigure("whatsapp"), 300_000),
    figure(loginFigure("telegram"), 7_000),
    ...works.flatMap((one) => figuresOf(one, work, "")),
  ]),
]);

it("reads what one thing takes out of kept results: three digits, and nothing below 0", () => {
  const session = { shardBytes: 2_050, idleCpuMsPerHour: 100, connectCpuMs: 40 };
  expect(costsOf(kept)).toMatchObject({
    measured: { date: "2026-11-22T00:00:00.000Z", cpu: "a processor", node: "v20" },
    emptyShardBytes: 105_000_000,
    session: { whatsapp: { ...session, redisBytes: 300_000 }, telegram: { ...session, redisBytes: 7_000 } },
    work: { telegramText: { ...work, shardCpuMs: 1.23, dayBytes: 0 }, coldMib: { ...work, shardCpuMs: 1.23, dayBytes: 0 } },
  });
});

it("names what is missing", () => {
  expect(() => costsOf(new Map())).toThrow("there is no result of capacity: npm run capacity");
  expect(() => costsOf(new Map([...kept, results("telegram-idle", [])]))).toThrow(
    'the result of telegram-idle has no figure "RSS per session": npm run capacity',
  );
});

it("writes the source as the formatter wants it", async () => {
  const file = new URL("../../../../deploy/cli/capacity/measured-costs.ts", import.meta.url);
  expect(await sourceOf(measuredCosts)).toBe(readFileSync(file, "utf8"));
});
