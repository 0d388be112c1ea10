import { expect, it } from "vitest";
import { PlaceBudget, type Part } from "../../../../shared/tenant/place-budget.js";

const afterMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A budget of one place whose request to Redis gets its reply from `reply`. */
function budgetWith(reply: Promise<Part>): PlaceBudget {
  return new PlaceBudget(1, { request: () => reply, waitingMax: 10, now: () => performance.now() });
}

it("refuses a place when the reply of Redis comes after the caller's own wait", async () => {
  const reply = afterMs(40).then((): Part => ({ held: 0, share: 0, tight: true }));
  await expect(budgetWith(reply).enter(1, 20, undefined)).resolves.toBeUndefined();
});

it("gives a place that Redis grants after the caller's own wait", async () => {
  const budget = budgetWith(afterMs(40).then((): Part => ({ held: 1, share: 1, tight: true })));
  await expect(budget.enter(1, 20, undefined)).resolves.toBeDefined();
  expect(budget.tryEnter(1)).toBeUndefined();
});

it("lets a caller in when Redis does not reply", async () => {
  await expect(budgetWith(new Promise(() => undefined)).enter(1, 20, undefined)).resolves.toBeDefined();
});

it("lets a caller in when Redis fails", async () => {
  const reply = afterMs(40).then((): Part => {
    throw new Error("redis is away");
  });
  await expect(budgetWith(reply).enter(1, 20, undefined)).resolves.toBeDefined();
});
