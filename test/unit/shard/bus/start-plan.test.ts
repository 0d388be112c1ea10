import { expect, it } from "vitest";
import { planStart, type StartPlan } from "../../../../shard/bus/start-plan.js";

it.each<[dropped: boolean, left: boolean, late: boolean, hasPlace: boolean, StartPlan]>([
  [false, false, false, true, "run"],
  [false, false, false, false, "refuse"],
  [false, false, true, true, "expire"],
  [false, false, true, false, "expire"],
  [false, true, false, true, "move"],
  [false, true, true, false, "move"],
  [true, false, false, true, "drop"],
  [true, true, true, false, "drop"],
])("dropped %s, left %s, late %s, has a place %s: %s", (dropped, left, late, hasPlace, plan) => {
  expect(planStart({ dropped, left, late, hasPlace })).toBe(plan);
});
