import { describe, expect, it } from "vitest";

// Not one of the suite's files, which end in .test.ts: run-report.test.ts runs it, and reads what is told of it.
describe("a file", () => {
  it("passes", () => undefined);
  it("fails", () => {
    // eslint-disable-next-line no-console
    console.log("what it saw");
    expect(1).toBe(2);
  });
});
