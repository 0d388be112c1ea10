import { describe, expect, it } from "vitest";

// Not part of the suite, whose files end in .test.ts. run-report.test.ts runs this file and reads the report.
describe("a file", () => {
  it("passes", () => undefined);
  it("fails", () => {
    // eslint-disable-next-line no-console
    console.log("what it saw");
    expect(1).toBe(2);
  });
});
