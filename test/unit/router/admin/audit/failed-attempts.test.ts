import { expect, it } from "vitest";
import { FailedAttempts, otherAddresses } from "../../../../../router/admin/audit/failed-attempts.js";

it("counts by address, from one taking to the next", () => {
  const failed = new FailedAttempts();
  for (const address of ["10.0.0.1", "10.0.0.2", "10.0.0.1"]) failed.add(address);
  expect([...failed.take()]).toEqual([
    ["10.0.0.1", 2],
    ["10.0.0.2", 1],
  ]);
  expect(failed.take().size).toBe(0);
});

it("counts new addresses together past a thousand, and keeps counting listed ones", () => {
  const failed = new FailedAttempts();
  for (let i = 0; i < 1_500; i++) failed.add(`a${i}`);
  failed.add("a0");
  const counts = failed.take();
  expect(counts.size).toBe(1_001);
  expect([counts.get("a0"), counts.get("a999"), counts.get(otherAddresses)]).toEqual([2, 1, 500]);
});
