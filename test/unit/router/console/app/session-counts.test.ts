import { expect, it } from "vitest";
import { countSessions } from "../../../../../router/console/app/pages/tenants/session-counts.js";
import { usageTone } from "../../../../../router/console/app/ui/usage-tone.js";

async function* rowsOf(...tenants: string[]): AsyncGenerator<{ tenant: string }> {
  for (const tenant of tenants) yield await Promise.resolve({ tenant });
}

it("counts the sessions of each tenant", async () => {
  expect(await countSessions(rowsOf("acme", "default", "acme"))).toEqual({
    byTenant: new Map([
      ["acme", 2],
      ["default", 1],
    ]),
    cut: false,
  });
});

it("stops at the limit and reports that the numbers are too low", async () => {
  expect((await countSessions(rowsOf("acme", "acme"), 2)).cut).toBe(false);
  expect(await countSessions(rowsOf("acme", "acme", "acme"), 2)).toEqual({ byTenant: new Map([["acme", 2]]), cut: true });
});

it.each([
  [0, 5, "good"],
  [4, 5, "warn"],
  [5, 5, "bad"],
  [6, 5, "bad"],
  [0, 0, "bad"],
])("shows %i of %i as %s", (used, quota, tone) => {
  expect(usageTone(used, quota)).toBe(tone);
});
