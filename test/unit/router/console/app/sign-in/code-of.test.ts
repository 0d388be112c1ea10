import { describe, expect, it } from "vitest";
import { codeOf } from "../../../../../../router/console/app/sign-in/code-of.js";

describe("codeOf", () => {
  const code = "AbC-_".padEnd(32, "x");
  it.each([
    [`#code=${code}`, code],
    [`#code=${code}x`, undefined],
    ["#code=", undefined],
    [`#/sessions?code=${code}`, undefined],
    [`#code=${"<".repeat(32)}`, undefined],
    ["", undefined],
  ])("%s: %s", (hash, expected) => {
    expect(codeOf(hash)).toBe(expected);
  });
});
