import { works, type SessionCosts, type UnitCosts, type WorkCosts } from "../../deploy/cli/capacity/unit-costs.js";
import type { Platform } from "../../shared/contract/platform.js";
import { readFigure, type StoredFigure } from "../figure.js";
import type { Results } from "../results.js";
import { spread } from "../spread.js";
import { costKinds, emptyShardFigure, idleFigures, loginFigure, workFigure } from "./cost-figures.js";

/** The scenarios whose results are the model's figures. */
export const capacityScenarios = ["whatsapp-idle", "telegram-idle", "capacity"] as const;

/** Returns the cost of each unit from stored results. Throws a sentence that names a missing result. */
export function costsOf(kept: ReadonlyMap<string, Results>): UnitCosts {
  const of = (scenario: (typeof capacityScenarios)[number]): Results => {
    const found = kept.get(scenario);
    if (found === undefined) throw new Error(`there is no result of ${scenario}: npm run capacity`);
    return found;
  };
  const figure = (scenario: (typeof capacityScenarios)[number], what: string): number => {
    const found = of(scenario).figures?.find((one) => one.what === what);
    if (found === undefined) throw new Error(`the result of ${scenario} has no figure "${what}": npm run capacity`);
    return round(numberOf(found));
  };
  const session = (platform: Platform): SessionCosts => {
    const idle = (kind: keyof typeof idleFigures): number =>
      round(figure(`${platform}-idle`, idleFigures[kind].what) * idleFigures[kind].by);
    return {
      shardBytes: idle("shardBytes"),
      idleCpuMsPerHour: idle("idleCpuMsPerHour"),
      connectCpuMs: idle("connectCpuMs"),
      redisBytes: figure("capacity", loginFigure(platform)),
    };
  };
  const { date, machine } = of("capacity");
  return {
    measured: { date, cpu: machine.cpu, node: machine.node },
    emptyShardBytes: figure("capacity", emptyShardFigure),
    session: { whatsapp: session("whatsapp"), telegram: session("telegram") },
    work: fromEntries(works, (work): WorkCosts => fromEntries(costKinds, (kind) => figure("capacity", workFigure(work, kind).what))),
  };
}

function numberOf(stored: StoredFigure): number {
  const { value } = readFigure(stored);
  return typeof value === "number" ? value : spread("rounds" in value ? value.rounds : value.samples).median;
}

/** The measurements are not more precise than this. */
function round(value: number): number {
  return Number(Math.max(0, value).toPrecision(3));
}

function fromEntries<K extends string, V>(names: readonly K[], of: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, V>; // Every name is present.
}
